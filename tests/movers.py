"""The background work of a service whose memories move to another embedder, a step at a time; both are endpoints'."""

from dataclasses import dataclass, field
from datetime import timedelta

from app.adapters.openai_embedder import embedder_name
from app.container import Container
from app.embedders import ENDPOINT
from app.options import machine_clock
from jobs.move_vectors import MOST_TRIES, ask_for_move, move_vectors
from memory.vector_index import VectorIndex
from memory.vector_moves import CollectionId, MoveState, ServingVectors, Wished, read_serving
from tests.fakes.slow_assistant import SetClock
from tests.fakes.stub_embedder import DIMENSION

OLD, NEW, THIRD = "old", "new", "third"
MOST_STEPS = 30  # more than any move of a few memories takes


def collection(model: str) -> CollectionId:
    """The collection of a model of the fake endpoint."""
    return CollectionId(f"{ENDPOINT}{model}", embedder_name(model), DIMENSION)


@dataclass
class Mover:
    """Works on one container; real time passes only as the test says."""

    container: Container
    clock: SetClock = field(default_factory=SetClock)

    def __post_init__(self) -> None:
        self.container.real_now = self.clock

    async def sync(self, later: timedelta = timedelta()) -> None:
        """What is due for the collections is worked off; so much later also what was put off."""
        self.clock.now = max(self.clock.now, machine_clock()) + later
        await self.container.sync_vectors()

    async def ask(self, model: str = NEW) -> Wished:
        return await ask_for_move(self.container.database, collection(model), self.clock())

    async def refresh(self) -> Wished:
        return await ask_for_move(self.container.database, None, self.clock())

    async def step(self, most_tries: int = MOST_TRIES) -> bool:
        return await move_vectors(self.container.move_parts(most_tries=most_tries))

    async def until(self, state: MoveState, *, pausing: timedelta = timedelta()) -> ServingVectors:
        """Step by step to a state, a failure with its cleaning; `pausing` passes between two steps."""
        for _ in range(MOST_STEPS):
            row = await self.row()
            if row.state == state and not (state == MoveState.FAILED and row.beside):
                return row
            await self.step()
            self.clock.now += pausing
        raise AssertionError(f"never {state}: {await self.row()}")

    async def row(self) -> ServingVectors:
        """What is stored."""
        async with self.container.database.read() as session:
            row = await read_serving(session)
        assert row is not None
        return row

    def index(self, model: str) -> VectorIndex:
        """The open collection of a model."""
        opened = (self.container.vectors.serving, self.container.vectors.beside)
        (found,) = [one.index for one in opened if one is not None and one.id.name == embedder_name(model)]
        return found

    async def held(self, model: str) -> set[str]:
        """The memories that have a vector there."""
        return set(await self.index(model).scroll_ids(None))
