"""Secrets handed to calls and forms; codes and tokens that stand in fixed surroundings."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.assigned import NAME, STARTS
from hookstream.redaction.rules.rule import Rule

# What says "else": of Python, JavaScript, Kotlin, Perl, Rust, Scala, Jinja and Helm.
_ELSE = (
    r"((?:[ ]?(?:\|\||\?\?|\?:)[ ]?|\)[ ]or[ ]|[ ]?\|[ ]?default[ (]|\}[ ]?=[ ]?"
    r"|\.(?:unwrap_or|unwrap_or_else|or_else|orElse|getOrElse|or)\((?:\|[A-Za-z_]{0,3}\|[ ])?))"
)

RULES = (
    Rule(
        "fallback-secret",
        NAME + r"\\{0,3}[\"'`]?[)\]}]{0,2}?" + _ELSE + r"\\{0,3}[\"'`]",
        (
            *("||", "??", "?:", ") or ", "|default", "| default", "} =", "}="),
            *("unwrap_or", "or_else", "orelse", "getorelse", ".or("),
        ),
        "what stands in for a variable that is not set",
        (
            'System.getenv("API_TOKEN") ?: "' + "q9Zx" * 5 + '"',
            "os.getenv('DB_PASSWORD') or '" + "hunt" + "er2'",
            'env::var("API_KEY").unwrap_or_else(|_| "' + "q9Zx" * 5 + '".into())',
            "{{ db_password | default('" + "hunt" + "er2') }}",
        ),
        (
            "os.getenv('DB_PASSWORD') or ''",
            "process.env.TOKEN || 'none'",
            "{{ token_kind | default('bearer') }}",
        ),
        reads="called",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "compared-secret",
        r"[\"']([^\"'\n]{4,256})[\"'][ ]?[!=]={1,2}[ ]?([A-Za-z_][A-Za-z0-9_.]{1,80})",
        tuple(
            quote + blank + sign for quote in "\"'" for blank in ("", " ") for sign in ("==", "!=")
        ),
        "tests and checks that write the value before the name",
        ("assert '" + "q9Zx" * 5 + "' == cfg.api_token",),
        ("if 'bearer' == self.token_kind:", "'expired' != token", "'x1y2z3w4' == colour"),
        reads="preceding",
        weight=1,
    ),
    Rule(
        "login-token",
        r"\b[a-z][a-z0-9-]{1,24}[ ]login[ ](?:--token[ =])?([A-Za-z0-9_-]{20,200})(?:[\s\"'`;&|)]|$)",
        (" login ",),
        "https://doc.rust-lang.org/cargo/commands/cargo-login.html",
        ("cargo login " + "q9Zx71Lm" * 4, "wandb login " + "a1b2c3d4" * 5),
        ("cargo login $TOKEN", "the login page-of-the-old-web-site", "docker login r.example.com"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "filled-form",
        r"(?i)(?:passw(?:or)?d|passphrase|secret|token|api.?key|passwort|contrase[^\s]{1,2}a)[^\n\"'`]{0,24}[\"'`][^\n\"'`]{0,8}\."
        r"(?:fill|type|sendkeys|send_keys|setvalue|set_value|pressSequentially|press_sequentially|input)\([\"'`]([^\"'`\n]{3,256})[\"'`]",
        (
            ".fill(",
            ".type(",
            ".sendkeys(",
            ".send_keys(",
            ".setvalue(",
            ".set_value(",
            ".presssequentially(",
            ".press_sequentially(",
            ".input(",
        ),
        "https://playwright.dev/docs/input, Selenium, Cypress",
        ("await page.getByLabel('Password').fill('" + "Hunt" + "er2!')",),
        ("await page.getByLabel('Password').fill(password)", "page.getByLabel('Name').fill('bob')"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "database-call",
        r"\b(?:mysqli(?:_connect)?|PDO)\([ ]{0,2}[\"'][^\"'\n]{0,256}[\"'],[ ]{0,2}[\"'][^\"'\n]{0,64}[\"'],[ ]{0,2}[\"']([^\"'\n]{3,256})[\"']",
        ("mysqli", "pdo("),
        "https://www.php.net/manual/en/mysqli.construct.php",
        ("mysqli_connect('db', 'root', '" + "hunt" + "er2', 'shop');",),
        ("mysqli_connect($host, $user, $pw)", "new mysqli('db', 'root', '')"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "consumer-call",
        r"\b(?:OAuthHandler|OAuth1UserHandler|OAuth1Session|OAuth1)\([ \n]{0,8}[\"'][^\"'\n]{1,128}[\"'],[ \n]{0,8}(?:[a-z_]{1,32}=)?[\"']([^\"'\n]{16,256})[\"']",
        ("oauth",),
        "https://docs.tweepy.org/en/stable/authentication.html",
        ("tweepy.OAuthHandler('" + "a1B2c3D4" * 3 + "', '" + "q9Zx71Lm" * 6 + "')",),
        ("OAuthHandler(key, secret)", "OAuth1('key', secret)"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "cipher-call",
        r"\bCryptoJS\.[A-Za-z0-9]{2,16}(?:\.(?:en|de)crypt)?\([^,\n]{1,160}, {0,2}[\"']([^\"'\n]{4,512})[\"']",
        ("cryptojs.",),
        "https://cryptojs.gitbook.io/docs",
        ("CryptoJS.AES.encrypt(m, '" + "a1B2c3D4" * 2 + "')",),
        ("CryptoJS.AES.encrypt(m, key)", "CryptoJS.SHA256(m)"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "go-data-source",
        r"\b[A-Za-z0-9_.-]{1,64}:([^\s\"'`@/]{1,128})@(?:(?:tcp|unix)\(|/[A-Za-z0-9_]{1,64}\?)",
        ("@tcp(", "@unix(", "@/"),
        "https://github.com/go-sql-driver/mysql#dsn-data-source-name",
        ("root:" + "hunt" + "er2@tcp(127.0.0.1:3306)/shop",),
        ("root:${PW}@tcp(db:3306)/shop", "bob@tcp(db)"),
        group=1,
        validate="word",
    ),
    Rule(
        "recovery-codes",
        r"(?i)\b(?:recovery|backup|scratch|emergency)[ _-]codes?(?: are)?:?[ \t]{0,4}\r?\n"
        r"([a-z0-9]{4,8}-[a-z0-9]{4,8}(?:[ ,\t\r\n]{1,4}[a-z0-9]{4,8}-[a-z0-9]{4,8}){0,19})",
        (
            "recovery code",
            "backup code",
            "scratch code",
            "emergency code",
            "recovery-code",
            "backup-code",
            "recovery_code",
            "backup_code",
        ),
        "codes that stand for a second factor, as services print them",
        ("Recovery codes\n" + "a1b2c-d3e4f\n" + "g5h6i-j7k8l\n",),
        ("Backup codes:\nnone yet", "recovery codes\nlook-like this"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "recovery-number",
        r"(?i)\b(?:recovery|bitlocker)[^\n]{0,40}?\b([0-9]{6}(?:-[0-9]{6}){7})\b",
        ("recovery", "bitlocker"),
        "https://learn.microsoft.com/windows/security/operating-system-security/data-protection/bitlocker/recovery-overview",
        ("Recovery Key: " + "-".join(["028678", "259922"] * 4),),
        ("recovery took 123456 ms",),
        group=1,
    ),
    Rule(
        "lark-webhook",
        r"\bopen\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/([0-9A-Za-z-]{16,64})",
        ("/bot/v2/hook/",),
        "https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot",
        (
            "https://open.feishu.cn/open-apis/bot/v2/hook/"
            + "5d8e7bb5-ff51-4566-9114-"
            + "0cd5a9c08f11",
        ),
        ("https://open.feishu.cn/open-apis/bot/v2/hook/xxx",),
        group=1,
    ),
    Rule(
        "azure-devops-signed-pat",
        r"\b[A-Za-z0-9]{52}(?:JQQJ9[A-Za-z0-9]{9,24}|[A-Za-z0-9]{24})AZDO[A-Za-z0-9]{4}\b",
        ("jqqj9", "azdo"),
        "https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate",
        ("a1B2c3D4" * 6 + "e5F6" + "JQQJ99" + "ABCDEFGHIJ" + "AAAAAZDO" + "x1Y2",),
        ("AZDO", "myAZDOtask"),
    ),
)
