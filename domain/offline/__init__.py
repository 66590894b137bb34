"""The assistant that needs no model: it understands owners' messages by rules and answers from what is stored.

Where to look: what a message says `extractor`; what is answered `responder`.
"""
