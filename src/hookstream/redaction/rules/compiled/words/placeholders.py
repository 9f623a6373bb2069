"""words/placeholders.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
EXACT = frozenset('stdin stdout changeit changeme change-me change_me replaceme replace-me replace_me todo tbd none null nil undefined true false yes no on off str string bytes text any object number int integer float bool boolean optional required varchar char function func void unknown never self this input readonly secretstr redacted removed masked hidden omitted example dummy placeholder empty unset default test foo bar baz foobar abc xxx yyy zzz n/a na tba insert_here secret password pass passwd passphrase token key apikey api_key api-key value credentials bearer basic digest negotiate yourpassword yourtoken yoursecret yourapikey your_password mypassword mytoken username user email inherit write read admin-only ephemeral random generated include same-origin omit anonymous use-credentials legacy passwort kennwort contraseña senha wachtwoord'.split())
