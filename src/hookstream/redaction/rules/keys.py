"""Keys and signed tokens: PEM, OpenSSH, PGP, age, JWT, password hashes."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"
_END = "-----END RSA PRIV" + "ATE KEY-----"

RULES = (
    Rule(
        "private-key",
        r"-----BEGIN[ A-Z0-9_-]{0,64}PRIVATE KEY(?: BLOCK)?-----",
        ("private key",),
        "RFC 7468, RFC 4716, RFC 4880",
        (
            "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + LINE + "\n" + LINE + "\n" + _END,
            "-----BEGIN OPENSSH PRIV" + "ATE KEY-----\\n" + LINE + "\\n" + LINE,
            "-----BEGIN PGP PRIV"
            + "ATE KEY BLOCK-----\n\n"
            + LINE
            + "\n-----END PGP PRIV"
            + "ATE KEY BLOCK-----",
        ),
        (
            "-----BEGIN PUBLIC KEY-----\n" + LINE + "\n-----END PUBLIC KEY-----",
            "-----BEGIN CERTIFICATE-----\n" + LINE,
            "grep -r 'BEGIN RSA PRIV" + "ATE KEY-----' .",
        ),
        reads="pem",
        weight=3,
    ),
    Rule(
        "private-key-body",
        r"\b(?:MII[BCEJ][A-Za-z0-9+/]{3}IBAAK[BC][A-Za-z0-9+/]{40}|MII[BCEJ][A-Za-z0-9+/]{1,2}(?:IBADANBgkqhkiG9w0BAQEFAASC|QIBADANBgkqhkiG9w0BAQEFAASC)[A-Za-z0-9+/]{24})",
        ("mii",),
        "RFC 5208, RFC 8017",
        ("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + "BKcwggSjAgEAAoIBAQC7" * 6,),
        ("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",),
        reads="body",
    ),
    Rule(
        "openssh-key-body",
        r"\bb3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/]{24}",
        ("b3blbnnzac1rzxktdjea",),
        "PROTOCOL.key of OpenSSH",
        ("b3BlbnNzaC1rZXktdjEA" + "AAAABG5vbmUAAAAEbm9uZQ" * 3,),
        ("b3BlbnNzaC1rZXktdjEA",),
        reads="body",
    ),
    Rule(
        "putty-key",
        r"PuTTY-User-Key-File-[23]:",
        ("putty-user-key-file",),
        "https://tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html",
        (
            "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n"
            + LINE
            + "\n"
            + LINE
            + "\nPrivate-MAC: a1b2",
        ),
        ("PuTTY-User-Key-File",),
        reads="putty",
    ),
    Rule(
        "age-secret-key",
        r"\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b",
        ("age-secret-key-1",),
        "https://age-encryption.org/v1",
        ("AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MU" * 2,),
        ("AGE-SECRET-KEY-1X",),
    ),
    Rule(
        "jwt",
        r"\bey[A-Za-z0-9_-]{10,2048}\.ey[A-Za-z0-9_-]{8,16384}\.[A-Za-z0-9_-]{0,2048}",
        (".ey",),
        "RFC 7519",
        (
            "eyJhbGciOiJIUzI1NiIs"
            + "InR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0."
            + "a1B2c3D4" * 5,
        ),
        ("eyes.eyebrow.eyelash", "ey.ey.ey"),
        validate="jwt",
        weight=2,
    ),
    Rule(
        "jwe",
        r"\bey[A-Za-z0-9_-]{10,2048}\.[A-Za-z0-9_-]{0,1024}\.[A-Za-z0-9_-]{12,64}\.[A-Za-z0-9_-]{8,16384}\.[A-Za-z0-9_-]{16,64}",
        ("eyj",),
        "RFC 7516",
        (
            "eyJhbGciOiJSU0EtT0FFUCIs"
            + "ImVuYyI6IkEyNTZHQ00ifQ."
            + "a1B2c3D4" * 6
            + "."
            + "a1B2c3D4" * 2
            + "."
            + "a1B2c3D4" * 3
            + "."
            + "a1B2c3D4e5F6g7H8i9J0kw",
        ),
        ("eyebrows.a.b.c.d",),
        validate="jwt",
    ),
    Rule(
        "jwk-private",
        r"\\{0,3}\"(?:d|dp|dq|qi|k)\\{0,3}\"[ \t]{0,4}:[ \t]{0,4}\\{0,3}\"([A-Za-z0-9_-]{40,1024})\\{0,3}\"",
        ('"d', '"k', '"q', "d\\", "k\\", "p\\", "q\\", "i\\"),
        "RFC 7517",
        ('{"kty":"EC","d":"' + "a1B2c3D4e5F" * 4 + '"}',),
        ('{"d": "short"}',),
        group=1,
        validate="mixed",
    ),
    Rule(
        "password-hash",
        r"(?:\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$(?:1|5|6|7|y|gy|apr1|argon2(?:id|i|d)|scrypt|pbkdf2-sha(?:256|512)|sha1)\$[^\s:\"'$]{1,64}(?:\$[^\s:\"'$]{1,64}){0,3}\$[./A-Za-z0-9+=]{16,128}|\bpbkdf2_sha256\$[0-9]{3,8}\$[A-Za-z0-9]{4,32}\$[A-Za-z0-9+/=]{40,64})",
        (
            "$2",
            "$1$",
            "$5$",
            "$6$",
            "$7$",
            "$y$",
            "$gy$",
            "$apr1$",
            "$argon2",
            "$scrypt",
            "$pbkdf2",
            "$sha1$",
            "pbkdf2_sha256$",
        ),
        "https://man.archlinux.org/man/crypt.5",
        (
            "$2b$12$" + "abcdefghijklmnopqrstuv" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234",
            "root:$6$" + "saltsalt" + "$" + "a1B2c3D4" * 10 + ":19000:0",
        ),
        ("$2b is a tag", "$1 $2 $3"),
    ),
    Rule(
        "ansible-vault",
        r"\$ANSIBLE_VAULT;[0-9.]{1,5};AES256[^\n]{0,64}\n[ \t]*([0-9a-f\s]{64,8192})",
        ("$ansible_vault",),
        "https://docs.ansible.com/ansible/latest/vault_guide/",
        ("$ANSIBLE_VAULT;1.1;AES256\n" + "61316232" * 10,),
        ("$ANSIBLE_VAULT",),
        group=1,
    ),
    Rule(
        "wireguard-key",
        r"\b(?:PrivateKey|PresharedKey)[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{43}=)",
        ("privatekey", "presharedkey"),
        "https://www.wireguard.com/quickstart/",
        ("PrivateKey = " + "a1B2c3D4e5F6g7" * 3 + "h=",),
        ("PrivateKey = <key>",),
        group=1,
    ),
    Rule(
        "otpauth-secret",
        r"otpauth://[^\s\"']{1,256}[?&]secret=([A-Z2-7]{16,64})",
        ("otpauth://",),
        "https://github.com/google/google-authenticator/wiki/Key-Uri-Format",
        ("otpauth://totp/x:bob?secret=" + "JBSWY3DPEHPK3PXP" + "&issuer=x",),
        ("otpauth://totp/x",),
        group=1,
    ),
    Rule(
        "gcp-private-key-id",
        r"\"private_key_id\\{0,3}\"[ \t]{0,4}:[ \t]{0,4}\\{0,3}\"([a-f0-9]{40})\\{0,3}\"",
        ("private_key_id",),
        "https://cloud.google.com/iam/docs/keys-create-delete",
        ('"private_key_id": "' + "a1b2c3d4" * 5 + '"',),
        ('"private_key_id": "x"',),
        group=1,
    ),
    Rule(
        "sealed-aes-key",
        r"(?i)\b(?:aes|des|hmac|encryption|cipher|xor)[_-]?(?:256|128|192)?[_-]?(?:key|iv)[a-z0-9_]{0,8}\\{0,3}[\"']?[ \t]{0,4}(?::=|=|:)[ \t]{0,4}(?:b|bytes\.fromhex\(|Buffer\.from\()?\\{0,3}[\"']([A-Za-z0-9+/=]{16,128})",
        (
            "aes",
            "des_",
            "des-",
            "des1",
            "des2",
            "deskey",
            "desiv",
            "hmac",
            "encryption",
            "cipher",
            "xor",
        ),
        "symmetric keys written into source",
        ('AES_KEY = b"' + "a1B2c3D4" * 4 + '"',),
        ("aes key size = 256",),
        group=1,
        validate="mixed",
        weight=1,
    ),
)
