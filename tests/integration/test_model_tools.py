"""Tools of a model: they do what the owner's words could do and no more, and the answer goes on to its end."""

from typing import Any

import pytest

from app.settings import Settings
from tests.conftest import SignIn, on_sqlite, with_model
from tests.factories import Json, Owner
from tests.fakes.model_server import Asked, FakeModel, Reply, ToolCall
from tests.fakes.phone import hear, say

END = "资料我都看过了。"

pytestmark = on_sqlite


@pytest.fixture
def settings(settings: Settings, model: FakeModel) -> Settings:
    return with_model(settings, model)


@pytest.fixture
async def owner(sign_in: SignIn) -> Owner:
    owner = await sign_in("lin")
    await owner.agree("model_provider")
    dog, _ = await owner.pet("豆豆"), await owner.pet("咪咪", "cat")
    await owner.record(dog, "allergies", substance="鸡肉", category="food")
    return owner


async def calling(model: FakeModel, owner: Owner, text: str, *calls: ToolCall) -> tuple[Json, list[str]]:
    """The answer of a turn in which the model makes these calls and then ends, and what the tools answered."""
    model.will(Reply.calls(*calls), Reply(END))
    answer = await say(owner, text, f"m-{len(model.asked)}")
    return answer, model.of("chat")[-1].tool_results


async def pet_of(owner: Owner, name: str = "豆豆") -> Json:
    return next(pet for pet in (await owner.get("/pets"))["items"] if pet["name"] == name)


async def rows(owner: Owner, kind: str, name: str = "豆豆") -> list[Json]:
    pet = await pet_of(owner, name)
    found: list[Json] = (await owner.get(f"/pets/{pet['id']}/{kind}"))["items"]
    return found


async def test_the_tools_are_offered_in_a_fixed_order(model: FakeModel, owner: Owner) -> None:
    await say(owner, "豆豆怎么样")
    assert model.of("chat")[0].tools == [
        "remember",
        "search_memories",
        "search_conversations",
        "read_records",
        "log_measurement",
        "log_symptom",
        "log_medication",
        "log_vaccination",
        "propose_correction",
        "create_schedule",
        "list_schedules",
        "cancel_schedule",
    ]
    assert "$ref" not in model.of("chat")[0].words


@pytest.mark.parametrize(("consents", "temporary"), [(["model_provider"], False), (["model_provider"], True)])
async def test_without_long_term_memory_there_are_no_tools(
    sign_in: SignIn, model: FakeModel, consents: list[str], temporary: bool
) -> None:
    owner = await sign_in("lin", consent=temporary)
    for purpose in consents:
        await owner.agree(purpose)
    model.will(Reply.calls(ToolCall.of("list_schedules")), Reply(END))
    answer = await say(owner, "你好呀，最近忙不忙", temporary=temporary)
    assert model.of("chat")[0].tools == []
    assert answer["status"] == "done"
    assert END in answer["text"]


# What rules do not read, so that it is the tool that keeps it.
ODD = "豆豆近来偏爱蹲守鞋柜"


async def test_a_note_in_the_owners_words_is_kept(model: FakeModel, owner: Owner) -> None:
    call = ToolCall.of("remember", about="豆豆", quote=ODD, topic="behavior")
    answer, (result,) = await calling(model, owner, f"{ODD}。", call)
    assert END in answer["text"]
    assert any("鞋柜" in one["content"] for one in answer["memories"])
    assert "已记下" in result or "已经记过" in result
    assert answer["text"].count("鞋柜") == 1  # one receipt, whoever kept it


async def test_a_note_may_go_onto_the_card(model: FakeModel, owner: Owner) -> None:
    call = ToolCall.of("remember", about="豆豆", quote=ODD, topic="behavior", place="card")
    await calling(model, owner, f"{ODD}。", call)
    pet = await pet_of(owner)
    card = await owner.get(f"/pets/{pet['id']}/card")
    found = (await owner.get("/memories", q="鞋柜"))["items"]
    assert len(found) == 1
    assert any("鞋柜" in one["content"] for one in card["items"])


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("今天天气不错", ToolCall.of("remember", about="豆豆", quote="豆豆喜欢游泳", topic="behavior")),
        ("豆豆是不是怕水呀", ToolCall.of("remember", about="豆豆", quote="豆豆是不是怕水呀", topic="behavior")),
        ("如果豆豆怕水怎么办", ToolCall.of("remember", about="豆豆", quote="豆豆怕水", topic="behavior")),
        ("邻居家的狗怕水", ToolCall.of("remember", about="豆豆", quote="邻居家的狗怕水", topic="behavior")),
        ("豆豆对鸡肉不过敏了", ToolCall.of("remember", about="豆豆", quote="豆豆对鸡肉不过敏了", topic="medical")),
        ("咪咪今天吐了", ToolCall.of("log_symptom", pet="豆豆", symptom="吐", quote="咪咪今天吐了")),
        ("豆豆今天没吐", ToolCall.of("log_symptom", pet="豆豆", symptom="吐", quote="豆豆今天没吐")),
        ("豆豆今天吐了", ToolCall.of("log_symptom", pet="豆豆", symptom="便血", quote="豆豆今天吐了")),
        ("豆豆12.3公斤", ToolCall.of("log_measurement", pet="豆豆", value=13.2, quote="豆豆12.3公斤")),
        ("豆豆要吃几片驱虫药", ToolCall.of("log_medication", pet="豆豆", product="阿莫西林", quote="吃阿莫西林")),
        ("豆豆能打狂犬疫苗吗", ToolCall.of("log_vaccination", pet="豆豆", product="狂犬疫苗", quote="打狂犬疫苗")),
        ("豆豆还对鸡肉过敏吗", ToolCall.of("propose_correction", pet="豆豆", about="allergy", name="鸡肉", holds=False,
                                 quote="豆豆还对鸡肉过敏吗")),
    ],
)  # fmt: skip
async def test_what_the_owner_did_not_say_is_not_kept(
    model: FakeModel, owner: Owner, text: str, call: ToolCall
) -> None:
    kinds = ("allergies", "medications", "vaccinations", "weights", "observations")
    before = {(name, kind): len(await rows(owner, kind, name)) for name in ("豆豆", "咪咪") for kind in kinds}
    plain = await say(owner, text, "without", temporary=False)  # what the rules make of it
    after = {(name, kind): len(await rows(owner, kind, name)) for name in ("豆豆", "咪咪") for kind in kinds}
    answer, (result,) = await calling(model, owner, text, call)
    assert answer["status"] == "done"
    assert END in answer["text"]
    assert result.startswith(("没有记", "这是医疗信息"))
    assert len(answer["memories"]) == len(plain["memories"])
    assert {key: len(await rows(owner, key[1], key[0])) for key in before} in (before, after)


async def test_a_medical_fact_is_not_overwritten_but_asked_about(model: FakeModel, owner: Owner) -> None:
    said = "豆豆对鸡肉不过敏，是我记错了"
    call = ToolCall.of(
        "propose_correction", pet="豆豆", about="allergy", name="鸡肉", holds=False, quote="豆豆对鸡肉不过敏"
    )
    answer, _ = await calling(model, owner, said, call)
    (allergy,) = await rows(owner, "allergies")
    assert allergy["status"] == "active"
    assert len(answer["confirmations"]) == 1
    assert len((await owner.get("/confirmations", status="pending"))["items"]) == 1


async def test_a_weight_a_shot_and_a_drug_are_kept_as_the_owner_said_them(model: FakeModel, owner: Owner) -> None:
    owner.at("2026-05-20T19:00:00+08:00")
    said = "豆豆12.3公斤，昨天打了狂犬疫苗，在吃阿莫西林，一天两次"
    answer, results = await calling(
        model,
        owner,
        said,
        ToolCall.of("log_measurement", pet="豆豆", value=12.3, quote="豆豆12.3公斤"),
        ToolCall.of("log_vaccination", pet="豆豆", product="狂犬疫苗", quote="昨天打了狂犬疫苗"),
        ToolCall.of("log_medication", pet="豆豆", product="阿莫西林", quote="在吃阿莫西林"),
    )
    assert len(results) == 3
    assert [(one["value"], one["unit"]) for one in await rows(owner, "weights")] == [(12.3, "kg")]
    assert [one["given_on"] for one in await rows(owner, "vaccinations")] == ["2026-05-19"]
    assert [one["product"] for one in await rows(owner, "medications")] == ["阿莫西林"]
    assert len({one["memory_id"] for one in answer["memories"]}) == len(answer["memories"])


async def test_records_are_read_and_may_be_cited(model: FakeModel, owner: Owner) -> None:
    dog = await pet_of(owner)
    await owner.record(dog, "vaccinations", product="狂犬疫苗", given_on="2026-03-01")

    def cites(asked: Asked) -> Reply:
        short = asked.tool_results[0].split("[")[1].split("]")[0]
        return Reply(f"豆豆3月1日打过狂犬疫苗[{short}]。")

    model.will(Reply.calls(ToolCall.of("read_records", pet="豆豆", kind="vaccinations")), cites)
    answer = await say(owner, "豆豆打过什么针")
    assert "狂犬" in model.of("chat")[-1].tool_results[0]
    assert answer["text"].startswith("豆豆3月1日打过狂犬疫苗。")
    assert len(answer["citations"]) == 1


async def test_memories_and_talks_are_searched(model: FakeModel, owner: Owner) -> None:
    model.always(Reply(END))
    await say(owner, "豆豆特别怕打雷", "before")
    _, results = await calling(
        model,
        owner,
        "它害怕的是啥来着",
        ToolCall.of("search_memories", query="豆豆怕什么", pet="豆豆"),
        ToolCall.of("search_conversations", query="打雷"),
        ToolCall.of("search_conversations", query="外星人"),
    )
    assert "怕打雷" in results[0]
    assert "主人说：“豆豆特别怕打雷”" in results[1]
    assert results[2] == "没有记录。"


async def test_plans_are_made_listed_and_cancelled(model: FakeModel, owner: Owner) -> None:
    owner.at("2026-05-20T19:00:00+08:00")
    made = ToolCall.of("create_schedule", title="打疫苗", pet="豆豆", quote="下周三下午三点")
    answer, _ = await calling(model, owner, "下周三下午三点带豆豆打疫苗", made, ToolCall.of("list_schedules"))
    plans = (await owner.get("/schedules"))["items"]
    assert [one["starts_at"][:16] for one in plans] == ["2026-05-27T07:00"]
    assert len(answer["schedules"]) == 1
    gone = ToolCall.of("cancel_schedule", title="打疫苗", quote="取消")
    await calling(model, owner, "那个打疫苗的事取消吧", gone)
    assert [one for one in (await owner.get("/schedules"))["items"] if one.get("status", "active") == "active"] == []


@pytest.mark.parametrize(
    ("text", "call", "told"),
    [
        ("豆豆好着呢", ToolCall.of("create_schedule", title="打疫苗", quote="明天下午三点"), "一字不差"),
        ("要不要明天三点去打疫苗呢", ToolCall.of("create_schedule", title="打疫苗", quote="要不要明天三点去打疫苗呢"),
         "还没决定"),
        ("豆豆好着呢", ToolCall.of("cancel_schedule", title="打疫苗", quote="豆豆好着呢"), "没有要求取消"),
        ("把豆豆的鸡肉过敏删掉", ToolCall.of("cancel_schedule", title="打疫苗", quote="把豆豆的鸡肉过敏删掉"),
         "没有要求取消"),
    ],
)  # fmt: skip
async def test_plans_that_the_owner_did_not_make_are_not_made(
    model: FakeModel, owner: Owner, text: str, call: ToolCall, told: str
) -> None:
    answer, (result,) = await calling(model, owner, text, call)
    assert told in result
    assert answer["schedules"] == []
    assert (await owner.get("/schedules"))["items"] == []


MISTAKES: list[tuple[str, str, str]] = [
    ("delete_everything", "{}", "没有这个工具"),
    ("read_records", "not json", "不是 JSON"),
    ("read_records", '["豆豆"]', "参数不对"),
    ("read_records", '{"pet": "豆豆"}', "kind"),
    ("read_records", '{"pet": "豆豆", "kind": "secrets"}', "kind"),
    ("read_records", '{"pet": "旺财", "kind": "weights"}', "家里有：豆豆、咪咪"),
    ("log_measurement", '{"pet": "豆豆", "value": "很重", "quote": "豆豆"}', "value"),
    ("remember", '{"about": "豆豆", "quote": "x", "topic": "behavior", "household": "other"}', "household"),
    ("search_memories", '{"query": "鸡肉", "pet": "旺财"}', "没有这只宠物"),
]


@pytest.mark.parametrize(("name", "arguments", "told"), MISTAKES)
async def test_a_mistake_is_answered_to_the_model_and_the_answer_goes_on(
    model: FakeModel, owner: Owner, name: str, arguments: str, told: str
) -> None:
    answer, (result,) = await calling(model, owner, "豆豆怎么样", ToolCall(name, arguments))
    assert told in result
    assert answer["text"].endswith(END)


async def test_another_households_pets_do_not_exist_for_a_tool(sign_in: SignIn, model: FakeModel, owner: Owner) -> None:
    other = await sign_in("wang")
    secret = await other.pet("旺财")
    await other.record(secret, "allergies", substance="牛肉", category="food")
    _, results = await calling(
        model,
        owner,
        "旺财对什么过敏",
        ToolCall.of("read_records", pet="旺财", kind="allergies"),
        ToolCall.of("read_records", pet=secret["id"], kind="allergies"),
        ToolCall.of("search_memories", query="旺财对什么过敏"),
        ToolCall.of("search_conversations", query="旺财"),
    )
    assert not any("牛肉" in result for result in results)


async def test_calls_are_chained_and_words_between_them_are_told(model: FakeModel, owner: Owner) -> None:
    read = ToolCall.of("read_records", pet="豆豆", kind="allergies")
    listed = ToolCall.of("list_schedules", days=7)
    model.will(Reply.calls(read, text="我查一下。"), Reply.calls(listed), Reply(END))
    answer = await say(owner, "豆豆怎么样")
    assert answer["text"] == f"我查一下。{END}"
    assert [len(one.tool_results) for one in model.asked] == [0, 1, 2]


async def test_calls_in_circles_come_to_an_end(model: FakeModel, owner: Owner) -> None:
    rounds: list[Any] = [Reply.calls(ToolCall.of("list_schedules", days=number + 1)) for number in range(10)]
    model.will(*rounds[:6]).always(lambda asked: Reply(END) if not asked.tools else rounds[6])
    answer = await say(owner, "豆豆怎么样")
    assert answer["text"] == END
    assert len(model.asked) == 7


async def test_the_same_call_is_not_run_twice(model: FakeModel, owner: Owner) -> None:
    again = Reply.calls(ToolCall.of("read_records", pet="豆豆", kind="allergies"))
    model.always(lambda asked: Reply(END) if "已经用同样的参数" in asked.last else again)
    answer = await say(owner, "豆豆怎么样")
    assert answer["text"] == END
    assert len(model.asked) == 3


async def test_a_model_that_only_calls_and_never_speaks_is_replaced(model: FakeModel, owner: Owner) -> None:
    model.always(Reply.calls(ToolCall.of("list_schedules")))
    answer = await say(owner, "豆豆能吃鸡肉吗")
    assert answer["mode"] == "basic"
    assert "过敏" in answer["text"]


async def test_the_phone_hears_of_what_a_tool_kept(model: FakeModel, owner: Owner) -> None:
    model.will(Reply.calls(ToolCall.of("remember", about="豆豆", quote=ODD, topic="behavior")), Reply(END))
    heard = await hear(owner, f"{ODD}。")
    assert [event.name for event in heard].count("memory") == 1
    assert heard[-1].data["memories"] == [event.data for event in heard if event.name == "memory"]
