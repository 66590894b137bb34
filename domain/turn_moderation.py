"""The check of what is said in one turn: the owner's words while we think, our answer before it is final.

An emergency is never held up and never taken back: its answer is made by rules from what is on record.
"""

import asyncio

from domain.assistant import AnswerSentence
from domain.moderation import Moderator, Suggest, Verdict
from domain.running_turn import Run

DECLINED = "这段内容不太合适，我没法回应。我们换个话题，聊聊毛孩子吧。"
TAKEN_BACK = "刚才的回答不太合适，我收回了。换个问法再问我一次，好吗？"


class TurnCheck:
    """Judges one turn. Made when the turn begins; without a moderator, or an owner it knows, it lets all pass."""

    def __init__(self, run: Run, moderator: Moderator | None) -> None:
        self._run = run
        self._moderator = moderator if moderator is not None and moderator.knows(run.view.owner) else None
        self._said: asyncio.Task[Verdict | None] | None = None
        if self._moderator is not None:
            run.answer.moderation = "unchecked"
            self._said = asyncio.create_task(self._moderator.judge(run.view.owner, run.request.text))

    async def must_decline(self) -> bool:
        """Whether the owner's words are such that nothing may follow from them."""
        if self._said is None or self._is_emergency:
            return False
        verdict = await self._said
        if verdict is None or verdict.suggest is Suggest.PASS:
            return False
        self._run.answer.moderation = "review"
        if verdict.suggest is not Suggest.RISKY:
            return False
        self._run.answer.moderation = "replaced"
        return True

    def decline(self) -> None:
        """Answer with a word of our own."""
        self._run.answer.sentences = [AnswerSentence(DECLINED)]
        self._run.tell("delta", {"text": DECLINED})

    async def judge_answer(self) -> None:
        """Take the answer back if it is harmful; else note what was thought of it."""
        run = self._run
        if self._moderator is None:
            return
        verdict = await self._moderator.judge(run.view.owner, run.answer.text)
        if verdict is None:
            return
        if verdict.suggest is Suggest.RISKY and not self._is_emergency:
            run.answer.moderation = "replaced"
            run.answer.sentences = [AnswerSentence(TAKEN_BACK)]
            run.tell("replace", {"text": TAKEN_BACK})
        elif verdict.suggest is not Suggest.PASS:
            run.answer.moderation = "review"
        elif run.answer.moderation == "unchecked":
            run.answer.moderation = "passed"

    def close(self) -> None:
        """Stop asking: the turn has ended."""
        if self._said is not None:
            self._said.cancel()

    @property
    def _is_emergency(self) -> bool:
        return any(alert.level == "emergency" for alert in self._run.answer.alerts)
