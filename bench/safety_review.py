"""What triage and the safety review cost a turn: `python bench/safety_review.py`. Medians, milliseconds of CPU time.

The bars: at most 2 ms for a 300-character reply with everything loaded, well under 1 ms for triage and review of a
turn that finds nothing, at most 300 ms to build the matcher.
"""

import statistics
import time
from collections.abc import Callable

started = time.process_time()

from domain.knowledge.checks import load_knowledge  # noqa: E402  (the import is part of what is timed)
from domain.knowledge.lexicon import load_food_index, load_index  # noqa: E402  (the same)
from domain.pet_profiles import PetProfile  # noqa: E402  (the same)
from domain.safety import MemoryLine, SafetyFacts, StreamReview, facts_from_lines, review  # noqa: E402  (the same)
from domain.triage import triage  # noqa: E402  (the same)

ROUNDS = 300
PETS = (PetProfile("d", "阿福", "dog", breed="边境牧羊犬"), PetProfile("c", "米粒", "cat", sex="male"))
MEMORY = (
    MemoryLine("d", "allergy", "阿福对鸡肉过敏"),
    MemoryLine("d", "medication", "阿福在吃匹莫苯丹"),
    MemoryLine("c", "chronic_condition", "米粒慢性肾病2期"),
)
REPLY = (
    "换粮要慢慢来，第一天新粮只占一成，之后每两天加一成，十天左右换完。阿福对鸡肉过敏，所以看配料表时避开鸡肉粉和禽肉粉。"
    "这几天留意便便的形状和次数，软一点先停在当天的比例。喝水也要跟上，可以在碗里多放几处。"
    "米粒的肾处方粮不要给阿福吃，两只分开喂，吃完就收碗。如果出现呕吐、没精神或者便便带血，就不要再等，当天带去医院看看。"
    "匹莫苯丹按医生说的时间喂，不要自己停。称体重的话一周一次就够，最好在早上空腹时称，和上次比差得多就告诉我。"
    "散步照常，早晚各半小时，天冷的时候出门前先在屋里活动一下。"
)
SENTENCES = [f"{sentence}。" for sentence in REPLY.split("。") if sentence]
QUESTION = "阿福想换粮，怎么换比较好"
CALM = "阿福今天散步很开心，回来喝了水就睡了"


def median_ms(call: Callable[[], object]) -> float:
    """The median of ROUNDS calls, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return statistics.median(times) * 1000


def facts() -> SafetyFacts:
    return facts_from_lines(MEMORY, PETS, about=["d"])


def review_stream(known: SafetyFacts) -> None:
    """The sample reply as a turn reviews it: triage is known, each sentence is checked, the end as well."""
    stream = StreamReview(known, QUESTION, alerts=())
    for sentence in SENTENCES:
        stream.check(sentence)
    stream.finish()


def main() -> None:
    load_knowledge()
    print(f"import and load all knowledge      {(time.process_time() - started) * 1000:8.1f} ms")
    load_index.cache_clear()
    load_food_index.cache_clear()
    begin = time.process_time()
    load_index()
    load_food_index()
    print(f"build the matchers                 {(time.process_time() - begin) * 1000:8.1f} ms")
    begin = time.process_time()
    triage(CALM, PETS)
    print(f"first triage (compiles its rules)  {(time.process_time() - begin) * 1000:8.1f} ms")
    known = facts()
    review(REPLY, known, QUESTION)
    print(f"review of {len(REPLY)} characters           {median_ms(lambda: review(REPLY, known, QUESTION)):8.3f} ms")
    print(f"the same as a stream of sentences  {median_ms(lambda: review_stream(known)):8.3f} ms")
    print(f"triage of a calm message           {median_ms(lambda: triage(CALM, PETS)):8.3f} ms")
    print(f"facts from memory lines            {median_ms(facts):8.3f} ms")
    print(f"verdict of the sample reply        {review(REPLY, known, QUESTION).verdict}")


if __name__ == "__main__":
    main()
