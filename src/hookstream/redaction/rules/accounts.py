"""Secrets beside the name of an account: in calls, maps, tables, dialogues and logs."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

_S = r"(\"[^\"\n]{3,128}\"|'[^'\n]{3,128}')"
_U = r"(?:\"[^\"\n]{1,80}\"|'[^'\n]{1,80}')"

CALLS = (
    Rule(
        "account-call",
        r"\b(?:UsernamePassword[A-Za-z]{5,24}|NetworkCredential|PSCredential|PasswordCredential|BasicAuth(?:entication|RequestInterceptor|Credentials|Interceptor)|HttpBasicAuth[A-Za-z]{0,12}|HTTPBasicAuth|HTTPDigestAuth|HttpNtlmAuth|PlainTextAuthProvider|PlainAuthenticator|PasswordAuthenticator|withBasicAuth|BasicCredentials"
        r"|username_pw_set|WiFi(?:Multi)?\.(?:begin|softAP|addAP|beginAP)|(?:wlan|sta_if|nic|station|wifi)\.connect|(?:Net::(?:FTP|SFTP|IMAP|POP3|SMTP))\.(?:open|start|new))\(\s{0,16}[rbu]?"
        + _U
        + r",\s{0,16}(?:[0-9]{2,5}, ?)?(?:"
        + _U
        + r",\s{0,16})?[rbu]?"
        + _S
        + r"\s{0,16}[,)]",
        (
            *(
                "usernamepassword",
                "credential",
                "basicauth",
                "digestauth",
                "ntlmauth",
                "authprovider",
            ),
            *(
                "authenticator",
                "username_pw_set",
                "wifi",
                "wlan.",
                "sta_if.",
                "nic.",
                "station.",
                "net::",
            ),
        ),
        "clients that take a user and a password, or a network and its password",
        (
            'new UsernamePasswordAuthenticationToken("bob", "' + "maple" + 'tree7")',
            'WiFi.begin("home", "' + "butter" + 'fly");',
        ),
        ('WiFi.begin("home", "");', "HTTPBasicAuth('bob', '$PW')", "username_pw_set(user, pw)"),
        reads="given",
        weight=1,
    ),
    Rule(
        "account-string",
        r"(?:(?:[cC]onnect|Connection|[cC]onnectionPool|SessionPool)\(\s{0,8}[\"'][A-Za-z]\w{1,32}/([^\s\"'@/]{3,128})@|\b[A-Za-z]\w{1,24}\.(?:Open|Connect|Logon|OpenDatabase|OpenConnection)[ (][ ]?\"[^\"\n]{0,200}\", ?\"[\w.@\\-]{1,64}\", ?(\"[^\"\n]{3,128}\"))",
        (
            "connect(",
            "connection(",
            "pool(",
            ".open ",
            ".open(",
            ".connect ",
            ".logon",
            ".opendatabase",
            ".openconnection",
        ),
        "drivers of Oracle, ADO",
        (
            'cx_Oracle.connect("bob/' + "hunt" + 'er2@h/x")',
            'conn.Open "DSN", "bob", "' + "maple" + 'tree"',
        ),
        ('connect("a/b")', 'fs.Open "a", "b", ""'),
        reads="given",
        weight=1,
    ),
    Rule(
        "protected-document",
        r"\b(?:[A-Za-z]{0,24}[Ss]heets?(?:\([^()\n]{1,40}\))?|[A-Za-z]{0,16}[Ww]orkbook|ws|wb|doc(?:ument)?|ActiveDocument|pdf|writer|PdfWriter\(\))\.(?:[Uu]nprotect|[Pp]rotect|[Ee]ncrypt|[Dd]ecrypt)[ (][ ]?(?:[Pp]assword:?=[ ]?)?"
        + _S,
        (".unprotect", ".protect", ".encrypt", ".decrypt"),
        "VBA, openpyxl, pypdf: a document's password",
        ('ActiveSheet.Unprotect "' + "butter" + 'fly"', 'writer.encrypt("' + "hunt" + 'er2")'),
        ("ws.protect(pw)", 'ActiveSheet.Unprotect ""'),
        reads="given",
        weight=1,
    ),
    Rule(
        "password-of-test",
        r"(?:\bgetpass[^\n\"']{0,24}[\"']?[^\n\"']{0,24}(?:return_value ?= ?|lambda[^:\n]{0,16}: ?|side_effect ?= ?\[?)|(?:[Pp]assw(?:or)?d|[Pp]wd)[^\n\"'`]{0,40},[ ]?\{[ ]?target:[ ]?\{[ ]?value:[ ]?|(?:[Pp]assw(?:or)?d|[Pp]wd)[^\n\"'`]{0,40}(?:typeText|replaceText|performTextInput|setText|enterText|sendKeys)\([ ]?)"
        + r"(\"[^\"\n]{3,128}\"|'[^'\n]{3,128}')",
        (
            "getpass",
            "target:",
            "target: ",
            "typetext(",
            "replacetext(",
            "performtextinput(",
            "settext(",
            "entertext(",
            "sendkeys(",
        ),
        "tests that type a password or stand in for its prompt",
        (
            "mock.patch('getpass.getpass', return_value='" + "butter" + "fly')",
            "fireEvent.change(passwordInput, { target: { value: '" + "hunt" + "er2' } })",
        ),
        ("getpass.getpass('Password: ')", "change(passwordInput, { target: { value: '' } })"),
        reads="given",
        weight=1,
    ),
    Rule(
        "accounts-of-map",
        r"(?i)\b(?:users|accounts|logins|user_?db|auth_?users|valid_?users|passwords|user_?passwords)[\"']?[ ]?(?::[ ]?[a-z\[\], ]{1,32})?[ ]?(?:=>|=|:)[ ]?[{(\[]{1,2}\s{0,16}[\"'][a-z0-9_.@-]{1,64}[\"'][ ]?(?:=>|:|,)[ ]?[\"']",
        ("users", "accounts", "logins", "userdb", "user_db", "passwords"),
        "programs that hold their users: names and passwords in a map or in pairs",
        (
            "USERS = {'bob': '" + "Hunt" + "er2-99', 'eve': '" + "q9Zx" + "71Lm'}",
            'accounts = [("bob", "' + "Xk4m" + 'Q9w2")]',
        ),
        ("users = {'bob': 'admin'}", "users = {'bob': 'user12', 'eve': 'b@x.test'}"),
        reads="of_map",
        weight=1,
    ),
    Rule(
        "words-of-array",
        r"\b[A-Z_]{0,32}(?:PASSWORDS?|PASSWDS?|PASSES|SECRETS)=\(([^()\n]{3,400})\)",
        ("passwords=(", "password=(", "passwds=(", "passwd=(", "passes=(", "secrets=("),
        "shell: passwords in an array",
        ('PASSWORDS=("' + "butter" + 'fly" "' + "hunt" + 'er2")',),
        ('PASSWORDS=("$A" "$B")', "SECRETS=()"),
        reads="of_array",
        weight=1,
    ),
    Rule(
        "echoed-by-function",
        r"\b[a-z_]{0,32}(?:pass|password|passwd|secret|askpass)(?:\(\)[ ]?\{[^\n}]{0,20}\n?[ \t]{0,8}|[^\n]{0,40}<<-?[ ]?[\"']?[A-Z]{1,8}[\"']?\n#![^\n]{1,40}\n)(?:echo|printf)[ ](?:-n )?"
        + _S,
        ("pass()", "password()", "passwd()", "secret()", "askpass"),
        "shell: functions and scripts that print a password when they are asked",
        ('get_pass() { echo "' + "butter" + 'fly"; }',),
        ('get_pass() { echo "$PW"; }',),
        reads="given",
        weight=1,
    ),
)

STATEMENTS = (
    Rule(
        "login-procedure",
        r"(?i)\bsp_(?:addlogin[ ](?:@loginame ?= ?)?N?'[^'\n]{1,80}', ?(?:@passwd ?= ?)?N?|password[ ](?:NULL|N?'([^'\n]{3,128})'), ?N?)'([^'\n]{3,128})'",
        ("sp_addlogin", "sp_password"),
        "https://learn.microsoft.com/sql/relational-databases/system-stored-procedures/sp-addlogin-transact-sql",
        ("EXEC sp_addlogin 'bob', '" + "butter" + "fly';",),
        ("EXEC sp_addlogin @l, @p", "EXEC sp_password NULL, @p, 'bob'"),
        reads="given",
        weight=1,
    ),
    Rule(
        "database-key",
        r"(?i)\b(?:pragma[ ]{1,4}(?:re|hex)?key[ ]?=[ ]?|attach[ ][^\n;]{1,120}?[ ]key[ ]|sqlite3_(?:re)?key(?:_v2)?\([^\"\n]{1,60})"
        + _S,
        ("pragma", "attach ", "sqlite3_"),
        "https://www.zetetic.net/sqlcipher/sqlcipher-api/",
        ("PRAGMA key = '" + "hunt" + "er2-99';",),
        ("PRAGMA key = ?", "ATTACH DATABASE 'a.db' AS a KEY ''"),
        reads="given",
        weight=1,
    ),
    Rule(
        "identified-bare",
        r"(?i)\b(?:create|alter)[ ]{1,2}user[ ]{1,2}[^\s]{1,64}[ ]{1,2}identified[ ]{1,2}by[ ]{1,2}\"?([a-z][^\s\"';]{2,127})|\bconnect[ ]to[ ][^\s]{1,64}[ ]identified[ ]by[ ]\"?([a-z][^\s\"';]{2,127})",
        (" by ",),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-USER.html",
        ("ALTER USER scott IDENTIFIED BY " + "tig" + "er;",),
        ("CREATE USER u IDENTIFIED BY password", "CREATE USER u IDENTIFIED BY $PW"),
        reads="given",
        weight=1,
    ),
)

DIALOGUES = (
    Rule(
        "chat-login",
        r"(?im)(?:nickserv(?:@[a-z0-9.]{1,64})?[ ]:?(?:identify|register|ghost[ ][^\s]{1,32}|recover[ ][^\s]{1,32})[ ](?:[a-z][a-z0-9_|-]{1,31}[ ])?([^\s]{3,128})[ \t]{0,4}\r?$|^PASS :?([^\s]{3,128})\r?\n(?:CAP|NICK|USER) )",
        ("nickserv", "pass "),
        "RFC 2812, services of IRC",
        ("PRIVMSG NickServ :IDENTIFY " + "butter" + "fly", "PASS " + "hunt" + "er2\nNICK bob"),
        ("NickServ IDENTIFY", "PASS $PW\nNICK bob"),
        reads="given",
        weight=1,
    ),
    Rule(
        "login-method",
        r"\"method\":\s?\"[A-Za-z0-9_./]{0,40}(?:login|logon|signin|signIn|authenticate|authorize|auth)\",\s?\"params\":\s?\[\s?\"[^\"\n]{1,80}\",\s?\"([^\"\n]{3,256})\"",
        ('"method"',),
        "JSON-RPC: a user and a password as parameters",
        ('{"method":"login","params":["bob","' + "butter" + 'fly"]}',),
        ('{"method":"login","params":["bob",""]}', '{"method":"list","params":["bob","x1y2z3"]}'),
        reads="given",
        weight=1,
    ),
    Rule(
        "login-attempt",
        r"\blogin attempt \[(?:b')?[^/'\]\n]{1,64}'?/(?:b')?([^'\]\n]{3,128})'?\]",
        ("login attempt [",),
        "https://docs.cowrie.org/: what was tried at a login",
        ("login attempt [root/" + "butter" + "fly] failed",),
        ("login attempt [root/***] failed",),
        reads="given",
        weight=1,
    ),
    Rule(
        "pickled-string",
        r"[SV]'?([A-Za-z_]{3,40})'?\n(?:p[0-9]{1,4}\n)?[SV]'([^'\n]{3,256})'\n",
        ("\ns'", "(s'", "\nv'", "ps'", "s'"),
        "https://docs.python.org/3/library/pickletools.html: protocol 0",
        ("(dp0\nS'password'\np1\nS'" + "butter" + "fly'\np2\n",),
        ("(dp0\nS'name'\nS'bob1'\n",),
        reads="named",
        weight=1,
    ),
)

TABLES = (
    Rule(
        "headed-column",
        r"(?im)^[ \t]{0,8}(?:(?:id|user|user ?name|login|name|host|hostname|server|email|account|role|port|db|database|service)[ ]{2,40}){1,6}(?:password|passwd|pass|secret|token|pwd)(?:[ ]{2,40}[a-z]{2,16}){0,4}[ \t]{0,8}\r?\n",
        ("  password", "  passwd", "  pass", "  secret", "  token", "  pwd"),
        "listings with columns apart by blanks",
        ("Username  Password\nbob       " + "Copp" + "er24\n",),
        ("Username  Password\nbob  is  away\n", "user   token\nbob    none\n"),
        reads="headed",
        weight=1,
    ),
    Rule(
        "wiki-column",
        r"(?im)^[ \t]{0,8}(\|(?:\||_\.)[^\n]{0,300}?(?:password|passwd|passphrase|secret|token|pwd)[^\n]{0,200})\r?\n",
        ("||", "|_."),
        "tables of Jira, Confluence and Textile",
        ("|| User || Password ||\n| bob | " + "Copp" + "er24 |\n",),
        ("|| User || Password ||\n| bob | required |\n", "|| token\nx"),
        reads="wiki",
        weight=1,
    ),
    Rule(
        "html-column",
        r"(?i)<th[^<>]{0,60}>[^<>\n]{0,20}(?:password|passwd|passwort|secret|token|api key)[^<>\n]{0,12}</th>",
        ("</th>",),
        "HTML: a table whose head says password",
        (
            "<tr><th>User</th><th>Password</th></tr><tr><td>bob</td><td>"
            + "Copp"
            + "er24</td></tr>",
        ),
        ("<tr><th>Password</th></tr><tr><td>required</td></tr>", "<th>Password</th>"),
        reads="html",
        weight=1,
    ),
)

RULES = CALLS + STATEMENTS + DIALOGUES + TABLES
