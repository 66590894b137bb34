"""The second half of a slot's name, from an owner's words: 鸡胸肉 and 鸡肉 fill the same slot.

What the knowledge base knows is named by its id (`allergy:chicken`); anything else by its own folded words.
"""

from memory.text_folding import fold_text

MAX_KEY = 40  # characters; a slot is a name, not a sentence


def slot_key(prefix: str, words: str) -> str:
    """`prefix:key` for what `words` name."""
    key = "".join(fold_text(words).split())
    return f"{prefix}:{key[:MAX_KEY]}"
