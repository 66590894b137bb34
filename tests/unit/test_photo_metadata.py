"""What a phone writes beside a picture goes; the picture stays bit for bit."""

import struct
import zlib

import pytest

from domain.photo_metadata import without_metadata
from tests.photos import GIF, JPEG, png

PLACE = b"GPS 31.2304 N 121.4737 E"
SCAN = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + b"\x12\xff\x00\x34\xff\xd0\x56"
TABLE = b"\xff\xdb\x00\x05\x00\x01\x02"
JFIF = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def exif(orientation: int, order: str) -> bytes:
    mark = b"II*\x00" if order == "<" else b"MM\x00*"
    entries = struct.pack(order + "HHIHH", 0x010F, 2, 1, 65, 0) + struct.pack(
        order + "HHIHH", 0x0112, 3, 1, orientation, 0
    )
    directory = struct.pack(order + "IH", 8, 2) + entries + struct.pack(order + "I", 0)
    return segment(0xE1, b"Exif\x00\x00" + mark + directory + PLACE)


def jpeg(*extra: bytes, tail: bytes = b"") -> bytes:
    return b"\xff\xd8" + JFIF + b"".join(extra) + TABLE + SCAN + TABLE + SCAN + b"\xff\xd9" + tail


@pytest.mark.parametrize(
    "extra",
    [
        exif(1, "<"),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\x00" + PLACE),
        segment(0xED, b"Photoshop 3.0\x00" + PLACE),
        segment(0xFE, PLACE),
        segment(0xE2, b"MPF\x00" + PLACE),
        segment(0xE0, b"JFXX\x00" + PLACE),
    ],
)
def test_a_jpeg_loses_all_but_its_picture(extra: bytes) -> None:
    assert without_metadata(jpeg(extra), "image/jpeg") == jpeg()


def test_what_follows_the_end_of_a_picture_goes_as_well() -> None:
    assert without_metadata(jpeg(tail=jpeg(exif(1, "<"))), "image/jpeg") == jpeg()
    assert without_metadata(png() + PLACE, "image/png") == png()


@pytest.mark.parametrize("kept", [segment(0xE2, b"ICC_PROFILE\x00\x01\x01colours"), segment(0xEE, b"Adobe\x00\x64")])
def test_what_colours_need_stays(kept: bytes) -> None:
    assert without_metadata(jpeg(kept), "image/jpeg") == jpeg(kept)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_turned_photo_stays_turned(orientation: int, order: str) -> None:
    cleaned = without_metadata(jpeg(exif(orientation, order)), "image/jpeg")
    assert PLACE not in cleaned
    assert cleaned == without_metadata(cleaned, "image/jpeg")
    assert struct.pack(">HHIH", 0x0112, 3, 1, orientation) in cleaned


@pytest.mark.parametrize("name", [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"caBX", b"prVt"])
def test_a_png_loses_its_texts(name: bytes) -> None:
    chunk = struct.pack(">I", len(PLACE)) + name + PLACE + struct.pack(">I", zlib.crc32(name + PLACE))
    plain = png(7)
    head = plain[:33]
    assert plain[12:16] == b"IHDR"
    assert without_metadata(head + chunk + plain[33:], "image/png") == plain


@pytest.mark.parametrize(("photo", "kind"), [(GIF, "image/gif"), (JPEG, "image/jpeg"), (png(), "image/png")])
def test_a_photo_without_metadata_stays_as_it_is(photo: bytes, kind: str) -> None:
    assert without_metadata(photo, kind) == photo


@pytest.mark.parametrize("length", range(0, len(jpeg(exif(6, ">"))), 3))
def test_a_photo_that_is_cut_off_never_shows_its_place(length: int) -> None:
    cut = jpeg(exif(6, ">"))[:length]
    assert b"GPS" not in without_metadata(cut, "image/jpeg")


LOOP = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
CONTROL = b"\x21\xf9\x04\x00\x0a\x00\x00\x00"


@pytest.mark.parametrize(
    "extra",
    [
        b"\x21\xfe" + bytes((len(PLACE),)) + PLACE + b"\x00",
        b"\x21\x01" + bytes((len(PLACE),)) + PLACE + b"\x00",
        b"\x21\xff\x0bXMP DataXMP" + bytes((len(PLACE),)) + PLACE + b"\x00",
        LOOP[:-1] + bytes((len(PLACE),)) + PLACE + b"\x00",
    ],
)
def test_a_gif_loses_all_but_its_frames_and_its_loop(extra: bytes) -> None:
    head, frame = GIF[:19], GIF[19:]
    cleaned = without_metadata(head + LOOP + extra + CONTROL + frame + PLACE, "image/gif")
    assert PLACE not in cleaned
    assert cleaned.replace(LOOP, b"", 1).replace(LOOP, b"") == head + CONTROL + frame
    assert LOOP in cleaned


@pytest.mark.parametrize("length", range(len(GIF)))
def test_a_gif_that_is_cut_off_is_lived_with(length: int) -> None:
    assert GIF.startswith(without_metadata(GIF[:length], "image/gif"))
