"""Chinese time phrases: what 昨晚九点多, 下下周六, 每三个月 or 去年国庆 means, or that it names no date.

Where to look: the public functions `reader`; what a reading is `readings`; periods in questions `periods`; how words
join `phrases`; which way a sentence looks `direction`; from words to days `calendar_days`, to clock times
`clock_times`; festivals and solar terms `festivals`. The words themselves: all words for days in their order
`day_words` (`counted_days`, `week_words`, `month_words`, `short_dates`, `named_days`, `vague_words`), times of day
`clock_words`, what repeats `repeat_words`. Underneath: `rules`, `amounts`, `meanings`, one spelling for all `script`.

All of it is pure: `now` is an argument, aware and in the owner's time zone. Nothing is guessed: lunar dates, seasons
and vague pasts read as `supported=False`.
"""

from domain.dates.periods import question_period
from domain.dates.reader import find_times, read_time
from domain.dates.readings import Recurrence, TimeReading, local_date_text

__all__ = ["Recurrence", "TimeReading", "find_times", "local_date_text", "question_period", "read_time"]
