"""An owner's data as files: everything that is kept about a household, taken along and brought back.

`schema` says what an export holds and what it leaves out, and why; `exporting` reads it; `folder` writes it as Markdown
that a person likes to read; `archive` packs both.
"""
