"""credentials.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('netrc-password', '(?i)\\bmachine[ \\t\\n]{1,8}[^\\s]{1,128}[ \\t\\n]{1,8}(?:login|account)[ \\t\\n]{1,8}[^\\s]{1,128}[ \\t\\n]{1,8}password[ \\t\\n]{1,8}([^\\s"\']{2,256})', ('password',), 1, 'word', '', 'low'),
    ('bearer-token', '(?i)\\bbearer[ \\t]{1,4}([a-z0-9_.~+/-]{12,4096}={0,4})', ('bearer',), 1, 'digits', '', 'low'),
    ('basic-auth', '(?i)\\bbasic[ \\t]{1,4}([a-z0-9+/=_-]{8,1024})', ('basic',), 1, 'basic', '', 'low'),
    ('docker-auth', '\\\\{0,3}"(?:auth|identitytoken|registrytoken)\\\\{0,3}"[ \\t]{0,4}:[ \\t]{0,4}\\\\{0,3}"([A-Za-z0-9+/=_-]{8,4096})', ('"auth', 'auth\\', 'identitytoken', 'registrytoken'), 1, 'basic'),
    ('kubernetes-secret', '(?i)(?:\\bkind["\']?:[ \\t]{0,4}["\']?(?:sealed)?secret\\b|\\bpatch secrets?\\b|\\bstringdata\\\\{0,3}["\']?:)', ('secret', 'stringdata'), 0, '', 'kubernetes'),
    ('pgpass', '(?m)^[A-Za-z0-9_.*-]{1,128}:(?:5432|5433|6432|\\*):[A-Za-z0-9_*-]{1,64}:[A-Za-z0-9_*-]{1,64}:([^\\s:]{2,128})$', (':5432:', ':*:', ':6432:', ':5433:'), 1, 'digits'),
    ('npmrc-auth', '(?m)(?:^|[\\s"\':])_(?:authToken|auth|password)["\']?[ \\t]{0,4}=[ \\t]{0,4}["\']?([A-Za-z0-9_.+/=-]{6,1024})', ('_auth', '_password'), 1, 'word'),
    ('network-credential', '(?i)\\b(?:NetworkCredential|HTTPBasicAuth|HTTPDigestAuth|BasicAuth|SetBasicAuth|basic_auth|UsernamePasswordCredentials|PasswordAuthentication|PSCredential|PlainAuthenticator|simple_bind|simple_bind_s|bind_s|login|authenticate|auth)\\([ \\t\\n]{0,8}[rbu]?["\'][^"\'\\n]{0,128}["\'],[ \\t\\n]{0,8}[rbu]?["\']([^"\'\\n]{3,256})["\']', ('credential', 'auth', 'login(', 'bind(', 'bind_s('), 1, 'word'),
    ('auth-pair', '(?:\\b|_)auth["\']?[ ]?(?:=>?[ ]?[\\(\\[]|[ ])[ ]?[rbu]?["\'][^"\'\\n]{1,128}["\'],[ ]?[rbu]?["\']([^"\'\\n]{3,256})["\']', ('auth',), 1, 'word'),
    ('prefixed-token', '[_-](?:live|test|prod|secret|private|api|access|personal|auth|pat|sk|pk|rk|key|token|tok|bot)[_-]([A-Za-z0-9_-]{16,256})', ('_live', '_test', '_prod', '_secret', '_private', '_api', '_access', '_personal', '_auth', '_pat', '_sk', '_pk', '_rk', '_key', '_tok', '_bot', '-live', '-test', '-prod', '-secret', '-private', '-api', '-access', '-personal', '-auth', '-pat', '-sk', '-pk', '-rk', '-key', '-tok', '-bot'), 1, 'entropy', '', 'low'),
    ('kind-token', '\\b(?:sk|rk|pat|tok|token|secret|apikey)[_-]([A-Za-z0-9_-]{16,256})', ('sk', 'rk', 'pat', 'tok', 'secret', 'apikey'), 1, 'entropy', '', 'low'),
)
