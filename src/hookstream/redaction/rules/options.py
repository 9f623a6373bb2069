"""Secrets that commands take for sure: by their options, in their place, on their input."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule
from hookstream.redaction.secret_options import COMMANDS


def _after(name: str) -> tuple[str, ...]:
    return f"{name} ", f"{name}\t", f"{name}.exe"


_NAMES = "|".join(
    name[:-1].replace(".", r"\.") + "[a-z]{2,12}" if name[-1] == "*" else name.replace(".", r"\.")
    for name in COMMANDS
)
_WORDS = tuple(name.rstrip("*").lower() for name in COMMANDS)
# Short names begin many a word: what may follow them belongs to them.
_KEYWORDS = tuple(word for name in _WORDS for word in (_after(name) if len(name) < 4 else (name,)))
_W = r"(\"[^\"\n]{3,256}\"|'[^'\n]{3,256}'|[^\s\"'`|;&<>()-][^\s\"'`|;&<>]{2,255})"

RULES = (
    Rule(
        "command-options",
        r"\b("
        + _NAMES
        + r")(?:\.exe)?[ \t][^\n]{0,400}?[-/](?:[AXPKNWZacknpsw]|pw|upw|opw|ap|xp|hmac|psk|srppass|pass|new|storepass|keypass|srcstorepass|deststorepass|destkeypass)[ =:]",
        _KEYWORDS,
        "the manual pages of these programs: several secrets each, be they plain words",
        (
            "snmpwalk -v3 -u bob -a SHA -A " + "Hunt" + "er21 -x AES -X " + "maple" + "tree sw1",
            "ldappasswd -x -D cn=admin -w " + "hunt" + "er2 -s " + "q9Zx" * 3 + " uid=bob",
            "openssl enc -aes-128-cbc -K " + "a1b2c3d4" * 4 + " -iv 0",
            "tsql -H db -p 1433 -U bob -P " + "Spar" + "row",
        ),
        (
            "snmpwalk -v2c -c public sw1",
            "unzip -p a.zip b.txt",
            "openssl x509 -in c.pem -noout",
            "sqlcmd -S db -P $PW",
            "ssh-keygen -t ed25519 -N '' -f k",
        ),
        reads="options",
        starts=_WORDS,
        weight=1,
    ),
    Rule(
        "command-place",
        r"\b(?:nmcli[ ][^\n]{0,200}?[ ](?:password|wep-key[0-3])|pdftk[ ][^\n]{0,300}?[ ](?:user_pw|owner_pw|input_pw(?:[ ][A-Za-z0-9]{1,8}=)?)"
        r"|rabbitmqctl[ ]{1,4}(?:--?[a-z]{1,12}[ =][^\s]{1,64}[ ]){0,2}(?:add_user|change_password|authenticate_user)[ ]{1,4}[^\s]{1,64}|set-initial-password"
        r"|mysqladmin[ ][^\n]{0,200}?[ ]password|http-basic\.[^\s]{1,80}[ ][^\s]{1,64}|iwctl[ ][^\n]{0,80}?--passphrase|iwconfig[ ][^\n]{0,80}?[ ]key(?: s:| restricted)?"
        r"|wpa_cli[ ][^\n]{0,80}?[ ](?:psk|password)|hostednetwork[^\n]{0,80}?[ ]key=|cf (?:auth|create-user)[ ][^\s]{1,64}|mvn[ ]{1,2}--encrypt-(?:master-)?password"
        r"|ipmitool[ ][^\n]{0,120}?user set password [0-9]{1,2}|ansible-vault encrypt_string|openssl passwd(?:[ ]-(?:[156]|apr1|salt [^\s]{1,16})){0,3}|travis encrypt"
        r"|gsettings set [a-z0-9.-]{1,64} [a-z-]{0,24}password|dbus-send[ ][^\n]{0,200}?string:pass(?:word)?:|-sPDFPassword=|-sUserPassword=|-sOwnerPassword="
        r"|kdb5_util[ ][^\n]{0,80}?-P|addprinc[ ][^\n]{0,80}?-pw|cpw[ ][^\n]{0,40}?-pw|change_password[ ][^\n]{0,40}?-pw|userpassword set|-setairportnetwork[ ][^\s]{1,16}[ ][^\s]{1,64}|drush (?:user:password|upwd)[ ][^\s]{1,64}|user:resetpassword[ ][^\s]{1,64}|lftp[ ][^\n]{0,120}?-u[ ]{0,2}[^\s,]{1,64},"
        r"|[Cc][Oo][Nn][Ff][Ii][Gg] [Ss][Ee][Tt] (?:requirepass|masterauth)|bundle config (?:set )?(?:--[a-z]{1,8} )?[^\s]{1,80} [^\s:]{1,64}:|isql[ ](?:-v[ ])?[A-Za-z]\w{1,32}[ ]\w{1,32}"
        r"|(?:runas|zfs (?:create|load-key|change-key)|vncpasswd|secret-tool store|ipa (?:user-add|passwd|user-mod)|smbpasswd|kinit|cryptsetup|openconnect|(?:docker|podman) secret create|--password)[^\n|;<>]{0,120}<<<)[ ]{0,4}",
        (
            *("nmcli", "pdftk", "rabbitmqctl", "set-initial-password", "mysqladmin", "http-basic."),
            *("iwctl", "iwconfig", "wpa_cli", "hostednetwork", "cf auth", "cf create-user", "mvn"),
            *("ipmitool", "encrypt_string", "openssl passwd", "travis", "gsettings", "dbus-send"),
            *("-spdfpassword", "-suserpassword", "-sownerpassword", "kdb5_util", "addprinc", "cpw"),
            *("change_password", "userpassword", "-setairport", "drush", "resetpassword", "lftp"),
            *("requirepass", "masterauth", "bundle config", "isql", "<<<"),
        ),
        "the manual pages of these programs: a word behind which the password stands",
        (
            "nmcli dev wifi connect home password " + "butter" + "fly7",
            "pdftk a.pdf output b.pdf user_pw " + "orch" + "ard",
            "rabbitmqctl add_user app '" + "hunt" + "er2'",
        ),
        ("nmcli dev wifi list", "rabbitmqctl list_users", "mysqladmin -u root password $PW"),
        reads="taken",
        weight=1,
    ),
    Rule(
        "argument-of-script",
        r"--script-args[= ][^\n]{0,200}?(?:pass|password)=([^\s,\"'}]{3,128})",
        ("--script-args",),
        "https://nmap.org/book/nse-usage.html#nse-args",
        (
            "nmap --script mysql-databases --script-args 'mysqluser=bob,mysqlpass="
            + "nut"
            + "meg' h",
        ),
        ("nmap --script-args 'userdb=u.txt,passdb=p.txt' h", "nmap --script-args x=1 h"),
        reads="given",
        weight=1,
    ),
    Rule(
        "file-transfer-login",
        r"\bl?ftp\b[^\n]{0,200}\n(?:[^\x1f]{0,160}?\n)?[ \t]{0,8}(?:quote )?(?:user|USER)[ ,][^\s,]{1,64}[ ,]([^\s;|&]{3,128})[ \t]{0,4}\r?\n",
        ("ftp",),
        "https://man7.org/linux/man-pages/man1/ftp.1.html: commands in a here-document",
        ("ftp -n h <<END\nuser bob " + "Blue" + "bird\nbinary\nEND",),
        ("ftp -n h <<END\nuser bob $PW\nEND\n", "ftp is old\nthe user has to\nwait"),
        reads="given",
        weight=1,
    ),
    Rule(
        "pdf-encryption",
        r"\bqpdf[ ][^\n]{0,120}?--encrypt[ ]{1,2}"
        + _W
        + r"[ ]{1,2}"
        + _W
        + r"[ ]{1,2}(?:40|128|256)\b",
        ("qpdf",),
        "https://qpdf.readthedocs.io/en/stable/cli.html#option-encrypt",
        ("qpdf --encrypt " + "hunt" + "er2 " + "maple" + "tree 256 -- a.pdf b.pdf",),
        ("qpdf --encrypt '' $PW 256 -- a b", "qpdf --decrypt a.pdf b.pdf"),
        reads="given",
        weight=1,
    ),
    Rule(
        "account-argument",
        r"\b(?:sqlplus|expdp|impdp|sqlldr|rman target|tnsping|sqlcl)[ ]{1,3}(?:-[A-Za-z]{1,2}[ ]{1,2}){0,2}(?:userid=)?[\"']?[A-Za-z][A-Za-z0-9_$#]{1,32}/([^\s\"'@/]{3,128})(?:@|[\"'\s]|$)",
        ("sqlplus", "expdp", "impdp", "tnsping", "sqlldr", "rman target", "sqlcl"),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/: user/password",
        ("sqlplus scott/" + "tig" + "er1@orcl", "expdp system/" + "hunt" + "er2 directory=d"),
        ("sqlplus / as sysdba", "sqlplus bin/$X", "exp a/b"),
        reads="given",
        weight=1,
    ),
    Rule(
        "account-at-host",
        r"\b(?:impacket-[A-Za-z]{3,16}|(?:psexec|smbexec|wmiexec|secretsdump|atexec|dcomexec|mssqlclient|GetUserSPNs|GetNPUsers|getTGT|getST|lookupsid|samrdump)\.py|sftp|scp|rsync|sshfs|mssql-cli|mycli|pgcli)[ ][^\n]{0,120}?[ \t'\"/][A-Za-z0-9_.$-]{1,64}:([^\s@:'\"/]{3,128})(?:@[A-Za-z0-9]|['\"]?(?: -|$))",
        (
            "impacket-",
            "psexec.py",
            "exec.py",
            "secretsdump",
            "mssqlclient",
            "get",
            "lookupsid",
            "samrdump",
            "sftp",
            "scp",
            "rsync",
            "sshfs",
            "mssql-cli",
            "mycli",
            "pgcli",
        ),
        "programs that take user:password@host without a scheme",
        (
            "impacket-psexec corp/bob:" + "butter" + "fly@h",
            "secretsdump.py dom/bob:" + "hunt" + "er2@h",
        ),
        ("scp bob@h:/tmp/x .", "rsync -a h:dir/ x/", "sftp bob@h"),
        reads="at_host",
        weight=1,
    ),
    Rule(
        "stored-by-path",
        r"\b(?:consul kv put|etcdctl[ ](?:[^\n]{0,60} )?put|redis-cli[ ](?:[^\n]{0,80} )?(?:SET|set))[ ][\"']?([^\s\"']{3,128})[\"']?[ ][\"']?([^\s\"']{3,256})",
        ("kv put", "etcdctl", "redis-cli"),
        "stores of values by key: the last part of the key says secret",
        ("consul kv put app/db/password " + "k1tch" + "3n42",),
        ("consul kv put app/db/host x1y2z3", "consul kv put app/db/password $PW"),
        reads="named",
        weight=1,
    ),
)
