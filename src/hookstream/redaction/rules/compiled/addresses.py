"""addresses.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
ROWS: tuple[tuple, ...] = (  # type: ignore[type-arg]
    ('url-userinfo', '(?i)\\b[a-z][a-z0-9+.-]{1,24}:(?:\\\\?/){2}[^\\s:@/?#"\'<>`\\\\\\[]{0,128}:([^\\s@/"\'<>`]{1,256})@[^\\s@]', ('://', ':\\/\\/'), 1, 'word'),
    ('url-userinfo-odd', '(?i)\\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|oracle|ftps?|sftp|ssh|smb|ldaps?|https?|clickhouse|cockroachdb|sqlserver|snowflake)(?:\\+[a-z0-9]{1,16})?://[^\\s:@/?#"\'<>`\\\\\\[]{0,64}:([^\\s"\'<>`@]{1,128}(?:@[^\\s"\'<>`@./:]{1,64}){0,2})@[a-z0-9_.\\[-]{1,128}(?:[:/?]|\\b)', ('://',), 1, 'userinfo'),
    ('url-userinfo-further', '(?i)\\b[a-z][a-z0-9+.-]{1,24}:(?:\\\\?/){2}[^\\s/?#"\'<>`]{1,512}[,;][^\\s:@/?#"\'<>`,;]{0,64}:[^\\s@/"\'<>`,;]{1,128}@[a-z0-9_\\[]', ('://', ':\\/\\/'), 0, '', 'further_hosts'),
    ('url-token-user', '(?i)\\bhttps?://([a-z0-9_=-]{20,255})@[a-z0-9.-]{3,}', ('://',), 1, 'entropy'),
    ('url-query-secret', '(?i)[?&;](?:[a-z0-9_.-]{0,24}(?:token|secret|passw(?:or)?d|api[_-]?key|apikey|access[_-]?key|signature|credential|jwt|auth|pwd)[a-z0-9_-]{0,16}|sig|key|code|sid|pass|x-amz-signature|hmac|appkey|appid|subscription-key)=((?:[0-9]{13,17}\\|)?[^\\s&#"\'<>`\\\\|;(){}]{6,2048})', ('token=', 'secret', 'passw', 'key', 'signature', 'credential', 'jwt', 'auth', 'pwd', 'sig=', 'code=', 'sid=', 'pass=', 'hmac=', 'appid='), 1, 'digits', '', 'low'),
    ('connection-string', '(?i);[ ]?(?:pwd|password|passwd|accountkey|sharedaccesskey|sharedsecret|access ?key|accesskeysecret|secret|token)=([^;\\s"\'&<>=][^;\\n"\'<>]{0,255})(?:;|"|\'|\\n|$)', ('pwd', 'password', 'passwd', 'key', 'secret', 'token'), 1, 'connection', '', 'low'),
    ('odbc-braced-password', '(?i)\\b(?:pwd|password)=\\{([^}\\n]{2,128})\\}', ('pwd={', 'password={'), 1, 'word'),
    ('oracle-easy-connect', '\\b[A-Za-z][A-Za-z0-9_$#]{1,30}/([^\\s/@"\'<>:]{3,128})@(?://[A-Za-z0-9.-]{1,128}:[0-9]{2,5}|[A-Za-z0-9.-]{1,128}:152[0-9])[/:][A-Za-z0-9_.]{1,64}', ('@//', ':152'), 1, 'word', '', 'low'),
    ('jdbc-oracle-password', '(?i)jdbc:oracle:(?:thin|oci):[a-z0-9_$#]{1,64}/([^\\s@"\']{1,128})@', ('jdbc:oracle',), 1, 'word'),
    ('sqlplus-login', '(?i)\\b(?:sqlplus|sqlldr|expdp|impdp|rman target)[ \\t]{1,4}(?:-[a-z]{1,8}[ \\t]{1,4}){0,3}["\']?[a-z0-9_$#]{1,64}/(?:\\\\?")?([^\\s@"\'/\\\\][^\\s@"\'\\\\]{1,128})', ('sqlplus', 'sqlldr', 'expdp', 'impdp', 'rman'), 1, 'word'),
    ('sql-password', '(?i)\\b(?:identified[ \\t]{1,4}(?:with[ \\t]{1,4}[a-z0-9_\']{1,32}[ \\t]{1,4})?(?:by|as)(?:[ \\t]{1,4}password)?|(?:encrypted|unencrypted|with|set|role|user|login)[ \\t]{1,4}(?:[a-z0-9_]{1,64}[ \\t]{1,4}){0,4}password(?:[ \\t]{1,4}for[ \\t]{1,4}[^\\s=]{1,64})?(?:[ \\t]{0,4}=|[ \\t]{0,4}\\()?)[ \\t]{0,4}N?["\']([^"\'\\n]{2,256})["\']', ('identified', 'password'), 1, 'word', '', 'low'),
    ('sql-identified-bare', '(?i)\\bidentified[ \\t]{1,4}by[ \\t]{1,4}([a-z0-9_$#!]{3,64})\\b', ('identified',), 1, 'mixed', '', 'low'),
    ('cvs-root', ':(?:pserver|kserver|ext):[^\\s:@/"\']{1,64}:([^\\s@:/"\']{2,128})@', (':pserver:', ':kserver:', ':ext:'), 1, 'word'),
)
