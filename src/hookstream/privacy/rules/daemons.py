"""Secrets in the settings of daemons and devices whose keywords say that a secret follows."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.privacy.rules.rule import Rule

_V = r"[\"']?([^\s\"']{3,256})"

RULES = (
    Rule(
        "secret-directive",
        r"(?m)^[ \t]{0,16}(?:(?:rw|ro)community6?|trapcommunity|authcommunity[ \t]{1,4}[a-z,]{1,24}|com2sec6?[ \t]{1,8}[^\s]{1,64}[ \t]{1,8}[^\s]{1,64}|bindpw|rootbindpw|binddnpw|rootpw(?:[ \t]{1,4}--[a-z]{1,12}){0,2}|tls_keypw|requirepass|masterauth|sentinel (?:auth-pass|sentinel-pass)(?: [^\s]{1,64})?"
        r"|cachemgr_passwd|auth_pass|sp_password|secure_link_secret|user[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}insecure-password|AuthLDAPBindPassword|SessionCryptoPassphrase|ProxyRemotePassword|DBDPassword"
        r"|wpa-psk|wpa-passphrase|wireless-key1?|smtpd_password|relay_password|key-string|psk-secret|(?:set|add) (?:psksecret|ppk-secret|auth-pwd|priv-pwd|passwd)"
        r"|d-i netcfg/wireless_(?:wep|wpa) string|(?:tacacs|radius)(?:-server)?[ \t]{1,4}(?:host[ \t]{1,4}[^\s]{1,64}[ \t]{1,4})?key(?:[ \t]{1,4}[057])?|crypto isakmp key(?:[ \t]{1,4}[06])?"
        r"|(?:neighbor[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}password|ip ospf authentication-key|ip ospf message-digest-key[ \t]{1,4}[0-9]{1,3}[ \t]{1,4}md5|ntp authentication-key[ \t]{1,4}[0-9]{1,6}[ \t]{1,4}md5|standby[ \t]{1,4}[0-9]{1,4}[ \t]{1,4}authentication)(?:[ \t]{1,4}[07])?"
        r"|username[ \t]{1,4}[^\s]{1,64}(?:[ \t]{1,4}privilege[ \t]{1,4}[0-9]{1,2})?[ \t]{1,4}(?:password|secret)(?:[ \t]{1,4}[057])?)[ \t]{1,16}"
        + _V,
        (
            *("community", "com2sec", "bindpw", "rootbindpw", "binddnpw", "rootpw", "tls_keypw"),
            *(
                "requirepass",
                "masterauth",
                "sentinel",
                "cachemgr_passwd",
                "auth_pass",
                "sp_password",
            ),
            *("secure_link_secret", "insecure-password", "authldapbindpassword", "sessioncrypto"),
            *(
                "proxyremotepassword",
                "dbdpassword",
                "wpa-",
                "wireless-key",
                "smtpd_password",
                "relay_",
            ),
            *(
                "key-string",
                "psk-secret",
                "psksecret",
                "ppk-secret",
                "auth-pwd",
                "priv-pwd",
                "passwd",
            ),
            *(
                "d-i netcfg",
                "tacacs",
                "radius",
                "isakmp",
                "neighbor",
                "ospf",
                "ntp auth",
                "standby",
            ),
            "username",
        ),
        "net-snmp, nslcd, Redis, Squid, keepalived, HAProxy, httpd, kickstart, ifupdown, Cisco, Fortinet",
        (
            "agentAddress udp:161\nrwcommunity " + "Nut" + "meg80 10.0.0.0/8",
            "bindpw " + "must" + "ard",
            "  user bob insecure-password " + "hunt" + "er2",
            "username bob privilege 15 secret 0 " + "Hunt" + "er2!",
        ),
        (
            "rocommunity public",
            "rootpw --lock",
            "bindpw $PW",
            "username bob password",
            "requirepass is a directive",
        ),
        reads="directive",
        weight=1,
    ),
    Rule(
        "secret-authtok",
        r"\bldap_default_authtok[ \t]{0,4}=[ \t]{0,4}([^\n]{3,256}[^\s])",
        ("ldap_default_authtok",),
        "https://man7.org/linux/man-pages/man5/sssd-ldap.5.html",
        ("ldap_default_authtok = " + "hunt" + "er2",),
        ("ldap_default_authtok_type = password", "ldap_default_authtok = $PW"),
        reads="given",
        weight=1,
    ),
    Rule(
        "shared-key-line",
        r"(?m)(?::[ \t]{1,4}(?:PSK|XAUTH|EAP|NTLM|PIN)|pre-shared-(?:key|secret)(?:[ \t]{1,4}(?:ascii-text|hexadecimal|local|remote|plain-text|key|address [^\s]{1,64})){0,2}|plain-?text-password(?:-value)?)[ \t]{1,8}(\"[^\"\n]{3,256}\"|'[^'\n]{3,256}')",
        (
            ": psk",
            ": xauth",
            ": eap",
            ": ntlm",
            ": pin",
            "pre-shared-",
            "plaintext-password",
            "plain-text-password",
        ),
        "strongSwan's ipsec.secrets, Junos, VyOS",
        (
            '%any vpn.x.test : PSK "' + "ban" + 'jo1"',
            "set vpn x pre-shared-secret '" + "hunt" + "er2'",
        ),
        (': PSK "$PSK"', "pre-shared-key ascii-text"),
        reads="given",
        weight=1,
    ),
    Rule(
        "keyed-link",
        r"\bsecure_link_md5[ \t]{1,8}[\"']?[^\n\"';]{0,200}[ $}]([^\s\"';$ {}]{3,128})[\"']?;",
        ("secure_link_md5",),
        "https://nginx.org/en/docs/http/ngx_http_secure_link_module.html",
        ('secure_link_md5 "$secure_link_expires$uri$remote_addr ' + "Dun" + 'geon8";',),
        ('secure_link_md5 "$secure_link_expires$uri $secret";',),
        reads="keyed_link",
        weight=1,
    ),
    Rule(
        "scheme-password",
        r"\{(?:PLAIN|CLEAR|CLEARTEXT|PLAIN-TRUNC|CRAM-MD5|DIGEST-MD5|SCRAM-SHA-256|MD5-CRYPT|SHA512-CRYPT|BLF-CRYPT|SSHA|SSHA256|SSHA512|SMD5|CRYPT)\}([^\s:\"'`,<>]{3,256})",
        ("{plain", "{clear", "-md5}", "{scram", "-crypt}", "{ssha", "{smd5}", "{crypt}"),
        "https://doc.dovecot.org/main/core/config/auth/schemes.html, RFC 2307",
        (
            "bob:{PLAIN}" + "hunt" + "er2:1000:1000::/home/bob",
            "userPassword: {SSHA}" + "a1B2c3D4" * 4,
        ),
        ("{PLAIN} is a scheme", "{SSHA}$HASH"),
        reads="given",
        weight=1,
    ),
    Rule(
        "relay-password",
        r"(?m)^(?:\[[A-Za-z0-9.-]{3,128}\](?::[a-z0-9]{2,10})?|[A-Za-z0-9.-]{3,128}:(?:25|465|587|2525|submission|smtps?))[ \t]{1,8}[^\s:]{1,128}:([^\s]{3,256})[ \t]{0,4}\r?$",
        ("]:", "]\t", "] ", ":25", ":465", ":587", ":submission", ":smtp"),
        "https://www.postfix.org/SASL_README.html: sasl_passwd",
        ("[smtp.x.test]:587 bob@x.test:" + "hunt" + "er2",),
        ("see note:x", "[a]: b:c", "[x.y]:587 bob:$PW"),
        reads="given",
        weight=1,
    ),
    Rule(
        "account-file",
        r"(?im)^#{1,3}[ \t]{0,2}(client[ \t]{1,8}server[ \t]{1,8}secret[^\n]{0,40}|(?:[a-z][a-z0-9._-]{1,40}:){1,4}(?:password|passwd|secret|pass)(?::[a-z0-9._-]{1,32}){0,4}|(?:user|username|login|account|host|hostname|server|name)(?:[ \t]{1,8}[a-z]{2,16}){0,2}[ \t]{1,8}(?:password|passwd|secret))[ \t]{0,8}\r?\n",
        ("password", "passwd", "secret", "pass"),
        "chap-secrets of pppd, passwd.client of Exim: the first line names the columns",
        (
            '# client\tserver\tsecret\tIP addresses\n"bob"\t*\t"' + "Cop" + 'per24"\t*',
            "### target.mail.server.example:login:password\n*.x.test:bob:" + "hunt" + "er2",
        ),
        ("# user and password\n\nx", "# client server secret\nbob * $PW *"),
        reads="rows",
        weight=1,
    ),
    Rule(
        "account-lines",
        r"(?m)(?:^[ \t]{0,8}chpasswd:[ \t]{0,4}\r?\n|\b(?:chpasswd|newusers)\b[^\n]{0,40}<<-?[ ]?[\"']?[A-Za-z_]{1,16}[\"']?[^\n]{0,40}\n)",
        ("chpasswd", "newusers"),
        "https://cloudinit.readthedocs.io/en/latest/reference/modules.html#set-passwords",
        ("chpasswd:\n  list: |\n    root:" + "hunt" + "er2\n    bob:" + "sil" + "ver1\n",),
        ("chpasswd:\n  expire: false\n", "chpasswd <<EOF\nroot:$PW\nEOF"),
        reads="accounts",
        weight=1,
    ),
    Rule(
        "salts-of-site",
        r"\bdefine\([ ]?'(?:AUTH|SECURE_AUTH|LOGGED_IN|NONCE|WP_CACHE)_(?:KEY|SALT)',[ ]{0,16}'([^'\n]{16,128})'",
        ("_key'", "_salt'"),
        "https://developer.wordpress.org/apis/wp-config-php/#security-keys",
        ("define('AUTH_KEY', '" + 'x9MV~"' + "q9 Zx!" * 5 + "');",),
        ("define('AUTH_KEY', 'put your unique phrase here');", "define('AUTH_KEY', '');"),
        reads="salt",
        weight=1,
    ),
    Rule(
        "key-of-section",
        r"(?i)\b(?:crypt|encryption|cipher|jwt|jwtsettings|jwtconfig|jwtbearer|hmac|signing|crypto|cookie|session)[\"']?\]?[ ]?(?:=>|:|=)[ ]?[\[{(]\s{0,24}[\"']?(?:key|secret|signingkey|salt)[\"']?[ ]?(?:=>|:|=)[ ]?(\"[^\"\n]{4,256}\"|'[^'\n]{4,256}')",
        ("crypt", "cipher", "jwt", "hmac", "signing", "cookie", "session"),
        "nested settings: Magento's env.php, appsettings.json",
        ("'crypt' => [ 'key' => '" + "ban" + "jo71' ]", '"Jwt": { "Key": "' + "hunt" + 'er2-99" }'),
        ("'crypt' => [ 'key' => '' ]", "jwt: { secret: process.env.S }", "session: { key: 'sid' }"),
        reads="section_key",
        weight=1,
    ),
    Rule(
        "store-password",
        r"(?:6379|[Rr]edis)[^\x1f]{0,160}?\bauth\\{0,2}[\"']?\]?[ ]?(?:=>|=|:)[ ]?(\"[^\"\n]{3,128}\"|'[^'\n]{3,128}')",
        ("6379", "redis"),
        "clients of Redis: the password is called auth",
        ('port = 6379,\n  auth = "' + "card" + 'inal74"',),
        ("redis: { auth: 'none' }", 'port = 6379, auth = "$PW"'),
        reads="given",
        weight=1,
    ),
)
