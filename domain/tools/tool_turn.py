"""What every tool works with: the running turn, its parts, the message as our rules read it."""

from dataclasses import dataclass, field

from domain.offline.extractor.reading import Scene
from domain.pet_profiles import PetProfile, Utterance
from domain.pets import Pet
from domain.proposed_claims import read_message
from domain.reviewing import Reviewer
from domain.running_turn import Run, TurnParts
from domain.turn_hands import TurnHands
from memory.text_folding import fold_text

OWNER_WORDS = ("主人", "我", "owner")


@dataclass(slots=True)
class ToolTurn:
    """One turn as its tools see it. plans_made: requests about plans so far, by which a repeated turn knows them."""

    run: Run
    parts: TurnParts
    hands: TurnHands
    reviewer: Reviewer
    plans_made: int = 0
    _scene: Scene | None = field(default=None)

    @property
    def scene(self) -> Scene:
        """The message as our rules read it; read once."""
        if self._scene is None:
            run = self.run
            self._scene = read_message(
                Utterance(
                    text=run.request.text,
                    now=run.scope.local(run.request.now),
                    pets=run.view.profiles,
                    owner_name=run.view.owner.nickname,
                    history=run.history,
                    focus_pet_id=run.request.pet_id,
                )
            )
        return self._scene

    def profile(self, name: str) -> PetProfile | None:
        """The pet of this name or nickname, None when the household has none or several."""
        wanted = fold_text(name).strip()
        found = [
            one
            for one in self.run.view.profiles
            if wanted in {fold_text(known) for known in (one.name, *one.nicknames)}
        ]
        return found[0] if len(found) == 1 else None

    def pet(self, name: str) -> Pet | None:
        """The same pet as a row."""
        profile = self.profile(name)
        return None if profile is None else self.run.view.pet(profile.id)

    @property
    def names(self) -> str:
        """The pets' names, for a model that named none of them."""
        return "、".join(one.name for one in self.run.view.profiles) or "（还没有宠物）"

    def said(self, quote: str) -> bool:
        """Whether the owner wrote these words in this message."""
        folded = fold_text(quote).strip()
        return bool(folded) and folded in fold_text(self.run.request.text)
