"""All words for days in the order they are tried: what is longer or excludes others comes first."""

from domain.dates.counted_days import DAY_WORD_RULES, OFFSET_RULES, SINCE_RULES
from domain.dates.month_words import FULL_DATE_RULES, MONTH_RULES
from domain.dates.named_days import ADJUST_RULE, DATED_FESTIVAL_RULE, FESTIVAL_RULES
from domain.dates.rules import Rule
from domain.dates.short_dates import SHORT_DATE_RULE
from domain.dates.vague_words import LUNAR_RULE, SEASON_RULE, VAGUE_RULE
from domain.dates.week_words import WEEK_RULES

DAY_RULES: tuple[Rule, ...] = (
    LUNAR_RULE,
    *FULL_DATE_RULES,
    DATED_FESTIVAL_RULE,
    SEASON_RULE,
    *OFFSET_RULES,
    VAGUE_RULE,
    *SINCE_RULES,
    *WEEK_RULES,
    *MONTH_RULES,
    SHORT_DATE_RULE,
    *FESTIVAL_RULES,
    *DAY_WORD_RULES,
    ADJUST_RULE,
)
