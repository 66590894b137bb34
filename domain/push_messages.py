"""The words of a subscribe message: pure, fitted to the limits of WeChat's templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.push_fields import fitted_text, fitted_time

NEUTRAL_SUBJECT = "毛孩子"


@dataclass(frozen=True, slots=True)
class Template:
    """One subscribe template: our word for it, WeChat's id, and WeChat's key for each of our three fields.

    key: `confirmation`, `reminder` or `follow_up`. title: what the owner is asked to allow. page: what a tap opens.
    """

    key: str
    template_id: str
    title: str
    subject: str = "thing1"
    about: str = "thing2"
    at: str = "time3"
    page: str = "pages/inbox/index"


@dataclass(frozen=True, slots=True)
class Words:
    """What one push says: whom it is about, what, and when that is. Owners' own text, not yet fitted."""

    subject: str
    about: str
    at: datetime


def digest(subjects: Sequence[str], titles: Sequence[str], at: datetime) -> Words:
    """One push for several prompts, in their order; a single prompt speaks for itself."""
    names = list(dict.fromkeys(name for name in subjects if name))
    about = titles[0] if len(titles) == 1 else f"{len(titles)}条：{titles[0]}"
    return Words("、".join(names) or NEUTRAL_SUBJECT, about, at)


def fields_of(template: Template, words: Words) -> Mapping[str, str]:
    """Every key of the template, fitted to its type and never empty."""
    return {
        template.subject: fitted_text(template.subject, words.subject, NEUTRAL_SUBJECT),
        template.about: fitted_text(template.about, words.about, template.title),
        template.at: fitted_time(template.at, words.at),
    }
