"""One happening, one alert: signs of the same complaint are told once, by the gravest of them."""

from collections.abc import Sequence
from dataclasses import dataclass

COMPLAINTS: tuple[tuple[str, ...], ...] = (
    ("vomit_blood", "puppy_parvo", "kitten_panleuk", "repeated_vomit", "single_vomit"),
    ("bloody_diarrhea", "puppy_parvo", "kitten_panleuk", "melena", "diarrhea"),
    ("choking", "dyspnea", "cat_open_mouth", "gum_color", "resp_rate_up", "syncope_cough", "cough"),
    ("urethral_obstruction", "dark_urine", "hematuria"),
    ("linear_fb", "foreign_body", "choking"),
    ("heatstroke", "high_fever", "fever"),
    ("bleeding", "minor_bleed"),
    ("seizure", "tremor"),
    ("paralysis", "back_pain", "limping"),
    ("major_trauma", "low_fall"),
    ("severe_bite", "bite_wound"),
    ("anaphylaxis", "insect_sting", "vaccine_mild"),
    ("eye_emergency", "eye_urgent", "eye_mild"),
    ("post_op_emergency", "post_op"),
    ("skin_severe", "itch"),
    ("cat_dog_spot_on", "poison"),
    ("dka", "insulin_no_meal"),
)
"""Groups of `redflags.yaml` that tell of the same thing, the most telling first."""
ADDS_NOTHING = frozenset({"lethargy", "owner_alarm"})
"""How an animal looks, or that help is called for: told by itself only where nothing graver or as grave is."""

_FLAG = "flag:"


@dataclass(frozen=True, slots=True)
class Told:
    """A rule that fired. rank: 0 the gravest level. pet_id: None when several pets may be meant."""

    rule_id: str
    rank: int
    pet_id: str | None


def told_already(told: Sequence[Told]) -> frozenset[str]:
    """The rules whose complaint a graver one, or as grave and more telling, tells of. Different pets are different."""
    return frozenset(rule.rule_id for rule in told if any(_covers(other, rule) for other in told if other is not rule))


def _covers(other: Told, rule: Told) -> bool:
    if other.pet_id and rule.pet_id and other.pet_id != rule.pet_id:
        return False
    mine, theirs = rule.rule_id.removeprefix(_FLAG), other.rule_id.removeprefix(_FLAG)
    if mine in ADDS_NOTHING:
        return theirs not in ADDS_NOTHING and other.rank <= rule.rank
    return any(
        mine in complaint
        and theirs in complaint
        and (other.rank, complaint.index(theirs)) < (rule.rank, complaint.index(mine))
        for complaint in COMPLAINTS
    )
