"""The only floor that chooses real parts; nobody imports it.

Where to look: knobs `settings`; which parts are used `container`; the ASGI application `main`; the database and its
migrations `database`; the command line `cli`; what is logged `logging`; what leaves the process `adapters/`;
`pawsignal eval` `evaluation/`.
"""
