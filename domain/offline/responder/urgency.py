"""In the middle of an emergency: what was said of it is said again when the owner asks what to do."""

import re

from domain.turn_context import TurnContext

STILL_URGENT = 6  # messages back: three exchanges
_URGED = re.compile(r"请现在就[^。]*(?:医院|急诊)[^。]*。")
_WHAT_TO_DO = re.compile(
    r"怎么办|咋办|怎么弄|怎么处理|严重|要紧|要不要|用不用|需要|能等|等等|观察|去(?:医院|看)|危险|有事"
)
_AT_THE_VET = re.compile(r"(?:到|去过|送|在|从)(?:了)?医院|医生(?:说|让|看|给)|看过医生|打了针|好了|没事了")


def urged_before(context: TurnContext) -> str:
    """The sentence by which we sent the owner to a vet in this talk, where nothing has been told since that ends it."""
    if not _WHAT_TO_DO.search(context.text):
        return ""
    for said in reversed(context.history[-STILL_URGENT:]):
        if said.role == "user" and _AT_THE_VET.search(said.text):
            return ""
        if said.role == "assistant" and (urged := _URGED.match(said.text)):
            return urged[0]
    return ""
