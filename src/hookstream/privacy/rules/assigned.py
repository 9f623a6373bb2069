"""Values beside a name that says secret: assignments, fields, attributes, columns, calls."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.privacy.rules.rule import Rule

# Words one of which every name that says secret holds; `names` judges the whole name.
STARTS = (
    "passw",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "-key",
    "credential",
    "creds",
    "auth",
    "cookie",
    "bearer",
    "mnemonic",
    "recovery",
    "backup",
    "pass",
    "kennwort",
    "contrasena",
    "senha",
    "wachtwoord",
    "haslo",
    "heslo",
    "parola",
    "losenord",
    "salasana",
    "adgangskode",
    "sifre",
    "segret",
    "jwt",
    "psk",
    "otp",
    "sessid",
    "connect.sid",
    "webhook",
    "dockerconfigjson",
    "_pw",
    "signature",
    "csrf",
    "xsrf",
    "_pat",
    "_dsn",
    "_sas",
    "_sig",
    "seed",
)
WORDS = "|".join(STARTS).replace(".", "\\.") + r"|\Bkey"
KEYWORDS = tuple(word.strip("-") for word in STARTS)
NAME = r"(?i)(?:" + WORDS + r")[a-z0-9_.$-]{0,40}"
# After the name: the quote, bracket or colour code that ends it, then what assigns.
SIGN = (
    r"(?:\\{0,7}[\"'`]|\]|\[\]|\*\*|&quot;|&#3[49];|\x1b\[[0-9;]{0,8}m){0,3}"
    r"((?:[ \t]{0,4}:?[ \t]{0,4}(?:&?(?:'static )?str|string|As String|bytes|any|SecretStr|SecureString"
    r"|std::string|text|Optional\[str\]|str \| None|string \| (?:null|undefined)))?"
    r"[ \t]{0,24}(?:=>|:=|\?=|\|\|=|:\*\*|\+=|===|==|!==|!=|=|:|->|<-|\|\|?|\?\?|\t|[^\x00-\x7f]{1,9})[ \t]{0,24}"
    r"|(?:[ \t][^<>\n]{0,120})?>)"
)

RULES = (
    Rule(
        "assigned-secret",
        NAME + SIGN,
        KEYWORDS,
        "names of fields and variables; see privacy/names.py",
        (
            "DB_PASSWORD=" + "hunt" + "er2",
            "export API_TOKEN='" + "a1B2" * 5 + "'",
            'password: "' + "corr" + "ect-horse" + '"',
            '{"client_secret": "' + "q9Zx" * 5 + '"}',
            '{\\"apiKey\\": \\"' + "q9Zx" * 5 + '\\"}',
            "<password>" + "s3cr" + "et!pw" + "</password>",
            "config['secret_key'] = '" + "Zx81" * 6 + "'",
            "X-Api-Key: " + "b7C3" * 6,
            "Authorization: Bearer " + "b7C3" * 6,
        ),
        (
            "password = os.environ['DB_PASSWORD']",
            "token: str",
            "DB_PASSWORD=$DB_PASSWORD",
            "api_key: <your-api-key>",
            "max_tokens: 4096",
            "secret = load_secret(name)",
            "PASSWORD=****",
            "token_type: bearer",
        ),
        reads="assigned",
        starts=(*STARTS, "key"),
        weight=1,
    ),
    Rule(
        "named-value",
        NAME
        + r"\\{0,7}[\"'](?:,[ \t\r\n]{0,32}\\{0,7}[\"'][Tt]ype\\{0,7}[\"']:[ ]?\\{0,7}[\"'][A-Za-z]{1,24}\\{0,7}[\"'])?"
        r"(?:[ \t]{0,8}[,:]?[ \t\r\n]{0,32}\\{0,7}[\"']?(?:value|Value|VALUE|default|content"
        r")\\{0,7}[\"']?[ \t]{0,8}([=:])[ \t\r\n]{0,32})",
        KEYWORDS,
        "name and value as two fields: XML attributes, JSON and YAML lists of variables",
        (
            '{"name": "DB_PASSWORD", "value": "' + "hunt" + 'er2"}',
            '<add key="ApiToken" value="' + "q9Zx" * 4 + '" />',
        ),
        ('{"name": "DB_HOST", "value": "db.internal"}', '<add key="Token" value="$(Token)" />'),
        reads="assigned",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "named-value-yaml",
        NAME + r"[\"']?[ \t]{0,8}\r?\n[ \t]{0,32}[\"']?(?:value|Value)[\"']?(:)[ \t]{0,8}",
        KEYWORDS,
        "https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/",
        ("- name: DB_PASSWORD\n  value: " + "hunt" + "er2",),
        ("- name: DB_HOST\n  value: db.internal", "- name: DB_PASSWORD\n  valueFrom: x"),
        reads="assigned",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "named-element",
        NAME + r"</[A-Za-z:]{1,16}>[ \t\r\n]{0,64}<[A-Za-z:]{1,16}(>)",
        KEYWORDS,
        "XML and property lists: a name and a value as two elements",
        ("<key>DB_PASSWORD</key>\n\t<string>" + "hunt" + "er2</string>",),
        ("<key>DB_HOST</key><string>db</string>", "<name>password</name><type>text</type>"),
        reads="element",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "value-then-name",
        r"(?i)\bvalue\\{0,3}[\"']?[=:][ ]?\\{0,3}[\"']([^\"'<>\n\\]{4,1024})\\{0,3}[\"'][^<>\n=:]{0,40}"
        r"\b(?:name|key|id)\\{0,3}[\"']?[=:][ ]?\\{0,3}[\"']([A-Za-z0-9_.$-]{1,80})",
        ("value",),
        "HTML and JSON: the value stands before its name",
        ('<input value="' + "q9Zx" * 5 + '" name="csrf_token">',),
        ('<input value="Save changes" name="submit">', 'value="x1y2z3" name="color"'),
        reads="preceding",
        weight=1,
    ),
    Rule(
        "parameter-pair",
        NAME + r"[\"']?,[ ]?(?:Parameter)?Value(=)",
        KEYWORDS,
        "https://docs.aws.amazon.com/cli/latest/reference/cloudformation/create-stack.html",
        ("ParameterKey=DbPassword,ParameterValue=" + "hunt" + "er2",),
        ("ParameterKey=Env,ParameterValue=prod", "Key=Token,Value=$TOKEN"),
        reads="assigned",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "secret-column",
        NAME + r"[\"'`*]{0,3}[ \t]{0,40}(?:[|,;\t][^\n\x1f]{0,400})?\r?\n[^\n\x1f]{0,400}[|,;\t+]",
        KEYWORDS,
        "tables: CSV, Markdown, output of databases; the name heads a column",
        (
            "host,db_password,port\ndb.internal," + "hunt" + "er2,5432\n",
            " id | token\n----+-----\n 7 | " + "a1B2" * 6,
        ),
        (
            "password, token, secret\nare words",
            "| token | meaning |\n|---|---|\n| word | a word |\n",
        ),
        reads="column",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "named-call",
        NAME + r"\\{0,3}[\"']?([ \t]{0,4}[,( ][ \t]{0,4})\\{0,3}[\"'`]",
        KEYWORDS,
        'calls that set a secret: setPassword("..."), put("token", "...")',
        (
            'builder.setPassword("' + "Hunt" + 'er2-9931")',
            'headers.put("api_key", "' + "q9Zx" * 5 + '")',
        ),
        ('getToken("primary")', 't("password", "Password")'),
        reads="called",
        starts=(*STARTS, "key"),
        head=NAME,
        weight=1,
    ),
    Rule(
        "set-secret",
        r"(?:\bsetenv|\bSetEnv|\bsetx|\bset -[a-zA-Z]{1,4}|\bENV|\bARG|#[ \t]{0,4}define|\bDEFINE|\bdefine"
        r"|\bgit config(?:[ \t]{1,2}--[a-z-]{1,16}){0,3})[ \t]{1,4}([A-Za-z0-9_.-]{1,80})[ \t]{1,24}",
        ("setenv", "setx", "set -", "env", "arg", "define", "git config"),
        "csh, Windows, fish, Dockerfile, C, git: a name and a value apart by a blank",
        (
            "setenv API_TOKEN " + "q9Zx" * 5,
            '#define API_KEY "' + "q9Zx" * 5 + '"',
            "ENV DB_PASSWORD " + "hunt" + "er2",
        ),
        ("setenv EDITOR vi", "#define TOKEN_MAX 16", "set -e", "ENV API_TOKEN $TOKEN"),
        reads="flagged",
        weight=1,
    ),
    Rule(
        "variable-default",
        r"\bvariable[ \t]{1,4}\"([^\"\n]{1,80})\"[ \t]{0,4}\{[^{}\x1f]{0,400}?default[ \t]{0,8}=[ \t]{0,8}",
        ("variable",),
        "https://developer.hashicorp.com/terraform/language/values/variables",
        ('variable "db_password" {\n  default = "' + "hunt" + 'er2"\n}',),
        ('variable "region" {\n  default = "eu-west-1"\n}', 'variable "db_password" {}'),
        reads="flagged",
        weight=1,
    ),
)
