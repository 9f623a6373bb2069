"""unmarked.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('discord-bot-token', '\\b[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}', ('.',), 0, 'mixed'),
    ('asana-token', '\\b[0-9]/[0-9]{10,20}(?:/[0-9]{10,20})?:[a-f0-9]{32}\\b', (':',), 0, '', '', 'high', ('0/', '1/', '2/', '3/', '4/', '5/', '6/', '7/', '8/', '9/')),
    ('okta-token', '\\b00[A-Za-z0-9_-]{40}\\b', ('00',), 0, 'cased', '', 'high', ('00',)),
    ('twilio-account-sid', '\\bAC[0-9a-f]{32}\\b', ('ac',)),
    ('twilio-pair', '\\bAC[0-9a-f]{32}["\']?[,:][ ]?["\']?([0-9a-f]{32})\\b', ('ac0', 'ac1', 'ac2', 'ac3', 'ac4', 'ac5', 'ac6', 'ac7', 'ac8', 'ac9', 'aca', 'acb', 'acc', 'acd', 'ace', 'acf'), 1),
    ('bitwarden-token', '\\b0\\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\.[A-Za-z0-9]{28,32}:[A-Za-z0-9+/=]{20,32}', ('0.',)),
)
