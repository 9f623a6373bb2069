"""Redaction: content becomes digest and length, secrets go, people and machines become pseudonyms.

An Event: `redact` is the stage; `json_redactor` and `fields` go through its values,
`fragments` removes pieces of the secrets, `homes` and `digest` name and measure.

A text: `scanner` finds secrets in it. An engine names the `rules` that can match, their patterns
give places, an extractor of `extract` takes the value there, `decode` reads encodings. Modules that
reject a look-alike:

- `filters/placeholder`: the value alone shows that it is not a secret: a variable, `your-key`
- `validators`, `checkdigits`: the value alone lacks what this kind of secret or number has
- `classify`: what a value without a format is like: prose, code, random, made up, a password
- `field_names`: the name next to the value says what it is for
- `extract/fit`: a value under a secret's name, by how the two are joined
- `filters/false_positive`: asked last about anything found by a name, with the text around it
- `filters/embedded`: asked last about a token found by its format: a piece of a digest, a name

A new format or place is an entry of `rules/<family>.toml`; `compile` says what it may hold.
"""

from __future__ import annotations

from hookstream.redaction.redact import MODES, Redactor

__all__ = ["MODES", "Redactor"]
