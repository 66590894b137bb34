"""What a pet-care company would recognise: owners, pets, records, schedules, safety, the chat turn, the vet record.

Where to look: a turn `chat_turn`; who is meant `pet_resolution`; slots and risks `attributes`; records `health_records`
and one file a kind; emergencies `triage`; a harmful answer `safety`; what is put before the assistant `context`;
the assistant without a model `offline`; sourced facts `knowledge`; what reaches an owner `inbox`.
"""
