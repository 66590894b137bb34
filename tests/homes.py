"""A household with a dog and a cat, and a way to say things in it without any extractor: claims are made by hand."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

from sqlmodel import col, select

from app.database import Database
from domain.confirming import answer
from domain.owners import scope_of, sign_in_owner
from domain.pets import Pet
from domain.remembering import Remembered, SaidMessage, remember
from memory.claims import Claim
from memory.confirmations import Confirmation
from memory.items import MemoryItem
from memory.messages import open_conversation
from memory.prepared import quick_of
from memory.scope import Scope
from memory.settlement import Answer
from memory.vocabulary import MemoryStatus
from tests.claims import claim_of

SECRET = b"a secret of these tests"
MONDAY = datetime(2026, 6, 1, 2, 0, tzinfo=UTC)  # 10:00 in Shanghai


@dataclass
class Home:
    """A household with a dog and a cat, and a way to say things in it."""

    database: Database
    scope: Scope
    pets: list[Pet]
    said: int = 0
    conversations: dict[str, str] = field(default_factory=dict)

    @property
    def dog(self) -> Pet:
        return self.pets[0]

    @property
    def cat(self) -> Pet:
        return self.pets[1]

    async def say(
        self,
        *claims: Claim,
        at: datetime = MONDAY,
        text: str | None = None,
        message_id: str | None = None,
        **more: object,
    ) -> Remembered:
        self.said += 1
        async with self.database.write() as session:
            conversation_id, _ = await open_conversation(await quick_of(session), self.scope, at)
            words = text if text is not None else "，".join(claim.evidence.quote for claim in claims)
            message = SaidMessage(message_id or f"message-{self.said}", conversation_id, words, at, self.scope)
            return await remember(
                session,
                self.pets,
                message,
                claims,
                at,
                at,
                secret_key=SECRET,
                **more,  # type: ignore[arg-type]  # passed through
            )

    async def answer(self, confirmation_id: str, given: Answer, at: datetime = MONDAY) -> Confirmation:
        async with self.database.write() as session:
            return await answer(session, self.scope, confirmation_id, given, at, at)

    async def items(self, *statuses: MemoryStatus) -> list[MemoryItem]:
        async with self.database.read() as session:
            rows = (await session.exec(select(MemoryItem).order_by(col(MemoryItem.id)))).all()
        return [row for row in rows if not statuses or row.status in statuses]

    async def served(self) -> list[str]:
        return [item.content for item in await self.items(MemoryStatus.ACTIVE, MemoryStatus.PROVISIONAL)]

    async def confirmations(self) -> list[Confirmation]:
        async with self.database.read() as session:
            return list((await session.exec(select(Confirmation).order_by(col(Confirmation.id)))).all())


async def open_home(database: Database) -> Home:
    """A household of its own in this database."""
    async with database.write() as session:
        owner = await sign_in_owner(session, "app", f"dev:{uuid4()}", "小周", MONDAY)
        pets = [
            Pet(household_id=owner.household_id, name="煤球", species="dog", created_at=MONDAY),
            Pet(household_id=owner.household_id, name="芋圆", species="cat", created_at=MONDAY),
        ]
        session.add_all(pets)
    return Home(database, scope_of(owner), pets)


def claim(pet: Pet | None, attribute: str, content: str, **more: object) -> Claim:
    """A claim about a pet of the home, or about none that is known."""
    return claim_of(pet.id if pet else None, attribute, content, **more)


def allergy(pet: Pet, **more: object) -> Claim:
    negated = bool(more.get("negated"))
    content = f"{pet.name}对虾{'不' if negated else ''}过敏"
    known: dict[str, object] = {"value": {"substance": "shrimp", "substance_name": "虾"}}
    return claim(pet, "allergy:shrimp", content, **{**known, **more})
