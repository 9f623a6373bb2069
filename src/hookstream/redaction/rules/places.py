# ruff: noqa: E501
"""Further places where a value without a format is a secret: devices, calls, codes said aloud."""

from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

RULES = (
    Rule(
        "snmp-community",
        r"(?i)\bsnmp-server community ([^\s]{4,64})",
        ("snmp-server",),
        "https://www.cisco.com/c/en/us/td/docs/ios/netmgmt/command/reference/nm_book.html",
        ("snmp-server community " + "S3cr" + "3tCom RO",),
        ("snmp-server location x", "snmp-server community $C"),
        group=1,
        validate="word",
    ),
    Rule(
        "cisco-type-password",
        r"(?i)\b(?:password|secret|key|md5) [05789] ((?:[^\s\\]|\\[^nrt]){6,128})",
        ("password", "secret", "key", "md5"),
        "https://www.cisco.com/c/en/us/td/docs/ios-xml/ios/sec_usr_cfg/",
        ("username admin privilege 15 password 7 " + "08351F1B" + "1D431516475E",),
        ("secret 5 words", "key 7 turns left", "a wrong password 7 times\\n2. Ask for"),
        reads="chosen",
    ),
    Rule(
        "net-user-password",
        r"(?i)\bnet1? user [\"']?[^\s/\"']{1,64}[\"']? ([^\s/*][^\s]{2,127})",
        ("net user", "net1 user"),
        "https://learn.microsoft.com/windows-server/administration/windows-commands/net-user",
        ("net user bob " + "P@ss" + "w0rd1 /add",),
        ("net user bob /delete", "net user bob *", "net user %U% %P%"),
        group=1,
        validate="word",
    ),
    Rule(
        "seed-phrase",
        r"(?i)\b(?:seed|recovery|mnemonic|backup|secret|wallet)[ _-]?(?:phrase|words|seed)?(?: is)?[:= ]{1,3}[\"'`]?"
        r"((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b",
        ("seed", "recovery", "mnemonic", "backup", "secret", "wallet"),
        "BIP 39",
        (
            "seed phrase: "
            + "legal winner thank year wave sausage worth useful "
            + "legal winner thank yellow",
        ),
        ("seed phrase: twelve words", "secret garden in the old town"),
        group=1,
        validate="wordlist",
    ),
    Rule(
        "api-header",
        r"(?i)\bx-[a-z0-9-]{0,40}(?:api|auth)\\{0,3}[\"']?[ ]?[:=,][ ]?\\{0,3}[\"']?([a-z0-9_.=+/-]{16,512})",
        ("x-",),
        "headers of services that name them neither key nor token",
        ("X-JFrog-Art-Api: " + "a1B2c3D4" * 4,),
        ("X-Rate-Limit-Api: 100", "x-api: v1"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "cookie-argument",
        r"(?:\bcurl|\bwget|\bhttps?|\bxh)\b[^\n]{0,400}?[ \t](?:-b|--cookie|--cookie=)[ ]{0,2}[\"']?[A-Za-z0-9_.-]{1,64}="
        r"([^\s;\"']{8,4096})",
        ("curl", "wget", "http", "xh"),
        "https://curl.se/docs/manpage.html#-b",
        ("curl -b 'sessionid=" + "a1B2c3D4" * 4 + "' https://x.test",),
        ("curl -b cookies.txt https://x.test", "curl -b theme=dark https://x.test"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "cookie-list",
        r"(?i)cookies?\\{0,3}(?:[\"']?[ ]{0,2}[:=][ ]{0,2}[\[{]|(?:\.set|\.put|\.create|\.add)?\([ ]{0,2}[\"'{])",
        ("cookie",),
        "https://w3c.github.io/web-performance/specs/HAR/Overview.html#sec-object-types-cookies",
        (
            '"cookies": [{"name": "grafana_session", "value": "' + "a1B2c3D4" * 4 + '"}]',
            "s.cookies.set('sessionid', '" + "a1b2c3d4" * 4 + "', domain='x.test')",
            "requests.get(u, cookies={'PHPSESSID': '" + "a1b2c3d4" * 4 + "'})",
        ),
        (
            '"cookies": [{"name": "theme", "value": "dark-high-contrast"}]',
            "cookies.set('lang', 'en-GB-oxendict-2024')",
            "cookies = []",
        ),
        reads="jar",
        weight=1,
    ),
    Rule(
        "signing-call",
        r"\b(?:jwt\.(?:sign|verify|encode|decode)\([^,\n]{1,160}, {0,2}|hmac\.new\( {0,2}|createHmac\([\"'][A-Za-z0-9-]{2,16}[\"'], {0,2}"
        r"|Fernet\( {0,2}|HMAC\( {0,2})[rb]?[\"']([^\"'\n]{8,512})[\"']",
        ("jwt.", "hmac.new(", "createhmac(", "fernet(", "hmac("),
        "libraries that sign with a key given in source",
        ("jwt.sign(payload, '" + "a1B2c3D4" * 3 + "')", 'hmac.new(b"' + "a1B2c3D4" * 3 + '", msg)'),
        ("jwt.sign(payload, secret)", "hmac.new(key, msg, 'sha256')"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "connection-call",
        r"\bgetConnection\([^\"\n]{0,200}(?:\"[^\"\n]{0,512}\", {0,2})?\"[^\"\n]{1,128}\", {0,2}\"([^\"\n]{3,256})\"\)",
        ("getconnection(",),
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.sql/java/sql/DriverManager.html",
        ('DriverManager.getConnection(url, "app", "' + "hunt" + 'er2")',),
        ("getConnection(url, user, password)", 'getConnection("jdbc:h2:mem:x")'),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "one-time-code",
        r"(?i)\b(?:otp|one[- ]time (?:code|password|pin)|verification code|2fa code|mfa code|login code|auth(?:entication)? code"
        r"|security code|pin code|pin|cvv|cvc)(?: is|[:=]|: is)[ ]{0,2}([0-9]{3,8})\b",
        (
            *("otp", "one-time", "one time", "pin", "cvv", "cvc", "verification code", "2fa code"),
            *("mfa code", "login code", "auth code", "authentication code", "security code"),
        ),
        "how people pass on a code",
        ("Your verification code is " + "482" + "913", "PIN: " + "4829"),
        ("pin: 13 of the board", "error code is 404", "otp: none"),
        group=1,
        validate="code",
        weight=1,
    ),
    Rule(
        "licence-key",
        r"(?i)\b(?:licen[sc]e|serial|product|activation|recovery|backup)[ _-]?(?:keys?|numbers?|codes?)(?: is| are)?[:= ]{1,3}[\"'`]?"
        r"([a-z0-9]{4,8}(?:-[a-z0-9]{4,12}){1,7})\b",
        ("licen", "serial", "product", "activation", "recovery", "backup"),
        "keys in groups, as software vendors print them",
        ("license key: " + "ABCD1-EFGH2-" + "IJKL3-MNOP4", "recovery codes: " + "a1b2c-" + "d3e4f"),
        ("product key: none", "license keys are-here", "backup code: main-branch"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "fcm-server-key",
        r"\bAAAA[A-Za-z0-9_-]{7}:APA91[A-Za-z0-9_-]{120,160}",
        (":apa91",),
        "https://firebase.google.com/docs/cloud-messaging/auth-server",
        ("AAAAa1B2c3D:APA91" + "a1B2c3D4" * 16 + "a1B2c3",),
        ("AAAAa1B2c3D:APA91",),
    ),
)
