"""The arguments of every tool, as the model must write them. The JSON Schemas it is shown are made from these."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from domain.assistant import ToolSpec
from memory.topics import Topic

MAX_WORDS = 100  # characters of a name or a query

Kind = Literal[
    "allergies", "conditions", "medications", "vaccinations", "dewormings", "weights", "visits", "observations", "diets"
]


def _as_text(value: Any) -> Any:
    """Some models write 4.2 where "4.2" is asked for."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Words = Annotated[str, BeforeValidator(_as_text), Field(min_length=1, max_length=MAX_WORDS)]
Pet = Annotated[Words, Field(description="宠物的名字")]
Quote = Annotated[Words, Field(max_length=200, description="主人这次说的话里的原文，一个分句，一字不改，不要带问句")]


class Arguments(BaseModel):
    """Root of all arguments: nothing else is taken."""

    model_config = {"extra": "forbid"}


class Remember(Arguments):
    about: Annotated[Words, Field(description="宠物的名字；关于主人自己就写“主人”")]
    quote: Quote
    topic: Topic = Field(
        description="diet 饮食, health 健康, growth 生长, elimination 排泄, behavior 行为, lifestyle 日常, owner 主人"
    )
    place: Literal["card", "store"] = Field("store", description="card：每次都要想起的；store：需要时再查的")


class SearchMemories(Arguments):
    query: Annotated[Words, Field(description="要找什么，用一句中文问出来")]
    pet: Annotated[str | None, Field(max_length=MAX_WORDS, description="宠物的名字，不限就不写")] = None


class SearchConversations(Arguments):
    query: Annotated[Words, Field(description="几个关键词，空格分开")]


class ReadRecords(Arguments):
    pet: Pet
    kind: Kind = Field(description="哪一类健康档案")
    limit: int = Field(10, ge=1, le=20)


class LogMeasurement(Arguments):
    pet: Pet
    value: float = Field(gt=0, description="主人说的数字")
    quote: Quote


class LogSymptom(Arguments):
    pet: Pet
    symptom: Annotated[Words, Field(description="症状，用原文里的词，如“吐”“咳嗽”")]
    gone: bool = Field(False, description="原文说没有或已经好了，就写 true")
    quote: Quote


class LogMedication(Arguments):
    pet: Pet
    product: Annotated[Words, Field(description="药名，用原文里的词")]
    dose: Annotated[str | None, Field(max_length=MAX_WORDS, description="剂量，用原文里的词")] = None
    frequency: Annotated[str | None, Field(max_length=MAX_WORDS, description="频率，用原文里的词")] = None
    stopped: bool = Field(False, description="原文说停药了，就写 true")
    quote: Quote


class LogVaccination(Arguments):
    pet: Pet
    product: Annotated[Words, Field(description="疫苗或驱虫药，用原文里的词")]
    kind: Literal["vaccine", "deworming"] = "vaccine"
    quote: Quote


class ProposeCorrection(Arguments):
    pet: Pet
    about: Literal["allergy", "condition", "medication"] = Field(description="改哪一类")
    name: Annotated[Words, Field(description="过敏原、疾病或药名，用原文里的词")]
    holds: bool = Field(description="主人说现在有，写 true；说没有、不是、已经好了，写 false")
    quote: Quote


class CreateSchedule(Arguments):
    title: Annotated[Words, Field(description="要做的事，用原文里的词")]
    pet: Annotated[str | None, Field(max_length=MAX_WORDS, description="宠物的名字，不是某只宠物的事就不写")] = None
    quote: Annotated[Words, Field(max_length=200, description="主人说时间的那句原文，一字不改")]


class ListSchedules(Arguments):
    days: int = Field(30, ge=1, le=365, description="从今天起多少天")


class CancelSchedule(Arguments):
    title: Annotated[Words, Field(description="要取消的是哪件事")]
    quote: Annotated[Words, Field(max_length=200, description="主人要求取消的原文，一字不改")]


TOOLS: dict[str, tuple[type[Arguments], str]] = {
    "remember": (Remember, "记住主人这次说的一件小事（习惯、喜好、约定）。医疗信息不用它。"),
    "search_memories": (SearchMemories, "在这家的记忆里查找。"),
    "search_conversations": (SearchConversations, "在以前的聊天原文里查找。"),
    "read_records": (ReadRecords, "读一只宠物的一类健康档案。"),
    "log_measurement": (LogMeasurement, "记体重。单位按原文。"),
    "log_symptom": (LogSymptom, "记一个症状，或症状已经消失。"),
    "log_medication": (LogMedication, "记正在用的药，或停药。改动已有的用药要主人确认。"),
    "log_vaccination": (LogVaccination, "记一次疫苗或驱虫。日期按原文。"),
    "propose_correction": (ProposeCorrection, "主人说医疗记录不对时，提出更正；要由主人确认后才会改。"),
    "create_schedule": (CreateSchedule, "按主人说的时间安排一件事并到时提醒。"),
    "list_schedules": (ListSchedules, "看看已经安排了什么。"),
    "cancel_schedule": (CancelSchedule, "取消一个安排。"),
}


def specs() -> tuple[ToolSpec, ...]:
    """All tools in a fixed order, so that the prompt's beginning never changes."""
    return _SPECS


def _spec(name: str, arguments: type[Arguments], description: str) -> ToolSpec:
    return ToolSpec(name, description, _small(arguments.model_json_schema()))


def _small(schema: Any) -> Any:
    """The schema without what only costs tokens: titles, our docstrings, and references put in their place."""
    definitions = schema.get("$defs", {})
    return _inlined({key: value for key, value in schema.items() if key not in ("$defs", "description")}, definitions)


def _inlined(value: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_inlined(one, definitions) for one in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        meant = {key: one for key, one in definitions[value["$ref"].rsplit("/", 1)[1]].items() if key != "description"}
        value = {**meant, **{key: one for key, one in value.items() if key != "$ref"}}
    return {key: _inlined(one, definitions) for key, one in value.items() if key != "title" or not isinstance(one, str)}


_SPECS = tuple(_spec(name, arguments, description) for name, (arguments, description) in TOOLS.items())
