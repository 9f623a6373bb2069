"""Redaction: content becomes digest and length, secrets go, people and machines become pseudonyms.

An Event: `redact` is the stage; `walk` and `fields` go through its values, `claims` through what it
says of itself, `echoes` removes pieces of what was found, `homes` and `digest` name and measure.

A text: `scanner` finds secrets in it. An engine names the `rules` that can match, their patterns
give places, a module of `readers` takes the value there, `decode` looks behind encodings. Where a
line belongs that says "this is none":

- `placeholders`: the value alone shows that no secret stands there: a variable, a mask, `your-key`
- `validators`, `checkdigits`: the value alone lacks what this kind of secret or number has
- `sense`: what a value without a format is like: prose, code, random characters
- `names`: the name beside the value says what it is for
- `readers/fit`: a value under a secret's name, by how the two stand together
- `harmless`: asked last about anything found by a name, with the text around it
- `embedded`: asked last about a token found by its format: a piece of a digest or of other bytes
"""

from __future__ import annotations

from hookstream.redaction.redact import MODES, Redactor

__all__ = ["MODES", "Redactor"]
