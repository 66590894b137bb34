"""Takes out of a photo what the phone wrote beside the picture: the place, the camera, the hour, texts, thumbnails.

The picture itself stays bit for bit: whole segments (JPEG, ITU T.81 annex B), chunks (PNG, W3C) or blocks (GIF89a) are
left out, nothing is decoded. Which way up a JPEG is shown stands in its metadata as well: that one number is kept.
Values in, values out.
"""

import re

JPEG, PNG, GIF = "image/jpeg", "image/png", "image/gif"

_END, _SCAN = 0xD9, 0xDA
_COMMENT, _EXIF = 0xFE, 0xE1
_APPS = range(0xE0, 0xF0)
_KEPT_APPS = {0xE0: b"JFIF\x00", 0xE2: b"ICC_PROFILE\x00", 0xEE: b"Adobe"}  # what decoders need for size and colours
_NO_LENGTH = frozenset((0x01, *range(0xD0, 0xD9)))
_AFTER_SCAN = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]")  # the first marker that is neither a stuffed byte nor a restart
_EXIF_HEAD = b"Exif\x00\x00"
_ORIENTATION = 0x0112
_UPRIGHT = 1
_PNG_HEAD = 8
_PNG_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST sPLT pHYs acTL fcTL fdAT".split()
)  # what decoders need for the picture, its colours, its size and its frames
_GIF_HEAD = 13
_GIF_TABLE = 0x80  # the flag that a table of colours follows; the lowest three bits tell its size
_GIF_EXTENSION, _GIF_IMAGE, _GIF_END = 0x21, 0x2C, 0x3B
_GIF_CONTROL, _GIF_APP = 0xF9, 0xFF
_GIF_LOOP = b"\x0bNETSCAPE2.0\x03\x01"  # how often an animation plays: two bytes follow


def without_metadata(photo: bytes, media_type: str) -> bytes:
    """The same picture without metadata; other formats than JPEG, PNG and GIF come back as they are.

    Bytes that follow the picture's end (a film of a moving photo, a second picture with a place of its own) go too.
    """
    clean = {JPEG: _clean_jpeg, PNG: _clean_png, GIF: _clean_gif}.get(media_type)
    return clean(photo) if clean else photo


def _clean_jpeg(photo: bytes) -> bytes:
    kept, at, turned = [photo[:2]], 2, _UPRIGHT
    while at < len(photo):
        begin = photo.find(b"\xff", at)
        if begin < 0 or begin + 1 >= len(photo):
            kept.append(photo[at:])
            break
        kept.append(photo[at:begin])  # no marker: left for the decoder to pass over
        marker, end = photo[begin + 1], _segment_end(photo, begin)
        segment = photo[begin:end]
        if marker == _EXIF and segment[4:].startswith(_EXIF_HEAD):
            turned = _orientation(segment[4 + len(_EXIF_HEAD) :]) if turned == _UPRIGHT else turned
        elif _is_kept(marker, segment):
            kept.append(segment)
        if marker == _END:
            break
        at = end
    return b"".join([kept[0], *([_turned(turned)] if turned != _UPRIGHT else []), *kept[1:]])


def _segment_end(photo: bytes, begin: int) -> int:
    """Where the segment whose marker is at `begin` ends; with the picture data that follow the head of a scan."""
    marker = photo[begin + 1]
    if marker == 0xFF:  # a fill byte before a marker
        return begin + 1
    if marker in _NO_LENGTH or marker in (0x00, _END):
        return begin + 2
    end = begin + 2 + max(2, int.from_bytes(photo[begin + 2 : begin + 4], "big"))
    if marker != _SCAN:
        return min(end, len(photo))
    following = _AFTER_SCAN.search(photo, end)
    return following.start() if following else len(photo)


def _is_kept(marker: int, segment: bytes) -> bool:
    if marker in _APPS:
        name = _KEPT_APPS.get(marker)
        return name is not None and segment[4:].startswith(name)
    return marker != _COMMENT


def _orientation(tiff: bytes) -> int:
    """The orientation (1-8) in the first directory of Exif data; 1 when there is none that can be read."""
    order = {b"II": "little", b"MM": "big"}.get(tiff[:2])
    if order is None:
        return _UPRIGHT
    little = order == "little"
    first = _number(tiff[4:8], little)
    for entry in range(first + 2, first + 2 + 12 * _number(tiff[first : first + 2], little), 12):
        if entry + 12 > len(tiff):
            break
        if _number(tiff[entry : entry + 2], little) == _ORIENTATION:
            found = _number(tiff[entry + 8 : entry + 10], little)
            return found if found in range(1, 9) else _UPRIGHT
    return _UPRIGHT


def _number(part: bytes, little: bool) -> int:
    return int.from_bytes(part, "little" if little else "big")


def _turned(orientation: int) -> bytes:
    """An Exif segment that says the orientation (one SHORT) and nothing else."""
    entry = b"".join(part.to_bytes(size, "big") for part, size in ((_ORIENTATION, 2), (3, 2), (1, 4), (orientation, 2)))
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\x00\x00" + b"\x00\x00\x00\x00"
    body = _EXIF_HEAD + tiff
    return b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body


def _clean_png(photo: bytes) -> bytes:
    kept, at = [photo[:_PNG_HEAD]], _PNG_HEAD
    while at + 8 <= len(photo):
        name = photo[at + 4 : at + 8]
        end = at + 12 + int.from_bytes(photo[at : at + 4], "big")
        if name in _PNG_KEPT:
            kept.append(photo[at:end])
        if name == b"IEND":
            break
        at = end
    return b"".join(kept)


def _clean_gif(photo: bytes) -> bytes:
    """Frames, their timing and the loop; comments, texts and what programs have noted go."""
    at = _GIF_HEAD + _gif_colours(photo, 10)
    kept = [photo[:at]]
    while at < len(photo):
        kind, label = photo[at], photo[at + 1 : at + 2]
        if kind == _GIF_IMAGE:
            end = _gif_blocks_end(photo, at + 11 + _gif_colours(photo, at + 9))
            kept.append(photo[at:end])
        elif kind == _GIF_EXTENSION:
            end = _gif_blocks_end(photo, at + 2)
            if label == bytes((_GIF_CONTROL,)):
                kept.append(photo[at:end])
            elif label == bytes((_GIF_APP,)) and photo.startswith(_GIF_LOOP, at + 2):
                kept.append(photo[at : at + 4 + len(_GIF_LOOP)] + b"\x00")
        else:
            kept.append(photo[at : at + 1] if kind == _GIF_END else b"")
            break
        at = end
    return b"".join(kept)


def _gif_colours(photo: bytes, flags_at: int) -> int:
    """The length of the table of colours that these flags announce."""
    flags = photo[flags_at] if flags_at < len(photo) else 0
    return 3 * 2 ** ((flags & 7) + 1) if flags & _GIF_TABLE else 0


def _gif_blocks_end(photo: bytes, at: int) -> int:
    """Where a row of sub-blocks ends: after the empty one."""
    while at < len(photo) and photo[at]:
        at += photo[at] + 1
    return min(at + 1, len(photo))
