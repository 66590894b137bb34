"""Masks for what must not stand in a memory line: phone and identity numbers keep their ends, the rest is hidden.

They live encrypted in typed fields; lines, prompts and vectors carry the mask. Pure.
"""

import re

_PHONE = re.compile(r"(?<![0-9A-Za-z])((?:\+?86[- ]?)?1[3-9]\d)[- ]?\d{4}[- ]?(\d{4})(?![0-9])")
_IDENTITY = re.compile(r"(?<![0-9A-Za-z])(\d{3})\d{11}(\d{3}[\dXx])(?![0-9A-Za-z])")


def mask_numbers(text: str) -> str:
    """我电话13812345678 → 我电话138****5678"""
    text = _IDENTITY.sub(r"\1***********\2", text)
    return _PHONE.sub(r"\1****\2", text)
