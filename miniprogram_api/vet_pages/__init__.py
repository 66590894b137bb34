"""What a vet sees in any browser, without an account: `/vet/{token}`, its `record.json` and `fhir`, and the note form.

`vet_pages` has the routes; `guard` decides whether a link opens (throttles, passcodes, link previews); `page` puts a
record into the templates beside it (plain HTML, one style sheet, no script); `words` holds both languages,
`weight_chart` the geometry of the curve, `record_json` the shape for other programs, `note_form` a note as a form.
"""
