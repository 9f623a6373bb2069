"""Secrets in addresses: URLs, connection strings, logins of databases, SQL that sets them."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

RULES = (
    Rule(
        "url-userinfo",
        r"(?i)\b[a-z][a-z0-9+.-]{1,24}:(?:\\?/){2}[^\s:@/?#\"'<>`\\\[]{0,128}:([^\s@/\"'<>`]{1,256})@[^\s@]",
        ("://", ":\\/\\/"),
        "RFC 3986, section 3.2.1",
        (
            "postgres://app:" + "hunt" + "er2@db.internal:5432/shop",
            "redis://:" + "s3cr" + "etpw@cache:6379/0",
        ),
        (
            "https://example.com:8080/path@2",
            "postgres://app:${DB_PASSWORD}@db/shop",
            "https://user@example.com/",
        ),
        group=1,
        validate="word",
    ),
    Rule(
        "url-userinfo-odd",
        r"(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|oracle|ftps?|"
        r"sftp|ssh|smb|ldaps?|https?|clickhouse|cockroachdb|sqlserver|snowflake)(?:\+[a-z0-9]{1,16})?"
        r"://[^\s:@/?#\"'<>`\\\[]{0,64}:([^\s\"'<>`@]{1,128}(?:@[^\s\"'<>`@./:]{1,64}){0,2})@"
        r"[a-z0-9_.\[-]{1,128}(?:[:/?]|\b)",
        ("://",),
        "a password with / or @ left unescaped, as people write it",
        ("mysql://app:" + "p@ss" + "/w0rd@db.internal/shop",),
        ("https://example.com:8080/a/b@c", "https://x.test/npm/:id/@scope/pkg"),
        group=1,
        validate="userinfo",
    ),
    Rule(
        "url-token-user",
        r"(?i)\bhttps?://([a-z0-9_=-]{20,255})@[a-z0-9.-]{3,}",
        ("://",),
        "https://git-scm.com/docs/gitcredentials: a token in the place of the user",
        ("https://" + "a1B2" * 7 + "@git.example.com/x.git",),
        ("https://deploy-user-of-the-team@example.com/x.git", "https://user@example.com"),
        group=1,
        validate="entropy",
    ),
    Rule(
        "url-query-secret",
        r"(?i)[?&;](?:[a-z0-9_.-]{0,24}(?:token|secret|passw(?:or)?d|api[_-]?key|apikey|access[_-]?key|"
        r"signature|credential|jwt|auth|pwd)[a-z0-9_-]{0,16}|sig|key|code|sid|pass|x-amz-signature"
        r"|hmac|appkey|appid|subscription-key)=((?:[0-9]{13,17}\|)?[^\s&#\"'<>`\\|;(){}]{6,2048})",
        (
            "token=",
            "secret",
            "passw",
            "key",
            "signature",
            "credential",
            "jwt",
            "auth",
            "pwd",
            "sig=",
            "code=",
            "sid=",
            "pass=",
            "hmac=",
            "appid=",
        ),
        "RFC 6750, section 2.3, and signed URLs",
        (
            "https://api.example.com/v1?access_token=" + "a1B2" * 6,
            "https://maps.example.com/js?key=" + "a1B2" * 8,
        ),
        ("https://x.test/?key=value&code=404", "https://x.test/?token=$TOKEN"),
        group=1,
        validate="parameter",
        weight=1,
    ),
    Rule(
        "connection-string",
        r"(?i);[ ]?(?:pwd|password|passwd|accountkey|sharedaccesskey|sharedsecret|access ?key|"
        r"accesskeysecret|secret|token)=([^;\s\"'&<>=][^;\n\"'<>]{0,255})(?:;|\"|'|\n|$)",
        ("pwd", "password", "passwd", "key", "secret", "token"),
        "https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax",
        (
            "Server=db;Database=shop;User Id=sa;Password=" + "Hunt" + "er2!;Encrypt=true",
            "Driver={ODBC Driver 18};UID=sa;PWD=" + "hunt" + "er2;",
        ),
        ("Server=db;Integrated Security=true;", "Server=db;Password=${PW};"),
        group=1,
        validate="connection",
        weight=1,
    ),
    Rule(
        "odbc-braced-password",
        r"(?i)\b(?:pwd|password)=\{([^}\n]{2,128})\}",
        ("pwd={", "password={"),
        "https://learn.microsoft.com/sql/odbc/reference/syntax/sqldriverconnect-function",
        ("DRIVER=x;UID=sa;PWD={" + "hunt" + "er;2};",),
        ("password={password}", "PWD={}"),
        group=1,
        validate="word",
    ),
    Rule(
        "oracle-easy-connect",
        r"\b[A-Za-z][A-Za-z0-9_$#]{1,30}/([^\s/@\"'<>:]{3,128})@(?://[A-Za-z0-9.-]{1,128}:[0-9]{2,5}|[A-Za-z0-9.-]{1,128}:152[0-9])[/:][A-Za-z0-9_.]{1,64}",
        ("@//", ":152"),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/netag/configuring-naming-methods.html",
        ("scott/" + "hunt" + "er2@//db.internal:1521/ORCLPDB1", "hr/" + "hunt" + "er2@db:1521/XE"),
        ("npm/scope@//cdn.x.test/y.js", "jdbc:oracle:thin:@//db:1521/shop", "sys/$PW@//db:1521/x"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "jdbc-oracle-password",
        r"(?i)jdbc:oracle:(?:thin|oci):[a-z0-9_$#]{1,64}/([^\s@\"']{1,128})@",
        ("jdbc:oracle",),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/jjdbc/",
        ("jdbc:oracle:thin:scott/" + "hunt" + "er2@//db:1521/shop",),
        ("jdbc:oracle:thin:@//db:1521/shop", "jdbc:oracle:oci:@tns"),
        group=1,
        validate="word",
    ),
    Rule(
        "sqlplus-login",
        r"(?i)\b(?:sqlplus|sqlldr|expdp|impdp|rman target)[ \t]{1,4}(?:-[a-z]{1,8}[ \t]{1,4}){0,3}"
        r"[\"']?[a-z0-9_$#]{1,64}/([^\s@\"'/][^\s@\"']{1,128})",
        ("sqlplus", "sqlldr", "expdp", "impdp", "rman"),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/",
        ("sqlplus scott/" + "hunt" + "er2@db",),
        ("sqlplus /nolog", "sqlplus -s scott@db"),
        group=1,
        validate="word",
    ),
    Rule(
        "sql-password",
        r"(?i)\b(?:identified[ \t]{1,4}(?:with[ \t]{1,4}[a-z0-9_']{1,32}[ \t]{1,4})?(?:by|as)(?:[ \t]{1,4}password)?"
        r"|(?:encrypted|unencrypted|with|set|role|user|login)[ \t]{1,4}(?:[a-z0-9_]{1,64}[ \t]{1,4}){0,4}"
        r"password(?:[ \t]{1,4}for[ \t]{1,4}[^\s=]{1,64})?(?:[ \t]{0,4}=|[ \t]{0,4}\()?)"
        r"[ \t]{0,4}N?[\"']([^\"'\n]{2,256})[\"']",
        ("identified", "password"),
        "SQL: CREATE USER and ALTER ROLE of MySQL, PostgreSQL, Oracle, SQL Server",
        (
            "CREATE USER 'app'@'%' IDENTIFIED BY '" + "hunt" + "er2'",
            "ALTER ROLE app WITH LOGIN PASSWORD '" + "hunt" + "er2'",
        ),
        ("IDENTIFIED BY RANDOM PASSWORD", "the user with password login"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "sql-identified-bare",
        r"(?i)\bidentified[ \t]{1,4}by[ \t]{1,4}([a-z0-9_$#!]{3,64})\b",
        ("identified",),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-USER.html",
        ("CREATE USER app IDENTIFIED BY " + "hunt" + "er2",),
        ("identified by the scanner", "IDENTIFIED BY RANDOM PASSWORD"),
        group=1,
        validate="mixed",
        weight=1,
    ),
)
