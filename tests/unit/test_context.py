"""What the assistant is given fits its budget: trimmed in a fixed order, safety lines never, and all of it traced."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.context import CARDS_BUDGET, EXTRAS_BUDGET, HARD_TOTAL, Budget, fit
from domain.pet_profiles import PetProfile
from domain.token_budget import count_tokens, total_tokens
from domain.turn_context import AskedQuestion, CardLine, PetCard, RecalledLine, TurnContext
from memory.vocabulary import Kind

NOW = datetime(2026, 5, 20, 11, 0, tzinfo=UTC)


def line(name: str, words: int = 50, *, safety: bool = False) -> CardLine:
    return CardLine(name, name + "长" * words, "medical" if safety else "diet", "other", safety=safety)


def recalled(name: str, words: int = 50) -> RecalledLine:
    return RecalledLine(name, "p", name + "长" * words, "diet", "other", Kind.FACT, 1.0, why="keyword")


def card(name: str, lines: Sequence[CardLine]) -> PetCard:
    return PetCard(PetProfile(id=name, name=name, species="dog"), tuple(lines))


def context(**parts: object) -> TurnContext:
    return TurnContext(now=NOW, text="豆豆怎么样", **parts)  # type: ignore[arg-type]  # parts of a context


def card_tokens(given: TurnContext) -> int:
    return total_tokens(line.text for one in given.cards for line in one.lines)


def extras_tokens(given: TurnContext) -> int:
    lines = [one.text for one in given.recalled]
    return total_tokens([*given.summaries, *lines, *given.due, *(one.question for one in given.questions)])


def test_what_fits_is_left_as_it_is() -> None:
    whole = context(
        owner_lines=(line("主人"),),
        cards=(card("豆豆", [line("a")]),),
        summaries=("昨天聊过",),
        recalled=(recalled("r"),),
    )
    assert replace(fit(whole), trace=()) == whole


def test_summaries_go_before_recalled_lines() -> None:
    full = context(summaries=("总" * 400, "结" * 400), recalled=(recalled("r", 500),))
    fitted = fit(full)
    assert (fitted.summaries, fitted.recalled) == (("总" * 400,), full.recalled)
    assert extras_tokens(fitted) <= EXTRAS_BUDGET


def test_the_least_relevant_recalled_line_goes_first() -> None:
    full = context(recalled=tuple(recalled(name, 300) for name in "abcde"))
    assert [one.memory_id for one in fit(full).recalled] == ["a", "b", "c"]


def test_the_owners_card_goes_before_the_pets_lines() -> None:
    pet = card("豆豆", [line("保命", 900, safety=True), line("爱好", 900)])
    fitted = fit(context(owner_lines=(line("主人一", 100), line("主人二", 100)), cards=(pet,)))
    assert [one.memory_id for one in fitted.owner_lines] == ["主人一"]
    assert fitted.cards == (pet,)


def test_safety_lines_never_go_whatever_it_costs() -> None:
    dangers = [line(f"险{number}", 300, safety=True) for number in range(20)]
    fitted = fit(context(owner_lines=(line("主人"),), cards=(card("豆豆", [*dangers, line("爱好")]),)))
    assert fitted.cards[0].lines == tuple(dangers)
    assert fitted.owner_lines == ()


def test_of_several_pets_the_last_ones_plain_lines_go_first() -> None:
    cards = tuple(
        card(name, [line(f"{name}险", 300, safety=True), *(line(f"{name}{one}", 300) for one in range(4))])
        for name in ("豆豆", "团子", "年糕")
    )
    fitted = fit(context(cards=cards))
    left = [[one.memory_id for one in pet.lines] for pet in fitted.cards]
    assert left[0] == ["豆豆险", *(f"豆豆{one}" for one in range(4))]
    assert all(f"{name}险" in lines for name, lines in zip(("豆豆", "团子", "年糕"), left, strict=True))
    assert len(left[2]) < len(left[1])
    assert card_tokens(fitted) <= HARD_TOTAL


def test_due_items_and_questions_are_not_trimmed() -> None:
    question = AskedQuestion("c", "p", "allergy:chicken", "要改吗" * 100)
    fitted = fit(context(due=("该打疫苗了" * 100,), questions=(question,), recalled=(recalled("r", 300),)))
    assert (len(fitted.due), len(fitted.questions), fitted.recalled) == (1, 1, ())


def test_a_trimmed_line_is_traced_with_why() -> None:
    fitted = fit(context(summaries=("总" * 2000,)))
    assert [(note["part"], note["why"]) for note in fitted.trace] == [("summary", "trimmed: over budget")]


def test_the_trace_says_of_every_line_why_it_is_there_in_the_order_of_the_prompt() -> None:
    fitted = fit(
        context(
            owner_lines=(line("o"),),
            cards=(card("豆豆", [line("s", safety=True), line("c")]),),
            summaries=("昨天聊过",),
            recalled=(recalled("r"),),
            due=("该打疫苗了",),
            questions=(AskedQuestion("q", "p", "allergy:chicken", "要改吗"),),
            trace=({"step": "pets"},),
        )
    )
    assert [note.get("part") for note in fitted.trace] == [
        None,
        "owner_card",
        "pet_card",
        "pet_card",
        "summary",
        "recalled",
        "due",
        "question",
    ]
    assert [note["why"] for note in fitted.trace[2:4]] == ["record in force", "core"]
    assert all(note["why"] for note in fitted.trace[1:])


@given(
    summaries=st.lists(st.integers(0, 600), max_size=5),
    lines=st.lists(st.integers(0, 600), max_size=8),
    owner=st.lists(st.integers(0, 600), max_size=5),
    pets=st.lists(st.lists(st.tuples(st.integers(0, 600), st.booleans()), max_size=8), max_size=4),
)
def test_whatever_is_known_the_budget_holds_and_safety_stays(
    summaries: list[int], lines: list[int], owner: list[int], pets: list[list[tuple[int, bool]]]
) -> None:
    cards = tuple(
        card(f"p{pet}", [line(f"{pet}-{place}", words, safety=safety) for place, (words, safety) in enumerate(known)])
        for pet, known in enumerate(pets)
    )
    given_ = context(
        summaries=tuple("总" * words for words in summaries),
        recalled=tuple(recalled(f"r{place}", words) for place, words in enumerate(lines)),
        owner_lines=tuple(line(f"o{place}", words) for place, words in enumerate(owner)),
        cards=cards,
    )
    fitted = fit(given_)
    dangers = [one for pet in cards for one in pet.lines if one.safety]
    assert [one for pet in fitted.cards for one in pet.lines if one.safety] == dangers
    assert extras_tokens(fitted) <= EXTRAS_BUDGET
    plain = any(not one.safety for pet in fitted.cards for one in pet.lines) or fitted.owner_lines
    spent = card_tokens(fitted) + total_tokens(one.text for one in fitted.owner_lines)
    if plain:
        assert spent <= (CARDS_BUDGET if len(cards) < 2 else HARD_TOTAL - extras_tokens(fitted))
    for part in ("summaries", "recalled", "owner_lines"):
        kept, had = getattr(fitted, part), getattr(given_, part)
        assert kept == had[: len(kept)]


def test_a_budget_can_be_set() -> None:
    fitted = fit(context(recalled=(recalled("a", 5), recalled("b", 5))), Budget(extras=20))
    assert [one.memory_id for one in fitted.recalled] == ["a"]


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("豆豆", 2), ("abc", 1), ("abcd", 2), ("豆a", 2), ("。", 1)])
def test_tokens_are_never_counted_too_low_for_chinese(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens
