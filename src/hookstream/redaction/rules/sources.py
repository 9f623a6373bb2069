"""Secrets in programs: arguments of calls that take a key or a password, comparisons, bytes."""

# ruff: noqa: E501, S608 (a pattern or an example stays on one line; SQL as an example)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

_S = r"(\"[^\"\n]{3,256}\"|'[^'\n]{3,256}')"
_BYTES = r"(?:\[\]byte\([ ]?|[brLu@]{0,2}|[\w.]{1,24}\.(?:GetBytes|getBytes|encode|bytes)\()"

CALLS = (
    Rule(
        "keyed-call",
        r"\b(?:pgp_sym_(?:en|de)crypt(?:_bytea)?\([^,\n]{1,200}, ?|(?:AES|DES|aes|des)_(?:EN|DE|en|de)(?:CRYPT|crypt)\([^,\n]{1,200}, ?|(?:En|De)cryptByPassPhrase\( ?N?"
        r"|SecretString::(?:new|from)\( ?|SecretStr\( ?|SecretBytes\( ?|GuardedString\( ?|SecureString\( ?|(?:En|De)codingKey::from_(?:base64_)?secret\( ?|Hmac[A-Za-z0-9]{0,12}::new_from_slice\( ?|BearerTokens\( ?"
        r"|hmac\.New\([^,\n]{1,40}, ?|SignedString\( ?|NewCookieStore\( ?|jwtauth\.New\([^,\n]{1,40}, ?|hmacShaKeyFor\( ?|new SecretKeySpec\( ?|Algorithm\.HMAC(?:256|384|512)\( ?|signWith\([^,\n]{1,60}, ?|setSigningKey\( ?"
        r"|new SymmetricSecurityKey\( ?|new HMACSHA[0-9]{1,3}\( ?|X509Certificate2?\([^,\n]{1,120}, ?|(?:load_key_and_certificates|load_pkcs12)\([^,\n]{1,80}, ?|hash_hmac\([^,\n]{1,40},[^,\n]{1,80}, ?|openssl_(?:en|de)crypt\([^,\n]{1,80},[^,\n]{1,40}, ?"
        r"|JWT(?:::|\.)(?:en|de)code[( ][^,\n]{1,80}, ?|JWT\.(?:encode|decode)\([^,\n]{1,80}, ?|HMAC\.(?:hex)?digest\([^,\n]{1,60}, ?|URLSafe(?:Timed)?Serializer\( ?|TimestampSigner\( ?|cookieParser\( ?|createCipher(?:iv)?\([^,\n]{1,40}, ?|createDecipher(?:iv)?\([^,\n]{1,40}, ?"
        r"|pbkdf2_hmac\([^,\n]{1,40}, ?|pbkdf2\.Key\( ?|scrypt\.Key\( ?|AES\.new\( ?|Aes(?:128|256)?(?:Gcm|Cbc)?::new_from_slice\( ?|PBEKeySpec\( ?|PasswordProtection\( ?|PasswordAuthentication\([^,\n]{1,80}, ?|mcrypt_encrypt\([^,\n]{1,60}, ?|setpassword\( ?|setPassword\( ?|set_password\( ?|with_?[Pp]assword\( ?)"
        + _BYTES
        + _S
        + r"(?:[),.; ]|$)",
        (
            *(
                "pgp_sym_",
                "aes_",
                "des_",
                "passphrase(",
                "crypt(",
                "secretstring",
                "secretstr(",
                "secretbytes(",
            ),
            *(
                "guardedstring(",
                "securestring(",
                "codingkey",
                "hmac",
                "bearertokens(",
                "signedstring(",
            ),
            *(
                "newcookiestore(",
                "jwtauth",
                "secretkeyspec(",
                "signwith(",
                "setsigningkey(",
                "symmetricsecuritykey(",
            ),
            *(
                "x509certificate",
                "load_key_and",
                "load_pkcs12",
                "openssl_",
                "jwt",
                "serializer(",
                "timestampsigner(",
            ),
            *(
                "cookieparser(",
                "cipher",
                "pbkdf2",
                "scrypt.key(",
                "aes.new(",
                "aes",
                "pbekeyspec(",
                "passwordprot",
            ),
            *("passwordauth", "mcrypt_", "password("),
        ),
        "calls of libraries that take a key or a passphrase",
        (
            "SELECT pgp_sym_decrypt(ssn, '" + "kanga" + "roo') FROM p",
            'SecretString::new("' + "Saxo" + 'phone540".to_string())',
            'token.SignedString([]byte("' + "maple" + 'tree-77"))',
            'cfg.setPassword("' + "Gob" + 'lin77");',
        ),
        (
            "pgp_sym_decrypt(ssn, $1)",
            "SecretStr('password')",
            "setPassword('required')",
            'JWT.encode(payload, "HS256")',
        ),
        reads="keyed",
        weight=1,
    ),
    Rule(
        "characters-of-password",
        r"\b(?:load|init|store|getKey|getEntry|setKeyEntry|setEntry|login|unlock|openKeyStore|decryptKey|[A-Za-z]{0,24}[Pp]ass(?:word|phrase|wd)?|PBEKeySpec|PasswordProtection|PasswordAuthentication|GuardedString)[ ]?[(=][^\"\n]{0,60}(?:\"[^\"\n]{1,64}\", ?[^\"\n]{0,24})?(\"[^\"\n]{3,128}\")\.[tT]oCharArray\(",
        (".tochararray(",),
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/security/KeyStore.html",
        ('ks.load(in, "' + "vol" + 'cano".toCharArray());',),
        ('for (char c : "hello".toCharArray())', "ks.load(in, pw.toCharArray());"),
        reads="given",
        weight=1,
    ),
    Rule(
        "compared-password",
        r"(?:\b((?:[A-Za-z_][\w]{0,40}(?:\.|->)){0,3}?\w{0,24}(?:[Pp]ass(?:word|wd|phrase)?|[Pp]wd?|\bp))[ ]?={2,3}[ ]?[\"']([^\"'\n]{3,128})[\"']"
        r"|[\"']([^\"'\n]{3,128})[\"']\.equals(?:IgnoreCase)?\([ ]?((?:[A-Za-z_]\w{0,40}\.){0,2}?\w{0,24}(?:[Pp]ass(?:word|wd|phrase)?|[Pp]wd?|\bp))(?:\(\))?[ ]?\)|\b((?:[A-Za-z_]\w{0,40}\.){0,2}?\w{0,24}(?:[Pp]ass(?:word|wd|phrase)?|[Pp]wd?))\.(?:equals(?:IgnoreCase)?|Equals)\([ ]?\"([^\"\n]{3,128})\"[ ]?\))",
        (
            "pass==",
            "pass ==",
            "word==",
            "word ==",
            "pw==",
            "pw ==",
            "pwd==",
            "pwd ==",
            "p ==",
            "p==",
            ".equals",
        ),
        "checks that hold a password",
        (
            'return pw == "' + "0773r" + '47"',
            'if ("bob".equals(u) && "' + "dung3" + 'on6".equals(p)) {',
        ),
        ('if (pw == "none")', '"admin".equals(p)', 'if (p == "start1")', 'pw == "utf-8"'),
        reads="compared",
        weight=1,
    ),
    Rule(
        "compared-string",
        r"\b(?:str(?:n|case|ncase)?cmp|memcmp|str_?eq|streq|g_strcmp0|lstrcmp[AW]?|wcscmp|_?stricmp|CRYPTO_memcmp|timingsafe_bcmp|hmac\.compare_digest|compare_digest|hash_equals|secure_compare|timingSafeEqual|ConstantTimeCompare)\([ ]?"
        r"(?:([\w.>\[\]()*&-]{1,60}), ?(?:\[\]byte\()?[Lb]?\"([^\"\n]{3,128})\"|[Lb]?\"([^\"\n]{3,128})\", ?([\w.>\[\]()*&-]{1,60}))",
        (
            "cmp",
            "streq",
            "str_eq",
            "compare_digest",
            "hash_equals",
            "secure_compare",
            "timingsafeequal",
            "constanttimecompare",
        ),
        "C and its kin: a string that is compared, and what it opens",
        (
            'if (strcmp(password, "' + "hunt" + 'er2-99") == 0)',
            'if (strcmp(input, "' + "eoX" + 'k0Qr") == 0) {\n  grant_access(ctx);',
        ),
        (
            'if (strcmp(argv[1], "--help") == 0)',
            'strcmp(s, "x1y2z3") == 0',
            'strcmp(password, "none")',
        ),
        reads="compared",
        weight=1,
    ),
    Rule(
        "form-typed",
        r"(?i)(?:(?:passw|pwd|passcode|kennwort|contrase[^\s]{1,2}a|senha|[^a-z]pw[^a-z]|[^a-z]pass[^a-z])[^\n\"'`]{0,24}[\"'`][^\n\"'`]{0,60}?\.|\.)(?:fill|type|sendkeys|send_keys|setvalue|set_value|pressSequentially|press_sequentially|input|inputtext|entertext|typetext|enter_text|fill_in|val|addvalue)\([ ]?"
        r"(?:(?:'[^'\n]{0,80}(?:passw|pwd|passcode|[^a-z]pw[^a-z]|[^a-z]pass[^a-z])[^'\n]{0,40}'|\"[^\"\n]{0,80}(?:passw|pwd|passcode|[^a-z]pw[^a-z]|[^a-z]pass[^a-z])[^\"\n]{0,40}\"), ?)?(\"[^\"\n]{3,128}\"|'[^'\n]{3,128}'|`[^`\n]{3,128}`)",
        (
            *(
                ".fill(",
                ".type(",
                ".sendkeys(",
                ".send_keys(",
                ".setvalue(",
                ".set_value(",
                ".input(",
                ".val(",
            ),
            *(
                ".presssequentially(",
                ".press_sequentially(",
                ".inputtext(",
                ".entertext(",
                ".typetext(",
            ),
            *(".enter_text(", ".fill_in(", ".addvalue("),
        ),
        "Cypress, Playwright, Puppeteer, Selenium, Espresso: what is typed into a field for a password",
        (
            "cy.get('input[name=pwd]').type('" + "octo" + "pus77')",
            "page.fill('#password', '" + "maple" + "tree7')",
        ),
        ("cy.get('#name').type('octopus77')", "page.fill('#password', pw)", "$('#pwd').val('')"),
        reads="typed",
        weight=1,
    ),
    Rule(
        "store-auth-call",
        r"(?i)(?:\b(?:red|redis|jedis|rdb|cache|valkey|memc)[a-z0-9_]{0,16}(?:\.|:|->|::)auth\( ?|\b(?:do|send_command|execute_command|call|raw_command|sendcommand)\([ \[]{0,2}[\"']auth[\"'], ?\[?)"
        + _S,
        (":auth(", ".auth(", ">auth(", "'auth'", '"auth"'),
        "clients of Redis",
        ('local res = red:auth("' + "herr" + 'ing83")', 'conn.Do("AUTH", "' + "hunt" + 'er2")'),
        ("redis.auth(password)", 'redis.auth("$PW")'),
        reads="given",
        weight=1,
    ),
    Rule(
        "database-arguments",
        r"\b(?:[Oo]pen|[A-Za-z_]{0,24}[Cc]onnect(?:ion|db)?|[Dd]atabase|PQsetdbLogin|dbConnect|[Ll]og_?[Oo]n|[Ll]og_?[Ii]n)\([^\"'\n()]{0,40}[\"'](?:localhost|[A-Za-z0-9_-]{1,40}(?:\.[A-Za-z0-9_-]{1,40}){0,4})(?::[0-9]{2,5})?[\"'], ?[\"'][A-Za-z0-9_.@-]{1,40}[\"'], ?"
        + _S
        + r", ?[\"'][A-Za-z0-9_ -]{1,40}[\"'] ?[,)]",
        ("open(", "onnect", "atabase(", "pqsetdblogin(", "logon(", "log_on(", "login(", "log_in("),
        "calls that take a host, a user, a password and a database: Nim, MATLAB, C, PHP",
        (
            'let db = open("db.x.test", "bob", "' + "sil" + 'ver", "shop")',
            "conn = database('orders','bob',\"" + "butter" + "cup\",'Vendor','PostgreSQL');",
        ),
        (
            'open("a.txt", "r", "utf-8")',
            'connect("h", "u", "", "d")',
            'open("db", "u", "$PW", "d")',
        ),
        reads="given",
        weight=1,
    ),
)

BYTES = (
    Rule(
        "bytes-of-key",
        r"(?i)\b([a-z0-9_]{0,40}(?:key|secret|psk|passw(?:or)?d|token|seed|\bk)[a-z0-9_]{0,16})[ ]?(?:\[[^\]\n]{0,24}\])?[^=\n;\"']{0,24}[=:][^={\[(\n]{0,40}[{\[(][{\[]?\s{0,24}(0x[0-9a-f]{1,2}[, \t\r\n][0-9a-fx, \t\r\n]{30,4096})",
        ("0x",),
        "keys as bytes in C, Rust, Go and Java",
        (
            "static const uint8_t aes_key[] = { "
            + ", ".join("0x" + b for b in "11 e8 32 8a e4 12 5b 6a 7c df 49 60 b5 21 1f 69".split())
            + " };",
        ),
        (
            "uint8_t sbox[] = { 0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5 };",
            "uint8_t aes_key[] = { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08 };",
        ),
        reads="bytes_of_key",
        weight=1,
    ),
    Rule(
        "decoded-secret",
        r"(?i)\b([a-z0-9_.]{0,40}(?:passw(?:or)?d|passphrase|secret|token|pwd|\bpw|pass|key))[ ]?(?::[ ]?[A-Za-z\[\]]{1,16}[ ]?)?:?=[^\n\"']{0,32}(?:fromhex|unhexlify|a2b_hex|hextobytes|from_hex|fromhexstring|decodehex|parsehex[a-z]{0,8}|decodestring|b64decode|b32decode|atob|decode64|frombase64string|decode_hex|buffer\.from|hex::decode|base64::decode|getdecoder\(\)\.decode|base64_decode|hex2bin|pack)\([ ]?(?:[bru]|[\"']H\*[\"'], ?)?[\"']([^\"'\n]{6,4096})[\"']",
        (
            *(
                "fromhex",
                "unhexlify",
                "a2b_hex",
                "hextobytes",
                "from_hex",
                "decodehex",
                "parsehex",
                "decodestring",
            ),
            *(
                "b64decode",
                "b32decode",
                "atob",
                "decode64",
                "frombase64string",
                "decode_hex",
                "buffer.from",
            ),
            *("hex::decode", "base64::decode", "getdecoder", "base64_decode", "hex2bin", "pack("),
        ),
        "a secret in another writing, decoded under its name",
        ('password = bytes.fromhex("' + "676f626c" + '696e").decode()',),
        ("password = bytes.fromhex(line)", 'colour = bytes.fromhex("676f626c696e")'),
        reads="in_hex",
        weight=1,
    ),
    Rule(
        "cases-of-struct",
        r"\bstruct[ ]?\{([^{}]{3,400}(?:[pP]ass|[pP]wd?\b|[pP]ASS|secret|Secret|token|Token)[^{}]{0,300})\}[ ]?\{",
        ("struct",),
        "https://go.dev/wiki/TableDrivenTests",
        (
            'tests := []struct{ name, pw string; ok bool }{\n\t{"valid", "'
            + "ye74"
            + 'rn", true},\n}',
        ),
        ('[]struct{ name, pw string }{\n\t{"empty", ""},\n}', "struct { pass int }{1}"),
        reads="of_struct",
        weight=1,
    ),
)

RULES = CALLS + BYTES
