"""The body of a message push, XML or JSON by its first character, as plain dicts.

XML: an element with elements inside is a dict, one that comes several times a list, all else text. Documents with a
DTD or entities are refused.
"""

import json
import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError  # types only; defusedxml parses

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
MAX_DEPTH = 8  # elements within elements; WeChat's own nest three deep


class UnreadableBody(Exception):
    """Neither XML nor a JSON object."""


def read_body(body: bytes) -> dict[str, Any]:
    """The fields of a push. Raises UnreadableBody."""
    text = body.removeprefix(b"\xef\xbb\xbf").strip()
    return _from_xml(text) if text.startswith(b"<") else _from_json(text)


def _from_json(text: bytes) -> dict[str, Any]:
    try:
        value = _clean(json.loads(text))
    except (ValueError, RecursionError):
        raise UnreadableBody() from None
    if not isinstance(value, dict):
        raise UnreadableBody()
    return value


def _clean(value: Any) -> Any:
    """The same without what neither UTF-8 nor a database can hold: NUL, and halves of surrogate pairs."""
    if isinstance(value, str):
        return _UNWRITABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, dict):
        return {_clean(name): _clean(one) for name, one in value.items()}
    return value


def _from_xml(text: bytes) -> dict[str, Any]:
    try:
        value = _value(fromstring(text, forbid_dtd=True), MAX_DEPTH)
    except (ParseError, DefusedXmlException, LookupError, ValueError, RecursionError):  # LookupError: of an encoding
        raise UnreadableBody() from None
    if not isinstance(value, dict):
        raise UnreadableBody()
    return value


def _value(element: Element, depth: int) -> Any:
    if depth == 0:
        raise UnreadableBody()
    if not len(element):
        return (element.text or "").strip()
    fields: dict[str, Any] = {}
    for child in element:
        value = _value(child, depth - 1)
        if child.tag in fields:
            known = fields[child.tag]
            fields[child.tag] = [*known, value] if isinstance(known, list) else [known, value]
        else:
            fields[child.tag] = value
    return fields
