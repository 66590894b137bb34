"""What we asked or announced before the owner wrote: 豆豆好点了吗 in the inbox, 今天15:00 带豆豆打疫苗 in the reminder.

A message that names no pet and tells how one is, or that something planned is done, answers that; it is read as if the
question stood before it in the talk. Where two pets wait, or the talk itself is about one, nothing is supposed.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from domain.follow_ups import FollowUp, still_asked
from domain.offline.responder.reading import is_question
from domain.pet_profiles import PetProfile, SaidBefore
from domain.pet_resolution import pets_named
from domain.pets import Pet
from domain.schedules import Occurrence
from memory.text_folding import fold_text

PLAN_IS_NEWS = timedelta(days=1)  # the day after is still told about

_HOW_IT_IS = re.compile(
    r"便便|大便|粑粑|拉[了得的稀肚]|[还没又不再]拉|[还没又不再]吐|吐了|精神|胃口|食欲|吃了|吃得|吃饭|吃东西|肯吃|喝水|喝了"
    r"|咳|喘|体温|退烧|发烧|蔫|没劲|瘸|走路|伤口|肿|痒|尿|睡得|吃药|药吃|好[了些点多转]|没好|恢复|还是老样子|正常了"
)
_ASKS_AT_THE_END = re.compile(r"[没不吧吗么][。!！~]*$")
_DONE = re.compile(
    r"(?:打|看|做|洗|剪|吃|喂|驱|拔|拆|查|复查|检查|剃|绝育)(?:完|好|过)(?:.{0,4})?了|(?:打|看|做|洗|剪|驱|拔|拆)了|回来了|结束了|顺利"
)


def may_answer(text: str, pets: Sequence[PetProfile], history: Sequence[SaidBefore]) -> bool:
    """Whether what we asked may be what the message is about: several pets, none named in the talk, no question."""
    if sum(pet.status == "active" for pet in pets) < 2 or _asks(text):
        return False
    return not any(pets_named(said, pets) for said in (text, *(one.text for one in history)))


def _asks(text: str) -> bool:
    """还是没吃 tells; 吃了没 asks."""
    return is_question(text, told_something=True) or _ASKS_AT_THE_END.search(fold_text(text).strip()) is not None


def asked_how_it_is(text: str, follow_ups: Sequence[FollowUp], pets: Sequence[Pet], today: date) -> SaidBefore | None:
    """The one question about a sick pet that is due, when the message tells how somebody is."""
    if not _HOW_IT_IS.search(fold_text(text)):
        return None
    due = [row for row in still_asked(follow_ups, pets, today) if row.due_on <= today]
    return SaidBefore("assistant", due[0].question) if len(due) == 1 else None


def tells_of_a_plan(text: str) -> bool:
    """Whether a message says that something is done that might have been planned: 打完了, 洗完澡了, 看完医生回来了."""
    return _DONE.search(fold_text(text)) is not None


def announced(found: Iterable[Occurrence], pets: Sequence[Pet]) -> SaidBefore | None:
    """The plans of the one pet that had any."""
    names = {pet.id: pet.name for pet in pets if pet.status == "active"}
    titles = {one.schedule.pet_id: one.schedule.title for one in found if one.schedule.pet_id in names}
    if len(titles) != 1:
        return None
    ((pet_id, title),) = titles.items()
    return SaidBefore("assistant", f"{names[str(pet_id)]}：{title}")
