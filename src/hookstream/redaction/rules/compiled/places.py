"""places.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('snmp-community', '(?i)\\bsnmp-server community ([^\\s]{4,64})', ('snmp-server',), 1, 'word'),
    ('net-user-password', '(?i)\\bnet1? user ["\']?[^\\s/"\']{1,64}["\']? ([^\\s/*][^\\s]{2,127})', ('net user', 'net1 user'), 1, 'word'),
    ('seed-phrase', '(?i)\\b(?:seed|recovery|mnemonic|backup|secret|wallet)[ _-]?(?:phrase|words|seed)?(?: is)?[:= ]{1,3}["\'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\\b', ('seed', 'recovery', 'mnemonic', 'backup', 'secret', 'wallet'), 1, 'wordlist'),
    ('api-header', '(?i)\\bx-[a-z0-9-]{0,40}(?:api|auth)\\\\{0,3}["\']?[ ]?[:=,][ ]?\\\\{0,3}["\']?([a-z0-9_.=+/-]{16,512})', ('x-',), 1, 'entropy', '', 'low'),
    ('cookie-argument', '(?:\\bcurl|\\bwget|\\bhttps?|\\bxh)\\b[^\\n]{0,400}?[ \\t](?:-b|--cookie|--cookie=)[ ]{0,2}["\']?[A-Za-z0-9_.-]{1,64}=([^\\s;"\']{8,4096})', ('curl', 'wget', 'http', 'xh'), 1, 'word', '', 'low'),
    ('signing-call', '\\b(?:jwt\\.(?:sign|verify|encode|decode)\\([^,\\n]{1,160}, {0,2}|hmac\\.new\\( {0,2}|createHmac\\(["\'][A-Za-z0-9-]{2,16}["\'], {0,2}|Fernet\\( {0,2}|HMAC\\( {0,2})[rb]?["\']([^"\'\\n]{8,512})["\']', ('jwt.', 'hmac.new(', 'createhmac(', 'fernet(', 'hmac('), 1, 'word', '', 'low'),
    ('connection-call', '\\bgetConnection\\([^"\\n]{0,200}(?:"[^"\\n]{0,512}", {0,2})?"[^"\\n]{1,128}", {0,2}"([^"\\n]{3,256})"\\)', ('getconnection(',), 1, 'word', '', 'low'),
    ('one-time-code', '(?i)\\b(?:otp|one[- ]time (?:code|password|pin)|verification code|2fa code|mfa code|login code|auth(?:entication)? code|security code|pin code|pin|cvv|cvc)(?: is|[:=]|: is)[ ]{0,2}([0-9]{3,8})\\b', ('otp', 'one-time', 'one time', 'pin', 'cvv', 'cvc', 'verification code', '2fa code', 'mfa code', 'login code', 'auth code', 'authentication code', 'security code'), 1, 'code', '', 'low'),
    ('licence-key', '(?i)\\b(?:licen[sc]e|serial|product|activation|recovery|backup)[ _-]?(?:keys?|numbers?|codes?)(?: is| are)?[:= ]{1,3}["\'`]?([a-z0-9]{4,8}(?:-[a-z0-9]{4,12}){1,7})\\b', ('licen', 'serial', 'product', 'activation', 'recovery', 'backup'), 1, 'mixed', '', 'low'),
    ('fcm-server-key', '\\bAAAA[A-Za-z0-9_-]{7}:APA91[A-Za-z0-9_-]{120,160}', (':apa91',)),
    ('capability-url', '(?i)https?://[a-z0-9.-]{3,128}(?::[0-9]{1,5})?/(?:[a-z0-9_.~-]{1,40}/){0,4}?(?:[a-z0-9_-]{0,16}hooks?[a-z0-9_-]{0,16}|incoming|trigger|notify|callback)/(?:[a-z0-9_.~@-]{1,40}/){0,4}([A-Za-z0-9_-]{16,256})', ('hook', '/incoming/', '/trigger/', '/notify/', '/callback/'), 1, 'entropy', '', 'low', (), '', '(?i)/(?:[a-z0-9_-]{0,16}hooks?[a-z0-9_-]{0,16}|incoming|trigger|notify|callback)/'),
    ('heartbeat-url', '\\b(?:hc-ping\\.com|healthchecks\\.io/ping|heartbeat\\.uptimerobot\\.com|cronitor\\.link/p|betteruptime\\.com/api/v1/heartbeat|uptime\\.betterstack\\.com/api/v1/heartbeat|nosnch\\.in|ntfy\\.sh)/([A-Za-z0-9-]{10,64})\\b', ('hc-ping.com', 'healthchecks.io', 'uptimerobot', 'cronitor', 'betteruptime', 'betterstack', 'nosnch', 'ntfy.sh'), 1, 'mixed'),
    ('composer-auth', '"(?:github-oauth|gitlab-token|gitlab-oauth|forgejo-token|bearer)"[ \\t]{0,4}:[ \\t\\r\\n]{0,8}\\{[ \\t\\r\\n]{0,16}"[^"\\n]{3,128}"[ \\t]{0,4}:[ \\t]{0,4}"([^"\\n]{8,256})"', ('"github-oauth"', '"gitlab-token"', '"gitlab-oauth"', '"forgejo-token"', '"bearer"'), 1, 'word'),
    ('terraform-password', '"random_(?:password|string)"[^\\x1f]{0,600}?"result"[ \\t]{0,4}:[ \\t]{0,4}"([^"\\n]{6,256})"', ('random_password', 'random_string'), 1, 'word', '', 'high', (), '', 'random_(?:password|string)'),
    ('masked-value', '::add-mask::([^\\s:$]{4,512})', ('::add-mask::',), 1, 'word'),
    ('private-key-end', '-----END (?:[A-Z0-9]{2,9} ){0,2}PRIVATE KEY-----', ('private key-----',), 0, '', 'pem_end'),
    ('bind-password', '(?i)\\b(?:bindpw|bind_pw|rootpw|olcrootpw|ldap_default_authtok|proxypasswd)\\b[ \\t]{0,4}[:=]?[ \\t]{1,8}', ('bindpw', 'bind_pw', 'rootpw', 'default_authtok', 'proxypasswd'), 0, '', 'argument', 'low'),
    ('mail-map-password', '\\]?:(?:25|465|587|2525)[ \\t]{1,8}[^\\s:]{1,80}:([^\\s:]{4,128})', (':25 ', ':465 ', ':587 ', ':2525 ', ':25\t', ':465\t', ':587\t', ':2525\t'), 1, 'word', '', 'low'),
    ('spoken-pair', '(?i)\\b(?:ldap|smtp|imap|s?ftp|login|log in|creds|credentials|bind|sign in)\\b[^\\n/]{0,60}?(?:[ ]/[ ]|[ ]with[ ]|[ ]and[ ])(?:password[ ])?([^\\s"\\x27`,;/]{6,64})', ('ldap', 'smtp', 'imap', 'ftp', 'login', 'log in', 'creds', 'credentials', 'bind', 'sign in'), 1, '', 'value_beside', 'low', (), '', '(?i)\\b(?:ldap|smtp|imap|s?ftp|login|log in|creds|credentials|bind|sign in)\\b'),
    ('newusers-password', '(?m)^[a-z_][a-z0-9_-]{0,31}:([^:\\s]{4,128}):[0-9]{0,7}:[0-9]{0,7}:[^:\\n]{0,128}:/[^:\\s]{0,128}:/[^:\\s]{1,64}', (':/',), 1, 'mixed', '', 'low'),
    ('azure-key-row', '\\bkey[1-9][ \\t]{1,16}(?:FULL|READ|Full|Read)[ \\t]{1,16}([A-Za-z0-9+/]{40,100}={0,2})', ('key',), 1),
)
