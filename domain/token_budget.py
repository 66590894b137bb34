"""How many tokens a text may cost, counted without any model's tokenizer and never too low for Chinese.

A CJK character counts as one token (the tokenizers of the models we speak to need 0.6 to 1.0), three other characters
as one (English needs about one for four).
"""

from collections.abc import Iterable

OTHER_CHARS_PER_TOKEN = 3


def count_tokens(text: str) -> int:
    """Tokens of `text`, rounded up."""
    wide = sum(1 for character in text if character >= "\u2e80")
    return wide + -(-(len(text) - wide) // OTHER_CHARS_PER_TOKEN)


def total_tokens(lines: Iterable[str]) -> int:
    """Tokens of several lines, one more for each line break."""
    return sum(count_tokens(line) + 1 for line in lines)
