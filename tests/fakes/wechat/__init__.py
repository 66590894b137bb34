"""A fake of WeChat's servers, spoken to over real HTTP. It shares no code with the product.

world.py       what it knows: apps, people, codes, tokens, templates, quotas, links, and its own clock
answers.py     error answers as WeChat gives them: HTTP 200, `errcode`, an `errmsg` that ends in a rid
wire.py        the ASGI application: records every request, checks tokens, finds the handler
injections.py  faults on demand, below the handlers: delays, cut answers, wrong types, rejected tokens
people.py      code2session, phone numbers, session keys, risk ranks
tokens.py      both families of access tokens
subscribe.py   subscribe messages and their templates; field_rules.py has the limits of each field type
security.py    text and media checks
codes.py       mini codes, links and schemes
crypto.py      signatures and encryption of the message push
events.py      what is pushed, as XML or JSON
push.py        the push emitter: three tries, five seconds, and the adversarial variants
control.py     /_fake/*: the same levers over HTTP, for tests in other processes
server.py      the fake on a real socket
"""
