"""The script of the model server for trying it by hand: it answers in one sentence, and does what a message orders.

`!tool NAME {json}` calls a tool, `!fail KIND` fails (`429`, `500`, `silent`, `cut`, `garbled`, `refuse`, `empty`,
`english`, `endless`), `!say WORDS` says exactly that.
Everything else gets a plain answer, which tells when it was asked and when it spoke if answers are to be stamped.
"""

import re

from tests.fakes.model_server.asked import Asked
from tests.fakes.model_server.replies import Reply, ToolCall
from tests.fakes.model_server.server import FakeModel

PACE_S = 0.03  # between tokens; what a model of the larger kind does
LONG = "这句话还没有说完，连接就断了，后面的内容你看不到。"

FAILURES = {
    "429": Reply.too_many(1),
    "500": Reply.error(500),
    "silent": Reply.silent(),
    "cut": Reply.cut("先说一句。" + LONG, 6),
    "garbled": Reply.garbled("先说一句。" + LONG, 6),
    "refuse": Reply.refuses(),
    "empty": Reply(""),
    "english": Reply("Sure! Here is what I think about your dog and its food."),
    "endless": Reply.endless(),
}
_ORDER = re.compile(r"!(tool|fail|say)\s+(\S+)\s*([^\n」]*)")


def played(pace: float = PACE_S, *, stamped: bool = False) -> FakeModel:
    """A model server that plays along."""
    return FakeModel().always(lambda asked: _reply(asked, pace, stamped)).always(Reply('{"claims": []}'), lane="chore")


def _reply(asked: Asked, pace: float, stamped: bool) -> Reply:
    if asked.messages and asked.messages[-1]["role"] == "tool":
        return Reply(f"工具的结果我看到了：{asked.last[:80]}。", pace=pace)
    order = _ORDER.search(asked.last)
    if order is None and stamped:
        return Reply("这是模型的第一句话", pace=pace, stamped=True)
    if order is None:
        return Reply("我是一个假的模型，只会说这一句。你的话我收到了。", pace=pace)
    what, word, rest = order.groups()
    if what == "tool":
        return Reply.calls(ToolCall(word, rest or "{}"))
    if what == "say":
        return Reply(word + rest, pace=pace)
    return FAILURES.get(word, Reply("没有这种故障。", pace=pace))
