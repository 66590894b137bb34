"""A store of objects that speaks S3 over real HTTP: put, get, delete (many at once), list version 2; path-style.

Signatures are checked as Amazon describes Signature Version 4; it shares no code with the product.
"""

import hashlib
import hmac
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote
from xml.sax.saxutils import escape

from defusedxml.ElementTree import fromstring
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

BUCKET, REGION, KEY_ID, SECRET = "pawsignal", "ap-test-1", "AKFAKE", "a-secret-of-the-fake"
PAGE = 2  # keys a page: listings of more have to go on


@dataclass
class ObjectStore:
    """The objects by key, and how many requests were turned away."""

    objects: dict[str, bytes] = field(default_factory=dict)
    refused: int = 0
    failing: int = 0  # so many requests are answered 500 first


def store_app(store: ObjectStore) -> Starlette:
    """The store as an ASGI application."""

    async def answer(request: Request) -> Response:
        body = await request.body()
        if not _is_signed(request, body):
            store.refused += 1
            return _error(403, "SignatureDoesNotMatch")
        if store.failing:
            store.failing -= 1
            return _error(500, "InternalError")
        key = request.path_params.get("key", "")
        if "delete" in request.query_params:
            return _deleted(store, body)
        if not key:
            return _listed(store, dict(request.query_params))
        if request.method == "PUT":
            store.objects[key] = body
            return Response(headers={"ETag": f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'})
        if key not in store.objects:
            return _error(404, "NoSuchKey")
        etag = hashlib.md5(store.objects[key], usedforsecurity=False).hexdigest()
        stamp = "Mon, 30 Nov 2026 00:00:00 GMT"
        return Response(store.objects[key], headers={"ETag": f'"{etag}"', "Last-Modified": stamp})

    methods = ["GET", "HEAD", "PUT", "POST"]
    return Starlette(
        routes=[Route(f"/{BUCKET}", answer, methods=methods), Route(f"/{BUCKET}/{{key:path}}", answer, methods=methods)]
    )


def _listed(store: ObjectStore, query: dict[str, str]) -> Response:
    found = sorted(key for key in store.objects if key.startswith(query.get("prefix", "")))
    start = int(query.get("continuation-token", "0"))
    page = found[start : start + PAGE]
    more = start + PAGE < len(found)
    rows = "".join(
        f"<Contents><Key>{escape(key)}</Key><LastModified>2026-11-30T00:00:00.000Z</LastModified>"
        f'<ETag>"x"</ETag><Size>{len(store.objects[key])}</Size></Contents>'
        for key in page
    )
    going_on = f"<NextContinuationToken>{start + PAGE}</NextContinuationToken>" if more else ""
    told = f"<IsTruncated>{str(more).lower()}</IsTruncated><KeyCount>{len(page)}</KeyCount>{going_on}{rows}"
    return Response(f"<ListBucketResult><Name>{BUCKET}</Name>{told}</ListBucketResult>", media_type="application/xml")


def _deleted(store: ObjectStore, body: bytes) -> Response:
    """Keys that are not there count as deleted."""
    keys = [element.text or "" for element in fromstring(body).iter() if element.tag.endswith("Key")]
    for key in keys:
        store.objects.pop(key, None)
    rows = "".join(f"<Deleted><Key>{escape(key)}</Key></Deleted>" for key in keys)
    return Response(f"<DeleteResult>{rows}</DeleteResult>", media_type="application/xml")


def _error(status: int, code: str) -> Response:
    return Response(f"<Error><Code>{code}</Code></Error>", status_code=status, media_type="application/xml")


def _is_signed(request: Request, body: bytes) -> bool:
    """Whether the request was signed with our secret, for this region, over these bytes."""
    scheme, _, told = request.headers.get("authorization", "").partition(" ")
    parts = dict(part.strip().split("=", 1) for part in told.split(",") if "=" in part)
    scope = parts.get("Credential", "").split("/")
    payload = request.headers.get("x-amz-content-sha256", "")
    if scheme != "AWS4-HMAC-SHA256" or scope[:1] != [KEY_ID] or scope[2:] != [REGION, "s3", "aws4_request"]:
        return False
    if payload not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
        return False
    names = parts["SignedHeaders"].split(";")
    query = sorted((quote(name, safe="-_.~"), quote(value, safe="-_.~")) for name, value in _query(request))
    canonical = "\n".join(
        [
            request.method,
            quote(unquote(request.url.path), safe="/-_.~"),
            "&".join(f"{name}={value}" for name, value in query),
            *(f"{name}:{request.headers[name].strip()}" for name in names),
            "",
            parts["SignedHeaders"],
            payload,
        ]
    )
    text = "\n".join(
        [scheme, request.headers["x-amz-date"], "/".join(scope[1:]), hashlib.sha256(canonical.encode()).hexdigest()]
    )
    key = f"AWS4{SECRET}".encode()
    for part in scope[1:]:
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.compare_digest(hmac.digest(key, text.encode(), "sha256").hex(), parts["Signature"])


def _query(request: Request) -> list[tuple[str, str]]:
    return parse_qsl(request.url.query, keep_blank_values=True)
