"""Secrets handed to commands as options."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

RULES = (
    Rule(
        "flag-secret",
        r"(?i)-[a-z0-9_]{0,32}"
        r"(?:password|passwd|passphrase|passcode|pass|pwd|secret|token|key|credentials?|auth|pat|passwort|kennwort"
        r"|contrasena|senha|wachtwoord|haslo|segret)"
        r"[a-z0-9_-]{0,16}(?:\\{0,3}[\"']?,?[ \t]{1,8}|\x00|\r?\n[ \t]{0,16}- )",
        (
            "pass",
            "pwd",
            "secret",
            "token",
            "key",
            "credential",
            "auth",
            "pat",
            "kennwort",
            "contrasena",
            "senha",
            "wachtwoord",
            "haslo",
            "segret",
        ),
        "command line options whose name says secret",
        (
            "login --password " + "hunt" + "er2",
            "deploy --api-token '" + "q9Zx" * 5 + "'",
            "Connect-Thing -Password " + "hunt" + "er2",
        ),
        ("login --password-stdin", "run --token $TOKEN", "pip --keyring-provider x"),
        reads="option",
        starts=("-",),
        weight=1,
    ),
    Rule(
        "flag-user-password",
        r"(?i)(?:\bcurl|\bwget|\bhttps?|\bxh|\bcurlie|\bhttpie)\b[^\n]{0,400}?[ \t]"
        r"(?:-[a-zA-Z]{0,6}u|--user|-a|--auth|--proxy-user)[ =]{0,2}[\"']?[^\s:\"'$/\[]{1,64}:([^\s\"'`]{2,256})",
        ("curl", "wget", "http", "xh"),
        "https://curl.se/docs/manpage.html#-u",
        ("curl -u admin:" + "hunt" + "er2 https://api.example.com",),
        ("curl -u admin https://api.example.com", 'curl -u "$USER:$PASS" https://x.test'),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "flag-short-password",
        r"(?:(?:\bmysql|\bmysqldump|\bmysqladmin|\bmariadb|\bmariadb-dump|\bmysqlimport)\b[^\n|;&]{0,300}?[ \t\"',]-p"
        r"|(?:\bsshpass"
        r"|\bdocker login|\bpodman login|\bmongo|\bmongosh|\bmongodump|\bmongorestore|\bcqlsh"
        r"|\bldapmodify|\bhelm registry login|\boc login|\baz login|\bsqlplus|\bbuildah login"
        r"|\bskopeo login|\bclickhouse-client|\binflux|\b7za?|\bunrar|\buseradd|\busermod|\brabbitmqadmin|\brdesktop|\bevil-winrm|\btwine)\b[^\n|;&]{0,300}?[ \t]-p[ =]?)"
        r"([^\s\"'`|;&-][^\s\"'`|;&]{1,256}|\"[^\"\n]{2,256}\"|'[^'\n]{2,256}')",
        (
            "mysql",
            "mariadb",
            "sshpass",
            "login",
            "mongo",
            "cqlsh",
            "ldapmodify",
            "sqlplus",
            "clickhouse",
            "influx",
            "7z",
            "unrar",
            "useradd",
            "usermod",
            "rabbitmqadmin",
            "rdesktop",
            "winrm",
            "twine",
        ),
        "https://dev.mysql.com/doc/refman/8.0/en/command-line-options.html",
        ("mysql -u root -p" + "hunt" + "er2 shop", "sshpass -p " + "hunt" + "er2 ssh host"),
        ("mysql -u root -p", "ssh -p 2222 host", "mysql -p $PW"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "flag-other-password",
        r"(?:\bredis-cli\b[^\n|;&]{0,200}?[ \t]-a|\bsqlcmd\b[^\n|;&]{0,200}?[ \t]-P"
        r"|\bbcp\b[^\n|;&]{0,200}?[ \t]-P|\bldap(?:search|add|modify|delete|passwd|whoami)\b[^\n|;&]{0,200}?[ \t]-w"
        r"|\bzip\b[^\n|;&]{0,200}?[ \t]-P|\bunzip\b[^\n|;&]{0,200}?[ \t]-P"
        r"|\bopenssl\b[^\n|;&]{0,200}?[ \t]-k|\bipmitool\b[^\n|;&]{0,200}?[ \t]-P"
        r"|\bcadaver\b[^\n|;&]{0,200}?[ \t]-p|\bvncviewer\b[^\n|;&]{0,200}?[ \t]-p"
        r"|\brabbitmqctl[ \t]{1,4}(?:add_user|change_password)[ \t]{1,4}[^\s]{1,64}"
        r"|\bnet use\b[^\n|;&]{0,200}?/user:[^\s]{1,64}"
        r"|\bvault login|\bssh-keygen\b[^\n|;&]{0,200}?[ \t]-N"
        r"|\bwinrm\b[^\n|;&]{0,200}?-p:?|\bnuget[ ]push\b[^\n|;&]{0,200}?[ \t]-(?:k|ApiKey)|\bevil-winrm\b[^\n|;&]{0,200}?-p|\bxfreerdp\b[^\n|;&]{0,200}?/p:"
        r")[ \t]{0,4}",
        (
            "vault login",
            "ssh-keygen",
            "redis-cli",
            "sqlcmd",
            "bcp",
            "ldap",
            "zip",
            "openssl",
            "ipmitool",
            "cadaver",
            "vncviewer",
            "rabbitmqctl",
            "net use",
            "winrm",
            "xfreerdp",
            "nuget push",
        ),
        "the manual pages of these programs",
        (
            "redis-cli -h cache -a " + "hunt" + "er2 ping",
            "ldapsearch -x -D cn=admin -w " + "hunt" + "er2",
            "rabbitmqctl add_user app " + "hunt" + "er2",
        ),
        ("redis-cli -h cache ping", "zip -r out.zip src"),
        reads="argument",
        weight=1,
    ),
    Rule(
        "pass-argument",
        r"(?:-passin|-passout|-pass|-storepass:env|-password)[ =]{1,2}[\"']?pass:([^\s\"'`]{2,256})",
        ("pass:",),
        "https://docs.openssl.org/master/man1/openssl-passphrase-options/",
        ("openssl rsa -in k.pem -passin pass:" + "hunt" + "er2",),
        ("openssl rsa -in k.pem -passin env:KEYPASS", "openssl rsa -passin stdin"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "keytool-password",
        r"-(?:storepass|keypass|srcstorepass|deststorepass)[ \t]{1,4}",
        ("storepass", "keypass"),
        "https://docs.oracle.com/en/java/javase/21/docs/specs/man/keytool.html",
        ("keytool -genkey -storepass " + "hunt" + "er2",),
        ("keytool -list -keystore app.jks", "keytool -storepass $PW"),
        reads="argument",
        weight=1,
    ),
    Rule(
        "smb-user-password",
        r"(?:\bsmbclient|\brpcclient|\bsmbmap|\bcrackmapexec|\bmount)\b[^\n]{0,200}?"
        r"(?:-U[ =]?[\"']?[^\s%\"']{1,64}%[\"']?|[,=]pass=)([^\s\"',]{2,128})",
        ("-u", "pass="),
        "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html",
        ("smbclient //srv/share -U alice%" + "hunt" + "er2",),
        ("smbclient //srv/share -U alice", "mount -t tmpfs x y"),
        group=1,
        validate="word",
        weight=1,
    ),
)
