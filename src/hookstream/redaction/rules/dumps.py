"""Secrets in dumps, logs and tables of programs, and in markup."""

# ruff: noqa: E501, S608 (a pattern or an example stays on one line; SQL as an example)
from __future__ import annotations

from hookstream.redaction.rules.assigned import KEYWORDS, NAME, STARTS
from hookstream.redaction.rules.rule import Rule

_V = r"([^\s\"'`<>]{4,128})"

RULES = (
    Rule(
        "serialized-string",
        r"\bs:[0-9]{1,3}:\\{0,3}\"([A-Za-z0-9_.-]{2,64})\\{0,3}\";s:([0-9]{1,4}):\\{0,3}\"",
        ('";s:',),
        "https://www.php.net/manual/en/function.serialize.php",
        ('a:1:{s:8:"password";s:7:"' + "yan" + 'kees";}',),
        ('a:1:{s:4:"name";s:7:"yankees";}', 's:8:"password";s:0:"";'),
        reads="serialized",
        weight=1,
    ),
    Rule(
        "cookie-file",
        r"\t(?:TRUE|FALSE)\t[^\t\n]{1,128}\t(?:TRUE|FALSE)\t[0-9]{1,12}\t[^\t\n]{1,128}\t([^\s]{6,4096})",
        ("\ttrue\t", "\tfalse\t"),
        "https://curl.se/docs/http-cookies.html: the format of Netscape's cookie file",
        ("#HttpOnly_x.test\tFALSE\t/\tTRUE\t1893456000\tsessionid\t" + "a1b2c3d4" * 4,),
        ("x.test\tFALSE\t/\tTRUE\t0\ttheme\tdark",),
        reads="given",
        weight=1,
    ),
    Rule(
        "dotted-password",
        r"\b[A-Za-z0-9_-]{0,40}(?:[Pp]assword|[Pp]asswd|[Pp]assphrase|[Ss]ecret)\.{4,80}([^\s\"'.<>*|][^\s\"'<>]{2,128})",
        ("password....", "passwd....", "passphrase....", "secret...."),
        "https://github.com/brettwooldridge/HikariCP: settings in a log, dots between",
        ("HikariConfig : password........................" + "Ein" + "tracht",),
        ("HikariConfig : password........................<masked>", "password.....none"),
        reads="given",
        weight=1,
    ),
    Rule(
        "struct-dump",
        r"[{ &][A-Za-z]{0,16}(?:User|Login|Host|Addr|Server|Endpoint)[A-Za-z]{0,12}:[^\s{}\"]{0,128} (?:[A-Z][A-Za-z0-9]{1,32}:[^\s{}\"]{0,128} ){0,8}[A-Za-z0-9]{0,24}(?:Password|Passwd|Pass|Secret|Token|APIKey|ApiKey|SecretKey|PrivateKey|PWD|Pwd):([^\s{}\"]{3,256})(?: [A-Z][A-Za-z0-9]{1,32}:|\})",
        ("password:", "passwd:", "pass:", "secret:", "token:", "key:", "pwd:"),
        "https://pkg.go.dev/fmt: %+v of a struct",
        ("config: {Host:x.test Port:5432 User:bob Password:" + "straw" + "berry SSLMode:disable}",),
        ("{Host:x.test Password: SSLMode:disable}", "{Name:x TokenKind:bearer}"),
        reads="given",
        weight=1,
    ),
    Rule(
        "history-password",
        r"(?i)(?:password(?:\\040for\\040[^\s\\]{1,80})?\\040?=\\040?|identified\\040by\\040|=[ ]?password\()'([^'\n]{3,256}?)'",
        ("\\040", "password('"),
        "https://dev.mysql.com/doc/refman/8.0/en/mysql-logging.html: blanks in the client's history",
        ("SET\\040PASSWORD\\040FOR\\040bob\\040=\\040'" + "F0I" + "tws77';",),
        ("SET\\040PASSWORD\\040FOR\\040bob\\040=\\040'';", "show\\040databases;"),
        reads="given",
        weight=1,
    ),
    Rule(
        "selected-secret",
        r"(?i)\bselect[ ]{1,4}([a-z0-9_.,` \"\[\]]{0,200}(?:passw|passphrase|pwd|secret|token|pass|api_?key)[a-z0-9_.,` \"\[\]]{0,120}?)[ \t]{1,4}from[ ][^\n]{1,400}\r?\n",
        ("select ",),
        "clients of databases: a query that names a column for a secret, and what they print",
        (
            "mysql> select host, login, passwd from ftp;\n| h.x.test | bob | "
            + "Harvest"
            + "*Maple11 |\n1 row",
        ),
        ("select id, password from users;\n", "select password from users;\n(0 rows)\n"),
        reads="selected",
        starts=("select",),
        weight=1,
    ),
    Rule(
        "ruled-column",
        NAME + r"(?:[ ]{2}[^\n\x1f]{0,240})?[ \t]{0,40}\r?\n[ \t]{0,16}[=-]{2,80}[ ]{1,40}[=-]{2}",
        KEYWORDS,
        "tables with columns apart by blanks and a line below the head: reStructuredText, sqlcmd, PowerShell",
        ("Host  User  Password\n===== ===== ========\ndb-1  bob   " + "XOt2" + "Eu1xy\n",),
        (
            "Name  Password\n----  --------\nbob   required\n",
            "Token  Use\n-----  ---\nword   a  b\n",
        ),
        reads="ruled",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "braced-password",
        r"(?i)(?:passw(?:or)?d|passphrase|passwort|kennwort|secret|token|mot de passe|contrase[^\s]{1,2}a)\*?[ ]?[:|=][ *]{0,3}(?:\{\{|\\texttt\{|\\verb\||\{monospace\}|<tt>|\{noformat\})([^{}<>|\s]{4,128})(?:\}|\||<)",
        ("{{", "\\texttt{", "\\verb|", "{monospace}", "<tt>", "{noformat}"),
        "https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all",
        ("h3. Access\n* Host: {{x.test}}\n* Password: {{" + "kawa" + "saki}}",),
        ("password: {{db_password}}", "token: {{token}}", "password: {{user1}}"),
        reads="in_braces",
        weight=1,
    ),
    Rule(
        "password-changed",
        r"(?i)\b(?:password|passphrase|passcode|passwort|kennwort|pwd|pw)(?: (?:on|for|of|in|at|to|auf|f[^\s]{1,2}r|von) [^\s]{1,64}(?: [a-z0-9_.-]{1,32})?| changed| was changed| wurde| has been changed){0,2} (?:from|von) [\"'`]?"
        + _V
        + r"[\"'`]? (?:to|into|auf|zu) [\"'`]?"
        + _V,
        ("password", "passphrase", "passcode", "kennwort", "passwort", "pwd", "pw"),
        "how people write of a password they changed",
        (
            "I changed the root password on db-1 from "
            + "Herr"
            + "ing1997 to "
            + "muff"
            + "in225 last night.",
            "changed the db password from " + "Liver" + "pool to " + "rasp" + "berry.",
        ),
        (
            "changed the password field from text to hidden",
            "move the password from config to env",
            "the password for bob from here to there",
        ),
        reads="changed",
        weight=1,
    ),
    Rule(
        "token-as-user",
        r"\bhttps?://([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}):?@",
        ("://",),
        "addresses of packages and repositories: a token as the user, without a password",
        ("pip install git+https://" + "b0fe6d51-1d5a-4d15-" + "bd5b-10d0cfd01f5f@x.test/a.git",),
        ("https://" + "a1b2c3d4" * 4 + "@o1.ingest.sentry.io/42", "https://a1b2@x.test"),
        reads="user_of_url",
        weight=1,
    ),
)
