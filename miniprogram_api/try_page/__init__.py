"""The development page `/try`: a phone-sized chat in a browser, for looking at the service without a mini-program.

`try_page` serves it, in dev and test only. The files beside it are the page itself, plain HTML, CSS and ES modules:
`page.js` wires; `service.js` calls the API and holds the domain clock, `turn_stream.js` reads a turn's events; the rest
each draw one part of the page: `chat.js` and `turn_view.js`, `cards.js`, `confirmations.js`, `shares.js`, `trace.js`,
`tools.js`.
`words.js` is the Chinese of codes, `elements.js` makes elements out of text, never out of markup.
"""
