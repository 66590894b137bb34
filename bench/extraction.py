"""How long the rules take to understand one message, beside merely cutting it into search tokens.

python -m bench.extraction [--rounds 200]
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.fulltext import tokenize

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"), PetProfile("q", "夜宵", "cat"))
HUNDRED_CHARACTERS = (
    "桃酥昨天半夜吐了两次黄水，今天早上又拉稀，精神不太好，去医院查了血，肌酐182，医生开了速诺一天两次一次半片，"
    "下周三复查，夜宵倒是能吃能睡，就是不爱喝水，体重五斤二两了，刚打完三联"
)


def milliseconds(work: Callable[[], object], rounds: int) -> list[float]:
    """CPU time of each round, sorted."""
    work()
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append((time.process_time() - begun) * 1000)
    return sorted(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    plain = milliseconds(lambda: tokenize(HUNDRED_CHARACTERS), rounds)
    for length in (len(HUNDRED_CHARACTERS), 4000):
        text = (HUNDRED_CHARACTERS * 50)[:length]
        taken = milliseconds(lambda said=text: extract(Utterance(said, NOW, PETS)), rounds if length < 1000 else 10)
        row = {
            "bench": "extraction",
            "characters": length,
            "median_ms": round(statistics.median(taken), 2),
            "p95_ms": round(taken[int(len(taken) * 0.95) - 1], 2),
            "ratio_to_tokenising_100": round(statistics.median(taken) / statistics.median(plain), 1),
        }
        print(json.dumps(row))


if __name__ == "__main__":
    main()
