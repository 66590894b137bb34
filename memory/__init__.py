"""What remembers: tiers, scores, budgets, conflicts, recall. Knows no veterinary fact, no HTTP, no model vendor.

Where to look: words of the field `vocabulary`; the eight archives `topics`; one statement of an owner `claims`;
stored rows `items`, `messages`, `confirmations`, `signals`, `tombstones`; what may replace what `conflict_policy`;
from claim to row `intake`; the card's limits `core_budget`; from question to memories `recall` (arms in `fulltext`,
`vector_index`, order in `ranking`); what follows a commit `outbox`; which rows count `visibility`.
"""
