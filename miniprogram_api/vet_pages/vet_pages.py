"""The routes of a vet's browser. Nothing here needs an account; a link that does not open is always the same page."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from pydantic import ValidationError

from domain.errors import DomainFault
from domain.fhir import MEDIA_TYPE, document_of
from domain.share_tries import TooManyTries, WrongPasscode, try_note_code
from domain.shares import OpenedAs, UnknownShare, note_opening
from domain.vet_notes import Times, VetNote, leave_note, same_note
from domain.vet_record import VetRecord, assemble, kinds_of
from domain.vet_record_rows import Wanted, read_rows
from miniprogram_api.clock import Now, RealNow
from miniprogram_api.errors import PROBLEM_RESPONSES
from miniprogram_api.faults import TooManyRequests
from miniprogram_api.parts import parts_of
from miniprogram_api.shares import VetNoteOut
from miniprogram_api.vet_pages import guard, page, record_json
from miniprogram_api.vet_pages.note_form import NewVetNote, form_of, note_of_form
from miniprogram_api.vet_pages.record_json import VetRecordOut
from miniprogram_api.vet_pages.words import Words

STYLE = Path(__file__).parent / "page.css"
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cache-Control": "private, no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}
FHIR_EXAMPLE = {"resourceType": "Bundle", "type": "document", "timestamp": "2026-03-01T07:30:00Z", "entry": []}

router = APIRouter(prefix="/vet", tags=["给医生看"])

Answer = Callable[[], Awaitable[Response]]


@router.get("/page.css", include_in_schema=False)
async def show_style() -> FileResponse:
    """The one style sheet."""
    return FileResponse(STYLE, media_type="text/css; charset=utf-8", headers={"Cache-Control": "public, max-age=3600"})


@router.api_route("/{token}", methods=["GET", "HEAD"], include_in_schema=False)
async def show_record(token: str, request: Request, now: Now, real_now: RealNow) -> Response:
    """The record, the passcode's form, or the page that says that the link does not open."""

    async def show() -> Response:
        opened = await guard.find_share(request, token, real_now)
        if not opened.passed:
            return _passcode_page(request)
        asked = page.asked_of(request.query_params)
        record = await _read(request, opened, page.wanted_of(asked, now), now, summary=asked.list_of is None)
        await _keep_opening(request, opened, "page", real_now)
        needs_code = opened.share.passcode_hash is None
        path, producer = request.url.path, parts_of(request).options.ai_producer
        return _html(page.render_record(record, asked, opened.scope, path, producer, needs_code=needs_code))

    if guard.is_link_preview(request):
        words = Words("zh")
        return _html(page.render_message("zh", words("title"), words("for_people")))
    return await _or_message(request, show)


@router.get("/{token}/record.json", summary="分享的健康档案（JSON）", responses=PROBLEM_RESPONSES)
async def read_json(token: str, request: Request, answer: Response, now: Now, real_now: RealNow) -> VetRecordOut:
    """The same record for programs. Where the share has a passcode it is sent as `X-Vet-Passcode`."""
    record = await read_whole(request, token, "json", now, real_now)
    answer.headers.update(HEADERS)
    return record_json.shape(record, parts_of(request).options.ai_producer)


@router.get(
    "/{token}/fhir",
    summary="分享的健康档案（HL7 FHIR R4 文档）",
    response_class=Response,
    responses={200: {"content": {MEDIA_TYPE: {"example": FHIR_EXAMPLE}}}, **PROBLEM_RESPONSES},
)
async def read_fhir(token: str, request: Request, now: Now, real_now: RealNow) -> Response:
    """A document Bundle; it claims no IPS conformance. The passcode, where there is one, is `X-Vet-Passcode`."""
    record = await read_whole(request, token, "fhir", now, real_now)
    return Response(document_of(record, parts_of(request).options.ai_producer), media_type=MEDIA_TYPE, headers=HEADERS)


@router.post("/{token}", include_in_schema=False)
async def enter(token: str, request: Request, real_now: RealNow) -> Response:
    """A passcode typed into the page."""

    async def check() -> Response:
        given = (await form_of(request)).get("passcode", "")
        try:
            opened = await guard.check_passcode(request, token, given[:64], real_now)
        except WrongPasscode as wrong:
            return _passcode_page(request, wrong.detail, 403)
        answer = RedirectResponse(_back(request), 303, headers=HEADERS)
        guard.let_in(request, answer, opened, real_now)
        return answer

    return await _or_message(request, check)


@router.post("/{token}/note-form", include_in_schema=False)
async def send_note(token: str, request: Request, now: Now, real_now: RealNow) -> Response:
    """The page's own form."""

    async def write() -> Response:
        opened = await guard.find_share(request, token, real_now)
        note, times = note_of_form(await form_of(request)), Times(now, real_now)
        await parts_of(request).codes_in_use.once(  # a button pressed twice, though its one-time code is used up by now
            f"note {opened.share.id}",
            note.model_dump_json(),
            lambda: _write_note(request, opened, note, times, once=True),
        )
        return RedirectResponse(_back(request, "note=sent") + "#note", 303, headers=HEADERS)

    return await _or_message(request, write)


@router.post("/{token}/notes", status_code=201, summary="医生留一条就诊记录", responses=PROBLEM_RESPONSES)
async def write_note(token: str, note: NewVetNote, request: Request, now: Now, real_now: RealNow) -> VetNoteOut:
    """`source: vet, verified: false` (身份未核实) until the owner confirms who wrote it."""
    opened = await guard.find_share(request, token, real_now)
    written = await _write_note(request, opened, note, Times(now, real_now))
    return VetNoteOut.model_validate(written, from_attributes=True)


async def _write_note(
    request: Request, opened: guard.Opened, note: NewVetNote, times: Times, *, once: bool = False
) -> VetNote:
    """Check the code and keep the note. once: the very same note of a moment ago is answered instead of kept again."""
    parts, share, told = parts_of(request), opened.share, note.told()
    if share.passcode_hash is None or not opened.passed or note.code:
        await try_note_code(parts.transactions, share, note.code, times.real_now)
    async with parts.transactions.write() as session:
        known = await same_note(session, share, told, times.real_now) if once else None
        return known or await leave_note(session, opened.scope, share, told, times, parts.keys.tombstones)


async def read_whole(request: Request, token: str, opened_as: OpenedAs, now: Any, real_now: Any) -> VetRecord:
    """The record as programs get it: all that is in force and a long history. Raises as `guard.open_share` does."""
    if guard.is_link_preview(request):
        raise UnknownShare()
    opened = await guard.open_share(request, token, real_now)
    wanted = {kind: Wanted(MOST_ROWS) for kind in kinds_of(opened.share.sections)}
    record = await _read(request, opened, wanted, now)
    await _keep_opening(request, opened, opened_as, real_now)
    return record


MOST_ROWS = 500  # of a kind, newest first; ten years of weekly weighings


async def _read(
    request: Request, opened: guard.Opened, wanted: dict[str, Wanted], now: Any, *, summary: bool = True
) -> VetRecord:
    share, scope = opened.share, opened.scope
    kinds, quotes = frozenset(kinds_of(share.sections)), share.quotes
    async with parts_of(request).transactions.quick_scan() as quick:
        rows = await read_rows(quick, scope, share.pet_id, kinds, wanted, now, quotes=quotes, summary=summary)
    return assemble(rows, share.sections, scope, now, quotes=quotes)


async def _keep_opening(request: Request, opened: guard.Opened, opened_as: OpenedAs, real_now: Any) -> None:
    client = guard.client_of(request)
    async with parts_of(request).transactions.quick_write() as quick:
        await note_opening(quick, opened.share, client, opened_as, opened.share.sections, real_now)


async def _or_message(request: Request, answer: Answer) -> Response:
    """The answer, or what went wrong as a page: wrong, expired, revoked and unknown links are one and the same."""
    language = page.asked_of(request.query_params).language
    words = Words(language)
    try:
        return await answer()
    except UnknownShare:
        return _html(page.render_message(language, words("missing_title"), words("missing")), 404)
    except (TooManyRequests, TooManyTries) as error:
        answered = _html(page.render_message(language, words("too_many_title"), error.detail), 429)
        answered.headers["Retry-After"] = str(error.extra.get("retry_after", 60))
        return answered
    except ValidationError as error:
        told = "；".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors()[:3])
        return _html(page.render_message(language, words("note_title"), told), 422)
    except (DomainFault, HTTPException) as error:
        status = 403 if isinstance(error, WrongPasscode) else 409
        return _html(page.render_message(language, words("note_title"), error.detail), status)


def _passcode_page(request: Request, problem: str | None = None, status: int = 200) -> HTMLResponse:
    language = page.asked_of(request.query_params).language
    words = Words(language)
    title, text = words("passcode_title"), words("passcode_hint")
    return _html(page.render_message(language, title, text, "passcode.html", problem=problem), status)


def _back(request: Request, *parts: str) -> str:
    """The record's own address, in the language that was chosen."""
    path = request.url.path.removesuffix("/note-form")
    query = "&".join([*parts, *(["lang=en"] if request.query_params.get("lang") == "en" else [])])
    return f"{path}?{query}" if query else path


def _html(text: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(text, status, headers=HEADERS)
