"""Opening what an owner brings back: a zip that we made, or the same folder edited by hand and zipped again.

What is inside is data of a stranger: names that point elsewhere, bombs and unreadable texts are refused before
anything is believed. Pure but for the bytes it is given; run it beside the event loop.
"""

import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from domain.errors import DomainFault
from domain.portability.packing import EXPORT_JSON
from domain.portability.schema import FORMAT, SECTIONS, VERSION

MAX_FILES = 20_000  # two a day for twenty-seven years
MAX_UNPACKED = 256 * 1024 * 1024  # bytes: several times what a life of talk comes to
MAX_RATIO = 200  # unpacked over packed; text packs to a tenth, a bomb to a thousandth
WANTED = re.compile(r"(?:[^/]+/)?(export\.json|MEMORY\.md|USER\.md|DREAMS\.md|memory/\d{4}-\d\d-\d\d\.(?:md|jsonl))")
PAGES = ("MEMORY.md", "USER.md")
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,  # lengths and names in the directory that make no sense
)
"""What the library raises for a file that is cut off, changed, encrypted or packed in a way it does not know."""
_SURROGATES = re.compile("[\ud800-\udfff\x00]")


class UnreadableImport(DomainFault):
    """The file is not what we can take back. Extra: `file`, where one of several is meant."""

    code = "unreadable_import"
    detail = "这个文件读不了，请上传从宠爱信号导出的 zip 文件"


@dataclass(frozen=True, slots=True)
class Brought:
    """What was brought back: `export` where there is one, else the pages of a folder by name; `notes` for the owner."""

    export: Mapping[str, Any] | None
    pages: Mapping[str, str]
    notes: tuple[str, ...] = ()


def unpack(packed: bytes) -> Brought:
    """Read a zip file. Raises UnreadableImport."""
    try:
        with zipfile.ZipFile(BytesIO(packed)) as archive:
            return _brought(_files(archive))
    except DAMAGED as error:
        raise UnreadableImport() from error


def _files(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """The files we know, by their name inside the folder. Nothing is ever written to a disk."""
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise UnreadableImport("压缩包里的文件太多了")
    found: dict[str, bytes] = {}
    left = MAX_UNPACKED
    for entry in entries:
        wanted = WANTED.fullmatch(entry.filename)
        if _points_elsewhere(entry.filename):
            raise UnreadableImport("压缩包里有不安全的文件路径", file=entry.filename[:100])
        if wanted is None or entry.is_dir():
            continue
        if wanted.group(1) in found:
            raise UnreadableImport("压缩包里有重复的文件", file=wanted.group(1))
        found[wanted.group(1)] = _content(archive, entry, left)
        left -= len(found[wanted.group(1)])
    if not found:
        raise UnreadableImport("压缩包里没有 export.json 或 MEMORY.md")
    return found


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    """The bytes of one file; the size in the directory is not believed."""
    most = min(left, max(entry.compress_size, 1024) * MAX_RATIO)
    with archive.open(entry) as packed:
        content = packed.read(most + 1)
    if len(content) > most:
        raise UnreadableImport("压缩包展开后太大了", file=entry.filename[:100])
    return content


def _points_elsewhere(name: str) -> bool:
    return name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/")


def _brought(files: Mapping[str, bytes]) -> Brought:
    notes: list[str] = []
    if EXPORT_JSON in files:
        return Brought(_export(files[EXPORT_JSON]), {})
    pages = {name: _text(name, files[name], notes) for name in PAGES if name in files}
    if not pages:
        raise UnreadableImport("压缩包里没有 export.json 或 MEMORY.md")
    return Brought(None, pages, tuple(notes))


def _export(content: bytes) -> Mapping[str, Any]:
    try:
        export = json.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise UnreadableImport("export.json 不是有效的 JSON", file=EXPORT_JSON) from error
    if not isinstance(export, dict) or export.get("format") != FORMAT:
        raise UnreadableImport("export.json 不是宠爱信号的导出文件", file=EXPORT_JSON)
    if type(export.get("version")) is not int or export["version"] != VERSION:  # true and 1.0 equal 1 in Python
        raise UnreadableImport("这份导出文件的版本不认识，请更新后再试", file=EXPORT_JSON)
    for section in SECTIONS:
        rows = export.setdefault(section.name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise UnreadableImport(f"export.json 的 {section.name} 不是一组记录", file=EXPORT_JSON)
    return export


def _text(name: str, content: bytes, notes: list[str]) -> str:
    """Text of a page: UTF-8, else GBK as older Chinese editors write it. Raises UnreadableImport."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _SURROGATES.search(text):
            break
        if encoding != "utf-8-sig":
            notes.append(f"{name} 是按 GBK 编码读取的")
        return text
    raise UnreadableImport(f"{name} 的文字编码读不出来，请存成 UTF-8 再上传", file=name)
