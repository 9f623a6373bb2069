"""Passwords handed over at a login, whatever the program: user and password as options, as a pair,
on standard input, to a call, into a table, at a prompt.

These rules know no program. They know how a user's name and a password stand together, and leave
to the reader whether what stands there may be a password.
"""

# ruff: noqa: E501, S608 (a pattern or an example stays on one line; SQL as an example)
from __future__ import annotations

from hookstream.redaction.rules.assigned import KEYWORDS, NAME, STARTS
from hookstream.redaction.rules.rule import Rule

_WORD = r"(\"[^\"\n]{3,128}\"|'[^'\n]{3,128}'|[^\s\"'`|;&<>()-][^\s\"'`|;&<>()]{3,127})"
_USER = r"(?:-u|-U|-l|-n|-D|-un|-au|-xu|-gu|--user|--username|--admin|--login|/u:|/user:|/tu:)"

COMMANDS = (
    Rule(
        "login-options",
        r"[ \t]" + _USER + r"[ =]?[^\s-][^\s]{0,80}(?:[ \t][^\n|;&<>]{0,80}?)?[ \t]"
        r"(?:(?:-p|-P|-w|-W|-pass|-gp|-xp|-ap|/rp)[ =]|/t?p:|/password:|/pass:)" + _WORD,
        (" -p", " -w", " -gp", " -xp", " -ap", " /p", " /tp:", " /rp", "\t-p"),
        "programs that take a user and a password as options one after the other",
        (
            "anytool -u bob -p " + "Hunt" + "er2! status",
            "vmrun -gu bob -gp " + "hunt" + "er2 x",
        ),
        ("docker run -u app -p 8080:80 x", "ssh -l bob -p 2222 host", "tool -u bob -p $PW"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "login-pair",
        r"(?:--(?:src-|dest-|from-|to-)?creds|-auth|--user|--auth|-u|-A|-a|--proxy-user|user add|login|config(?: --global)? [a-z-]{1,24}\.[^\s]{1,64})"
        r"[ =][\"']?[A-Za-z0-9_.@\\-]{1,64}:" + _WORD,
        ("creds", "-auth", "--auth", "--user", " -u", " -a", "proxy-user", "user add", "config"),
        "programs that take user:password",
        (
            "podman pull --creds bob:" + "Hunt" + "er2! x",
            "curl -u bob:'" + "hunt" + "er2' https://x.test",
        ),
        ("docker run -u 1000:1000 x", "chown -a app:staff x", "curl -u bob:$PW x"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "password-command",
        r"\b(?:[a-z0-9]{1,24}[-_.:])?(?:(?:set|reset|change|update|add|create)[-_](?:[a-z]{1,16}[-_]){0,2}pass(?:word|wd)"
        r"|setpassword|newpassword|requirepass|masterauth|http-basic\.[^\s]{1,64}|(?:tacacs|radius)-server key|[a-z]{0,12}passwd[ \t]{1,4}(?:-[a-zA-Z]{0,6}[bs1-6][a-zA-Z]{0,4}))"
        r"[ \t]{1,4}([^\n|;&<>#()]{4,256})",
        ("password", "passwd", "requirepass", "masterauth", "http-basic", "-server key"),
        "subcommands that set a password: the last word of their line",
        (
            "virsh set-user-password vm root " + "Hunt" + "er2!",
            "CONFIG SET requirepass " + "hunt" + "er2",
            "slappasswd -s " + "Hunt" + "er2!",
        ),
        ("reset-password form is done", "set_password for the user"),
        reads="last",
        weight=1,
    ),
    Rule(
        "password-option",
        r"[ \t](?:-pw|-upw|-opw|-hp|/pw:|-passwd|-storepasswd)[ =]{0,2}" + _WORD,
        ("-pw", "-upw", "-opw", " -hp", "/pw:", "-passwd", "-storepasswd"),
        "short options that are called so for a password: PuTTY, Poppler, RAR, x11vnc",
        ("plink -ssh bob@h -pw " + "Hunt" + "er2! uptime", "rar a -hp" + "hunt" + "er2 a.rar d"),
        ("plink -pw $PW h", "tool -pwd x"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "account-pair",
        r"(?im)(?:^|[ \t>`\"'(=])(?:root|admin|administrator|sa|postgres|guest|ubuntu|pi|oracle|elastic|neo4j|sysdba|superuser)(?::|/| / )"
        r"([^\s\"'`/:|,;]{4,64})[\"'`)]{0,2}[ \t]{0,4}(?:$|\r?\n|[ @,;|])",
        (
            "root",
            "admin",
            "sa:",
            "sa/",
            "sa /",
            "postgres",
            "guest",
            "ubuntu",
            "pi:",
            "pi/",
            "pi /",
            "oracle",
            "elastic",
            "neo4j",
            "sysdba",
            "superuser",
        ),
        "the accounts that systems come with, and what is written behind them",
        ("root:" + "Hunt" + "er2!", "ssh in with root / " + "hunt" + "er2-99"),
        ("root:x:0:0", "admin / superuser", "root:wheel", "postgres:16"),
        reads="beside",
        weight=1,
    ),
    Rule(
        "piped-to-login",
        r"\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4}|'%s(?:\\n)?'[ \t]{1,4})?"
        r"(\"[^\"\n|]{4,128}\"|'[^'\n|]{4,128}'|[^\s\"'|]{4,128})\)?[ \t]{0,4}\|[ \t]{0,4}"
        r"(?:[^|\n]{0,80}(?:passphrase|password|passwd|--passwd-on-stdin|login\b|kinit\b|luks|unlock|secret-tool|insert -e|obscure)"
        r"|(?:su|realm join|sudo realm|runas)\b)",
        (
            "passphrase",
            "password",
            "passwd",
            "login",
            "kinit",
            "luks",
            "unlock",
            "secret-tool",
            "insert -e",
            "obscure",
            "| su ",
            "realm",
            "runas",
        ),
        "shell: a password on the standard input of a program that logs in or unlocks",
        (
            "echo '" + "Hunt" + "er2!' | kinit bob@X.TEST",
            "echo " + "hunt" + "er2 | gpg --passphrase-fd 0 -d f",
        ),
        ("echo done | tee login.log", 'echo "$PW" | kinit bob'),
        reads="handed",
        weight=1,
    ),
    Rule(
        "here-string-login",
        r"\b(?:kinit|su|sudo|passwd|cryptsetup|docker|podman|helm|gpg|smbpasswd|openconnect|vault|gh)\b[^\n|;<>]{0,120}<<<[ ]?"
        + _WORD,
        ("<<<",),
        "shell: a password as the standard input of a program that logs in or unlocks",
        ("kinit bob@X.TEST <<< '" + "Hunt" + "er2!'",),
        ('kinit bob <<< "$PW"', "cat <<< 'Hello1'"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "stdin-user-password",
        r"(?m)\b(?:chpasswd|smbpasswd)[^\n]{0,40}<<-?[ ]?[\"']?[A-Za-z_]{1,16}[\"']?\n[a-z_][a-z0-9_-]{0,31}:([^\s\"']{4,128})$",
        ("chpasswd", "smbpasswd"),
        "https://man7.org/linux/man-pages/man8/chpasswd.8.html: a here-document",
        ("chpasswd <<EOF\nroot:" + "hunt" + "er2\nEOF",),
        ("chpasswd <<EOF\nroot:$PW\nEOF",),
        reads="handed",
        weight=1,
    ),
)

DEVICES = (
    Rule(
        "listed-option",
        r"[\"'](?:sshpass|mysql[a-z]{0,8}|mariadb[a-z-]{0,8}|redis-cli|mongo[a-z]{0,8}|plink|psexec|smbclient)[\"'],[^\n]{0,80}?[\"']-[a-zA-Z]{1,2}[\"'],[ ]?"
        r"(\"[^\"\n]{4,128}\"|'[^'\n]{4,128}')",
        ("sshpass", "mysql", "mariadb", "redis-cli", "mongo", "plink", "psexec", "smbclient"),
        "the arguments of a program as a list",
        ("run(['sshpass', '-p', '" + "Hunt" + "er2!', 'ssh', 'h'])",),
        ("run(['mysql', '-u', 'root', '-h', 'db'])",),
        reads="handed",
        weight=1,
    ),
    Rule(
        "named-user-secret",
        r"\b(?:encrypt_string |smbclient //[^\s]{1,128} |net use [^\s]{1,128}[ ](?:\\{2,4}[^\s]{1,128}[ ])?|createUser [^\s]{1,64} (?:MD5|SHA[0-9-]{0,4}) |(?:PSK|EAP|XAUTH) |mc alias set [^\s]{1,64} https?://[^\s]{1,128} [^\s]{1,64} "
        r"|mc admin user add [^\s]{1,64} [^\s]{1,64} |bw unlock |bw login [^\s]{1,128} |wpa_passphrase [^\s]{1,64} |radtest [^\s]{1,64} |rclone obscure |authenticate_user [^\s]{1,64} |samba-tool user (?:create|add) [^\s]{1,64} "
        r"|dscl \. -passwd [^\s]{1,128} |-setairportnetwork [^\s]{1,16} [^\s]{1,64} |\bsecurity [a-z-]{1,32} [^\n]{0,80}?-[pPw] |certutil -p |LOGON [a-zA-Z0-9]{1,32}/[a-zA-Z0-9_]{1,32},|NickServ (?:IDENTIFY|identify) |user [a-z0-9_]{1,32} using )" + _WORD,
        ("encrypt_string", "smbclient", "net use", "createuser", "psk ", "eap ", "xauth ", "mc alias", "mc admin", "bw unlock", "bw login", "wpa_passphrase", "radtest", "rclone", "authenticate_user", "samba-tool", "-passwd", "-setairport", "security", "certutil", "logon", "nickserv", " using "),
        "programs and devices that take the secret behind a user or a place",
        (
            "net use z: " + "Hunt" + "er2! /user:bob",
            'bob : EAP "' + "Hunt" + 'er2!"',
        ),
        ("net use z: /delete", "PSK is used", "net use z: \\\\srv\\share"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "password-field-value",
        r"(?i)\btype=[\"']password[\"'][^<>\n]{0,200}?\bvalue=(\"[^\"\n]{3,256}\"|'[^'\n]{3,256}')",
        ('type="password', "type='password"),
        "HTML: a field for a password that is filled in",
        ('<input type="password" name="pw" value="' + "hunt" + 'er2">',),
        ('<input type="password" name="pw" value="">', '<input type="password" value="{{ pw }}">'),
        reads="handed",
        weight=1,
    ),
    Rule(
        "password-entered",
        r"(?i)(?:passw(?:or)?d|passphrase|passwort|contrase[^\s]{1,2}a)[^\n]{0,80}? (?:enter|entered|typed|try|tried|using|eingebe|nutze) [\"'`]?([^\s\"'`]{5,128})[\"'`]?[.,!]?(?:\s|$)",
        ("passw", "passphrase", "contrase"),
        "a line that says password, and further on what was typed",
        ("wrong password when I enter " + "Hunt" + "er2-99",),
        ("the password is checked using bcrypt", "enter the password with care"),
        reads="beside",
        starts=("passw", "passphrase", "contrase"),
        weight=1,
    ),
    Rule(
        "pair-to-log-in",
        r"(?i)\b(?:use|try|with) [\"'`]?[a-z0-9._-]{2,80}[ ]?[/:][ ]?([^\s\"'`/:]{5,128})[\"'`]? to (?:log|sign|connect)",
        (" to log", " to sign", " to connect"),
        "how people write a user and a password side by side",
        ("Use bob/" + "Hunt" + "er2! to log in",),
        ("use and/or to log", "use ssh/sftp to connect"),
        reads="handed",
        weight=1,
    ),
)  # fmt: skip

CALLS = (
    Rule(
        "login-call",
        r"(?i)(?:log_?in|log_?on|sign_?in|sign_?up|auth|authenticate|credentials?|basic|basic_?auth|connect|mysqldb|password"
        r"|pw_set|user|create_?superuser|ftp|sequelize|driver|password_?authentication|passwordcredential)(?:with[a-z]{1,32})?\("
        r"[^()\"'\n]{0,80}[rbu]?[\"'][^\"'\n]{0,80}[\"'],",
        ("',", '",'),
        "calls that take a user's name and a password",
        (
            "session.login('bob', '" + "Hunt" + "er2!')",
            "db.changeUserPassword('bob', '" + "hunt" + "er2')",
        ),
        ("connect('click', 'handler')", "login('bob', password)", "auth('read', 'write')"),
        reads="credential",
        weight=1,
    ),
    Rule(
        "hashed-password",
        r"(?i)\b(?:bcrypt|argon2|ph|scrypt|pbkdf2[a-z0-9_]{0,12}|hash|[a-z_]{0,16}encoder|pwd_context|hasher|password_hasher|crypt|md5|sha1|sha2|encrypt|gen_password)"
        r"(?:(?:\.|::|->)(?:hash|hashpw|hashsync|compare|comparesync|make|check|encode|matches|verify))?\([ ]?[rbu]?"
        r"(\"[^\"\n]{4,128}\"|'[^'\n]{4,128}')[,) ]",
        ("bcrypt", "argon2", "ph.", "scrypt", "pbkdf2", "hash.", "hash::", "encoder.", "pwd_context", "hasher", "crypt(", "md5(", "sha1(", "sha2(", "encrypt("),
        "a password in the open, handed to what hashes it",
        ("bcrypt.hash('" + "Hunt" + "er2!', 10)", "Hash::make('" + "hunt" + "er2')"),
        ("bcrypt.hash(password, 10)", "md5('utf-8')", "hash('sha256')"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "typed-password",
        r"(?i)(?:passw(?:or)?d|passphrase)[^\n\"'`]{0,16}(?:\][\"'`], |[\"'`], ?with:[ ]?|/i?\), |[ ]{2,8}id=[a-z_]{1,24}[ ]{2,8})"
        r"(\"[^\"\n]{4,128}\"|'[^'\n]{4,128}'|[^\s\"']{4,128}$)",
        ("with:", "), ", "]', ", ']", ', "]`, ", " id="),
        "tests of forms: Testing Library, Capybara, Robot Framework",
        ("fill_in('user_password', with: '" + "Hunt" + "er2!')",),
        ("fill_in('password', with: password)", "t('password', 'Password')"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "user-password-encoded",
        r"(?:\bbtoa\(|\bBuffer\.from\(|\bb64encode\([ ]?b?|\becho[ \t]{1,4}(?:-n[ \t]{1,4})?|\bprintf[ \t]{1,4})[\"'`]"
        r"[A-Za-z0-9_.@-]{1,64}:([^\s\"'`]{4,128})[\"'`](?:\)|[ \t]{0,4}\|[ \t]{0,4}(?:openssl )?base64)",
        ("btoa(", "buffer.from(", "b64encode(", "base64"),
        "RFC 7617, before it is encoded",
        ("btoa('bob:" + "Hunt" + "er2!')", "echo -n 'bob:" + "hunt" + "er2' | base64"),
        ("btoa('a:b')", "btoa(`${u}:${p}`)"),
        reads="handed",
        weight=1,
    ),
    Rule(
        "inserted-secret",
        r"(?i)\binsert[ \t]{1,4}into[ \t]{1,4}[^\s(]{1,80}[ ]?\(([^()]{4,800})\)[ \t\r\n]{0,8}values[ \t\r\n]{0,8}",
        ("insert",),
        "SQL: the values of columns whose names say secret",
        ("INSERT INTO u (name, password) VALUES ('bob', '" + "hunt" + "er2');",),
        (
            "INSERT INTO u (name, city) VALUES ('bob', 'Bonn1');",
            "INSERT INTO u (name, password) VALUES (?, ?)",
        ),
        reads="inserted",
        weight=1,
    ),
)  # fmt: skip

PROMPTS = (
    Rule(
        "prompted-password",
        r"(?im)(?:passw(?:or)?d|passphrase|passcode|passwort|kennwort|mot de passe|senha|contrase[^\s]{1,2}a)(?:[^A-Za-z0-9_\n=,\[\]{}][^\n=,\[\]{}]{0,100}?)?[:?](?:[ ]{1,3}|[ ]{0,3}\r?\n(?:\r?\n)?[ \t]{0,16}(?:[^\n:]{1,80}:[ ])?(?:[0-9]{2}\][^\n:]{1,80}:[ ])?)([^\s\"'`<>]{5,128})[ \t]{0,4}\r?$",
        ("passw", "passphrase", "passcode", "kennwort", "de passe", "senha", "contrase"),
        "a prompt or a label that asks for a password, and the one word behind it or below",
        (
            "Password for 'https://bob@git.test': " + "Hunt" + "er2!",
            "A temporary password is generated for root@localhost: " + "hunt" + "er2A",
        ),
        ("password authentication failed for user: bob", "password: required"),
        reads="beside",
        starts=("passw", "passphrase", "passcode", "kennwort", "mot de", "contrase", "senha"),
        weight=1,
    ),
    Rule(
        "dense-password",
        r"(?i)(?:passw(?:or)?d|passphrase|passcode|passwort|kennwort|mot de passe|contrase[^\s]{1,2}a|senha|credentials)[^\n]{0,80}?[ \t\"'`(=:>]"
        r"([a-z0-9_.-]{1,40}[+!@#$%^?&*][^\s\"'`<>(){}\[\]|,;\\]{1,60})",
        ("passw", "passphrase", "passcode", "kennwort", "de passe", "contrase", "senha", "credentials"),
        "digits, letters and signs in one word, on a line that says password",
        ("it rejects my password when I enter x" + "K9#mP2$vL" + "5n", "wrong passwd? " + "Hunt" + "er2!x"),
        ("password reset for bob@x.test", "password?.length > 8", "set the password (min. 8 chars!)"),
        reads="dense",
        starts=("passw", "passphrase", "passcode", "kennwort", "mot de", "contrase", "senha", "credentials"),
        weight=1,
    ),
    Rule(
        "returned-secret",
        NAME + r"(?:[ ]?=[ ]?)?\(\)[^\n\"'`]{0,40}?(?:\breturn|=>|->)[ \t]{0,4}",
        KEYWORDS,
        "functions that give back a secret",
        ("def get_password(): return '" + "Hunt" + "er2!'", "getPassword() { return \"" + "hunt" + "er2\"; }"),
        ("getPassword() { return this.password; }", "get_token() { return 'none'; }"),
        reads="result",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "returned-below",
        NAME + r"\(\)[^\n\"'`]{0,40}[:{][ \t]{0,4}\r?\n[ \t]{0,16}return[ \t]{1,4}",
        KEYWORDS,
        "functions that give back a secret",
        ("def password():\n    return '" + "Hunt" + "er2!'",),
        ("def password():\n    return read()", "def token():\n    return 'none'"),
        reads="result",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "expected-secret",
        NAME + r"[\"'\])]{0,3}\)?\.(?:not\.)?(?:to|is|equals?|eq|should)[A-Za-z.]{0,24}\([ ]?",
        KEYWORDS,
        "tests that compare a secret",
        ("expect(cfg.dbPassword).toBe('" + "Hunt" + "er2!')",),
        ("expect(form.password).toBe('required')", "password.toString('utf8')"),
        reads="result",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
)  # fmt: skip

RULES = COMMANDS + DEVICES + CALLS + PROMPTS
