"""Claims made by hand: what an extractor would say, with the catalogue's word for everything left out."""

from domain.attributes import spec_of
from memory.claims import Claim, Evidence


def claim_of(subject: str | None, attribute: str, content: str, **more: object) -> Claim:
    """A claim whose evidence is its own line."""
    spec = spec_of(attribute)
    known: dict[str, object] = {
        "subject": subject,
        "attribute": attribute,
        "attribute_class": spec.attribute_class,
        "topic": spec.topic,
        "content": content,
        "evidence": Evidence(content, 0, len(content)),
        "kind": spec.kind,
        "memory_type": spec.memory_type,
        "weight_level": spec.weight_level,
    }
    return Claim(**{**known, **more})  # type: ignore[arg-type]  # a table of defaults
