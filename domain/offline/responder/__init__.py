"""The rule-based assistant's answers: what is in the turn's context, said in a few short sentences, and nothing else.

`respond` is the way in (`answer`); `receipts` and `closing_question` stand around a model's words.
Where to look: what was asked `reading` and the table of `things` one may ask about;
what is known `lines`; which lines answer `relevance`; how a question is answered `answers`, when no line
answers `not_recorded`, food and drugs
`permissions` (who would get it `receivers`), weights `weight_trend`, who is heavier `comparison`, 最近怎么样
`overview`, a summary for the vet `summary`, profile facts `profile`; what was written `receipts`; emergencies
`for_the_vet`, what to do in one `urgency`; which pet `asking_back`, a name that nobody bears `strange_names`;
greetings and chat `small_talk`,
what is said of the assistant itself `talk_of_us`; standing wishes `wishes`; an open confirmation `raised_question`;
dates, joining and retelling `wording`. All is pure.
"""

from domain.offline.responder.answer import closing_question, receipts, respond

__all__ = ["closing_question", "receipts", "respond"]
