"""打针要注意什么: what a vet has to know of the pet first, its allergies, diseases and drugs."""

import re

from domain.assistant import AnswerSentence
from domain.offline.responder.question import Question
from domain.offline.responder.summary import known_to_vet
from domain.offline.responder.voice import say
from memory.text_folding import fold_text

_MINDS = re.compile(
    r"注意|当心|小心(?!脏)|讲究|禁?忌|避开|提前说|(?:告诉|交代)(?:医生|大夫)|[跟和](?:医生|大夫)(?:说|讲|交代|提)"
)
_AT_THE_VETS = re.compile(
    r"打[^,，。?？]{0,3}针|用药|[吃喂上]药|输液|疫苗|麻醉|全麻|手术|绝育|洗牙|拔牙|看病|医院|就诊|驱虫|住院|拍片|抽血"
)


def precautions(question: Question) -> list[AnswerSentence]:
    """What is known of each pet meant that bears on any treatment; [] for a question about anything else."""
    asked = fold_text(question.asked.text)
    if not (_MINDS.search(asked) and _AT_THE_VETS.search(asked) and question.context.cards):
        return []
    told = [
        sentence
        for card in question.context.cards
        for sentence in known_to_vet(card, [line for line in question.lines if line.subject == card.pet.id])
    ]
    return [*told, say("去之前先把这些告诉医生，怎么做、做完要注意什么听医生的。")]
