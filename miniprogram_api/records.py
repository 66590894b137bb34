"""The nine kinds of clinical record: the same five calls for each, with a form and an answer of its own."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, create_model

from domain.duplicate_records import same_record
from domain.health_records import create_record, record_of, records_of, status_told_by, update_record
from domain.owner_deletes import delete_record_by_owner
from domain.pets import pet_of
from domain.record_columns import RecordColumns, RecordFields
from domain.record_dates import require_possible_dates
from domain.record_kinds import KINDS, RecordKind
from memory.evidence import evidence_of
from memory.items import EvidenceRow
from memory.personal_numbers import mask_value
from memory.vocabulary import Source
from miniprogram_api.deps import Acting, Call, Looking
from miniprogram_api.evidence import EvidenceOut, evidence_out
from miniprogram_api.examples import AT, EVIDENCE, RECORD_ID, RECORD_INPUTS
from miniprogram_api.idempotent import OnlyOnce
from miniprogram_api.pagination import Page, Paging, page_of
from miniprogram_api.partial_input import all_optional, given_fields

CREATED, CHANGED, DELETED = "form_created", "form_changed", "form_deleted"
_CODES = ("lot_number",)  # numbers of things, printed on their packs
RecordStatus = Literal["active", "provisional", "ended", "refuted", "superseded"]


class RecordHead(BaseModel):
    """What all kinds answer beside their own fields."""

    id: str
    version: int
    status: RecordStatus
    source: Source
    verified: bool
    recorded_at: datetime
    evidence: list[EvidenceOut]


def records_router() -> APIRouter:
    """All forty-five calls."""
    router = APIRouter(prefix="/pets/{pet_id}", tags=["健康档案"])
    for kind in KINDS.values():
        _add_calls(router, kind)
    return router


def _add_calls(router: APIRouter, kind: RecordKind) -> None:
    form, change, answer = _form(kind), _change(kind), _answer(kind)

    async def shape(call: Call, rows: Sequence[RecordColumns]) -> list[Any]:
        evidence = await evidence_of(call.session, call.scope, kind.name, [row.id for row in rows])
        return [_shaped(answer, kind, row, evidence.get(row.id, [])) for row in rows]

    async def list_records(pet_id: str, call: Looking, paging: Paging) -> Any:
        await pet_of(call.session, call.scope, pet_id)
        rows = await records_of(call.session, call.scope, pet_id, kind, limit=paging.one_more, before=paging.after)
        shaped = await shape(call, rows)
        return page_of(shaped, paging, lambda one: one)

    async def create(pet_id: str, fields: RecordFields, call: Acting, once: OnlyOnce) -> Any:
        async def make() -> Any:
            require_possible_dates(fields, call.scope, call.now)
            pet = await pet_of(call.session, call.scope, pet_id)
            status = status_told_by(fields, call.scope.local(call.now).date()) if kind.safety else "active"
            card, told = call.parts.options.pet_card, _masked(fields)
            if (known := await same_record(call.session, pet, kind, told)) is not None:
                return (await shape(call, [known]))[0]
            row, _ = await create_record(call.session, call.change(CREATED), pet, kind, told, status=status, card=card)
            return _shaped(answer, kind, row, [])

        return await once(make)

    async def read(pet_id: str, record_id: str, call: Looking) -> Any:
        return (await shape(call, [await record_of(call.session, call.scope, pet_id, kind, record_id)]))[0]

    async def update(pet_id: str, record_id: str, given: BaseModel, call: Acting) -> Any:
        pet = await pet_of(call.session, call.scope, pet_id)
        values, version = given_fields(given)
        values = {name: mask_value(value) if name not in _CODES else value for name, value in values.items()}
        row = await update_record(call.session, call.change(CHANGED), pet, kind, record_id, values, version)
        require_possible_dates(row, call.scope, call.now)
        return (await shape(call, [row]))[0]

    async def delete(pet_id: str, record_id: str, call: Acting) -> None:
        pet = await pet_of(call.session, call.scope, pet_id)
        secret = call.parts.keys.tombstones
        await delete_record_by_owner(call.session, call.change(DELETED), pet, kind, record_id, secret)

    create.__annotations__["fields"] = form
    update.__annotations__["given"] = change
    one, word = f"/{kind.name}/{{record_id}}", kind.label
    for path, method, endpoint, title, returns, status in (
        (f"/{kind.name}", "GET", list_records, f"{word}档案", Page[answer], 200),  # type: ignore[valid-type]  # made at import
        (f"/{kind.name}", "POST", create, f"添加{word}档案", answer, 201),
        (one, "GET", read, f"一条{word}档案", answer, 200),
        (one, "PUT", update, f"修改{word}档案", answer, 200),
        (one, "DELETE", delete, f"删除{word}档案（10 分钟内可以恢复）", None, 204),
    ):
        router.add_api_route(
            path,
            endpoint,
            methods=[method],
            response_model=returns,
            status_code=status,
            summary=title,
            name=f"{endpoint.__name__} {kind.name}",
        )


def _shaped(answer: type[BaseModel], kind: RecordKind, row: RecordColumns, evidence: Sequence[EvidenceRow]) -> Any:
    head = {name: getattr(row, name) for name in RecordHead.model_fields if name != "evidence"}
    return answer.model_validate({**kind.read(row).model_dump(), **head, "evidence": evidence_out(evidence)})


def _masked(fields: RecordFields) -> RecordFields:
    """What the owner typed, without phone and identity numbers and addresses: its line goes where memory lines go."""
    told = {name: value for name, value in fields if type(value) is str and name not in _CODES}
    return fields.model_copy(update=mask_value(told))


def _form(kind: RecordKind) -> type[BaseModel]:
    form = create_model(f"New{kind.table.__name__}", __base__=kind.fields)
    form.model_config["json_schema_extra"] = {"examples": [RECORD_INPUTS[kind.name]]}
    form.model_rebuild(force=True)
    return form


def _change(kind: RecordKind) -> type[BaseModel]:
    name, value = next(iter(RECORD_INPUTS[kind.name].items()))
    return all_optional(kind.fields, f"{kind.table.__name__}Change", {name: value, "version": 1})


def _answer(kind: RecordKind) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (field.annotation, ... if field.is_required() else field.default)
        for name, field in kind.fields.model_fields.items()
        if field.default_factory is None
    }
    fields |= {name: (field.annotation, ...) for name, field in kind.fields.model_fields.items() if name not in fields}
    example = {
        "id": RECORD_ID,
        "version": 1,
        "status": "active",
        "source": "chat",
        "verified": False,
        "recorded_at": AT,
        "note": None,
        **RECORD_INPUTS[kind.name],
        "evidence": [EVIDENCE],
    }
    answer = create_model(f"{kind.table.__name__}Out", __base__=RecordHead, **fields)
    answer.model_config["json_schema_extra"] = {"examples": [example]}
    answer.model_rebuild(force=True)
    return answer
