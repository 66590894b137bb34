"""How many tokens a text may cost, counted without any model's tokenizer and never too low for Chinese.

A CJK character counts as one token (the tokenizers of the models we speak to need 0.6 to 1.0), three other characters
as one (English needs about one for four).
"""

from collections.abc import Iterable

OTHER_CHARS_PER_TOKEN = 3
LINE_TOKENS = 10  # around a line of a prompt: its dash, short id, quotes, a mark such as 猜测, the line break
EMBEDDED_CHARS = (
    400  # of one text that an endpoint embeds; many such models end at 512 tokens and refuse what is longer
)


def embedding_tokens(texts: Iterable[str]) -> int:
    """Tokens of texts as an endpoint embeds them."""
    return sum(count_tokens(text[:EMBEDDED_CHARS]) for text in texts)


def count_tokens(text: str) -> int:
    """Tokens of `text`, rounded up."""
    wide = sum(1 for character in text if character >= "\u2e80")
    return wide + -(-(len(text) - wide) // OTHER_CHARS_PER_TOKEN)


def total_tokens(lines: Iterable[str]) -> int:
    """Tokens of several lines of a prompt, with what stands around each."""
    return sum(count_tokens(line) + LINE_TOKENS for line in lines)
