"""Sentences are told in batches: the first at once, the rest gathered, and faults are passed on."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from domain.assistant import AnswerSentence
from domain.sentence_batches import batches
from tests.fakes.slow_assistant import SteppedAssistant

ANY_CONTEXT = None  # the stepped assistant only keeps it


async def spoken(*texts: str) -> AsyncIterator[AnswerSentence]:
    for text in texts:
        yield AnswerSentence(text)


async def collected(sentences: AsyncIterator[AnswerSentence]) -> list[tuple[str, bool]]:
    return [("".join(one.text for one in batch), last) async for batch, last in batches(sentences)]


@pytest.mark.parametrize("texts", [(), ("一。",), ("一。", "二。", "三。")])
async def test_an_assistant_that_does_not_wait_comes_out_as_one_batch(texts: tuple[str, ...]) -> None:
    assert await collected(spoken(*texts)) == [("".join(texts), True)]


async def test_the_first_sentence_does_not_wait_for_the_second() -> None:
    assistant = SteppedAssistant("一。", "二。").let_go()
    told = batches(assistant.answer(ANY_CONTEXT))  # type: ignore[arg-type]  # any will do
    first, last = await asyncio.wait_for(anext(told), 10)
    assert ([one.text for one in first], last) == (["一。"], False)
    assistant.let_go(2)
    rest = [(one.text, last) async for batch, last in told for one in batch]
    assert rest in ([("二。", True)], [("二。", False)])


async def test_the_first_words_of_an_answer_do_not_wait_behind_a_receipt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.sentence_batches.GATHER_SECONDS", 60)
    more = asyncio.Event()

    async def remembered() -> AsyncIterator[AnswerSentence]:
        yield AnswerSentence("记下了。", tells_back="receipt")
        await more.wait()
        yield AnswerSentence("一。")
        await asyncio.Event().wait()

    told = batches(remembered())
    assert [one.text for one in (await anext(told))[0]] == ["记下了。"]
    more.set()
    assert [one.text for one in (await asyncio.wait_for(anext(told), 10))[0]] == ["一。"]


async def test_sentences_keep_their_order_and_none_is_lost() -> None:
    async def slowly() -> AsyncIterator[AnswerSentence]:
        for number in range(50):
            if number % 7 == 0:
                await asyncio.sleep(0.01)
            yield AnswerSentence(str(number))

    told = [sentence.text async for batch, _ in batches(slowly()) for sentence in batch]
    assert told == [str(number) for number in range(50)]


async def test_only_the_last_batch_is_the_last() -> None:
    async def slowly() -> AsyncIterator[AnswerSentence]:
        for number in range(5):
            await asyncio.sleep(0.01)
            yield AnswerSentence(str(number))

    told = await collected(slowly())
    assert [last for _, last in told] == [False] * (len(told) - 1) + [True]


@pytest.mark.parametrize("before", [0, 1, 3])
async def test_a_fault_of_the_assistant_is_raised_after_what_it_said(before: int) -> None:
    async def breaking() -> AsyncIterator[AnswerSentence]:
        for number in range(before):
            yield AnswerSentence(str(number))
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        await collected(breaking())


async def test_who_stops_listening_stops_the_assistant() -> None:
    stopped = asyncio.Event()

    async def endless() -> AsyncIterator[AnswerSentence]:
        try:
            yield AnswerSentence("一。")
            await asyncio.Event().wait()
        finally:
            stopped.set()

    told = batches(endless())
    await anext(told)
    await told.aclose()  # type: ignore[attr-defined]  # an async generator
    await asyncio.wait_for(stopped.wait(), 10)
