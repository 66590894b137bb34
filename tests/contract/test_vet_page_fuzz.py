"""Whatever a browser, or what looks like one, sends to a vet's page is answered with a page, never with an error."""

from collections.abc import Iterator

import pytest
import requests
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from domain.vet_note_fields import VetNoteFields
from tests.contract.service import FuzzedHome, running_service

CODE = "2580"  # the passcode of the share that `open_house` makes
NOTE_FIELDS = (*VetNoteFields.model_fields, "code", "x")
QUERY = ("lang", "list", "more", "from", "to", "kind", "note", "page")
PEOPLE = st.text(max_size=60)
NEARLY = st.sampled_from(
    ("豆豆", "2026-03-01", "0001-01-01", "-1", "头孢、鸡肉", "en", "allergies", "<b>", "\x00", "𠮷" * 300)
)
ONE_RUN = hypothesis_settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedHome]:
    """A household with an open share, and one with a passcode."""
    with running_service(tmp_path_factory.mktemp("vet-fuzz")) as service, requests.Session() as session:
        yield FuzzedHome(service, session)


@ONE_RUN
@given(
    query=st.dictionaries(st.sampled_from(QUERY), PEOPLE | NEARLY),
    token=st.text(min_size=1, max_size=80),
    own=st.booleans(),
)
def test_a_record_is_shown_whatever_the_query(home: FuzzedHome, query: dict[str, str], token: str, own: bool) -> None:
    answer = home.session.get(home.vet_page(None if own else token), params=query, timeout=60)
    assert answer.status_code in ((200, 422) if own else (200, 404, 405, 422)), answer.text
    assert answer.headers["Content-Type"].startswith(("text/html", "text/css", "application/problem+json"))


@ONE_RUN
@given(
    form=st.dictionaries(st.sampled_from(NOTE_FIELDS), PEOPLE | NEARLY),
    right=st.booleans(),
    path=st.sampled_from(("", "/note-form")),
)
def test_a_form_is_answered_with_a_page(home: FuzzedHome, form: dict[str, str], right: bool, path: str) -> None:
    sent = {**form, "author": "王医生", "reason": "复诊", "code": CODE, "passcode": CODE} if right else form
    answer = home.session.post(home.vet_page(None) + path, data=sent, timeout=60, allow_redirects=False)
    assert answer.status_code in (303, 403, 409, 422, 429), answer.text
    assert answer.status_code == 303 or answer.headers["Content-Type"].startswith("text/html")


@ONE_RUN
@given(body=st.binary(max_size=300), path=st.sampled_from(("", "/note-form", "/notes", "/record.json")))
def test_bytes_that_are_no_form_are_refused(home: FuzzedHome, body: bytes, path: str) -> None:
    kinds = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = home.session.post(home.vet_page(None) + path, data=body, headers=kinds, timeout=60, allow_redirects=False)
    assert 300 < answer.status_code < 500, answer.text
