"""Understands an owner's message by rules: which statements it makes, about whom, how surely.

Where to look: the story `extract` here; the message cut up in `clauses`; how a clause is meant `tone`; known words
`wordlist` (data in `domain/knowledge/vocabulary`); numbers with units `quantities`; one file a kind of statement:
`allergies`, `illnesses`, `medicines`, `prevention`, `clinic`, `growth`, `diet`, `habits`, `plans`, `owner_facts`;
replies to the assistant's question `answers`; from drafts to claims `assembly`. Who is meant: `domain.pet_mentions`.
"""

from domain.offline.extractor.extraction import Extraction, extract

__all__ = ["Extraction", "extract"]
