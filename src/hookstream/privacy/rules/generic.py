"""Secrets without a format of their own: known by the name, flag, header or address they stand in."""

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
    r"[ \t]{0,24}(?:=>|:=|\?=|\+=|===|==|!==|!=|=|:|->|<-|\|\|?|\?\?|\t|[^\x00-\x7f]{1,9})[ \t]{0,24}"
    r"|(?:[ \t][^<>\n]{0,120})?>)"
)

# Password, secret, token, key as other scripts write them; literals only, in no class.
FOREIGN = tuple(
    "\u043f\u0430\u0440\u043e\u043b \u041f\u0430\u0440\u043e\u043b \u0442\u043e\u043a\u0435\u043d "
    "\u0422\u043e\u043a\u0435\u043d \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4 \u4ee4\u724c \u5bc6\u94a5 "
    "\u91d1\u9470 \u30d1\u30b9\u30ef\u30fc\u30c9 \u30c8\u30fc\u30af\u30f3 "
    "\u79d8\u5bc6\u9375 \ube44\ubc00\ubc88\ud638 \uc554\ud638 \ud1a0\ud070 "
    "\u03ba\u03c9\u03b4\u03b9\u03ba \u05e1\u05d9\u05e1\u05de "
    "\u0643\u0644\u0645\u0629 \u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19 "
    "\u092a\u093e\u0938\u0935\u0930\u094d\u0921".split()
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
        + r"\\{0,7}[\"'](?:[ \t]{0,8}[,:]?[ \t\r\n]{0,32}\\{0,7}[\"']?(?:value|Value|VALUE|default|content"
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
        weight=1,
    ),
    Rule(
        "set-secret",
        r"(?:\bsetenv|\bsetx|\bset -[a-zA-Z]{1,4}|\bENV|\bARG|#[ \t]{0,4}define|\bDEFINE|\bdefine"
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
    Rule(
        "here-string-secret",
        r"(?:--with-token|--password-stdin|\bchpasswd|\bread\b[^|\n]{0,24}(?:PASS|pass|PW|TOKEN|token|SECRET|secret|KEY))[^|\n]{0,60}<<<[ ]{0,2}",
        ("<<<",),
        "shell: a secret handed over on standard input",
        ("gh auth login --with-token <<< " + "q9Zx" * 5,),
        ('docker login --password-stdin <<< "$PW"', "cat <<< text"),
        reads="argument",
        weight=1,
    ),
    Rule(
        "credential-pair",
        r"(?i)\b(?:credentials?|creds|login|account|log in|sign in)(?: is| are| with| as| using)?"
        r"[ \t]{0,2}[:=]?[ \t]{1,3}[\"'`]?[a-z0-9._@-]{2,64}[\"'`]?[ ]?[/:|][ ]?[\"'`]?"
        r"([^\s\"'`/:|]{6,128})",
        ("cred", "login", "account", "log in", "sign in"),
        "how people write a user and a password side by side",
        ("credentials: bob / " + "Hunt" + "er2!", "log in with bob:" + "Hunt" + "er2!"),
        ("login at https://x.test", "account: a/b", "credentials are in vault: path2"),
        group=1,
        validate="pair",
        weight=1,
    ),
    Rule(
        "flag-secret",
        r"(?i)-[a-z0-9_]{0,32}"
        r"(?:password|passwd|passphrase|passcode|pass|pwd|secret|token|key|credentials?|auth|pat|passwort|kennwort"
        r"|contrasena|senha|wachtwoord|haslo|segret)"
        r"[a-z0-9_-]{0,16}\\{0,3}[\"']?,?[ \t]{1,8}",
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
        r"(?:-[a-zA-Z]{0,6}u|--user|-a|--auth|--proxy-user)[ =]{0,2}[\"']?[^\s:\"'$/]{1,64}:([^\s\"'`]{2,256})",
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
        r"|\bskopeo login|\bclickhouse-client|\binflux|\b7za?|\brabbitmqadmin|\brdesktop|\bevil-winrm|\btwine)\b[^\n|;&]{0,300}?[ \t]-p[ =]?)"
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
        r"|\bhtpasswd[ \t]{1,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \t]{1,4}[^\s]{1,128}[ \t]{1,4}[^\s]{1,64}"
        r"|\bhtpasswd[ \t]{1,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \t]{1,4}[^\s]{1,64}"
        r"|\bnet use\b[^\n|;&]{0,200}?/user:[^\s]{1,64}"
        r"|\bvault login|\bssh-keygen\b[^\n|;&]{0,200}?[ \t]-N"
        r"|\bwinrm\b[^\n|;&]{0,200}?-p|\bevil-winrm\b[^\n|;&]{0,200}?-p|\bxfreerdp\b[^\n|;&]{0,200}?/p:"
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
            "htpasswd",
            "net use",
            "winrm",
            "xfreerdp",
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
        r"(?:-U[ =]?[\"']?[^\s%\"']{1,64}%|[,=]pass=)([^\s\"',]{2,128})",
        ("-u", "pass="),
        "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html",
        ("smbclient //srv/share -U alice%" + "hunt" + "er2",),
        ("smbclient //srv/share -U alice", "mount -t tmpfs x y"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "url-userinfo",
        r"(?i)\b[a-z][a-z0-9+.-]{1,24}:(?:\\?/){2}[^\s:@/?#\"'<>`\\\[]{0,128}:([^\s@/\"'<>`]{1,256})@[^\s@]",
        ("://", ":\\/\\/"),
        "RFC 3986, section 3.2.1",
        (
            "postgres://app:" + "hunt" + "er2@db.internal:5432/shop",
            "redis://:" + "s3cr" + "etpw@cache:6379/0",
        ),
        (
            "https://example.com:8080/path@2",
            "postgres://app:${DB_PASSWORD}@db/shop",
            "https://user@example.com/",
        ),
        group=1,
        validate="word",
    ),
    Rule(
        "url-userinfo-odd",
        r"(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|oracle|ftps?|"
        r"sftp|ssh|smb|ldaps?|https?|clickhouse|cockroachdb|sqlserver|snowflake)(?:\+[a-z0-9]{1,16})?"
        r"://[^\s:@/?#\"'<>`\\\[]{0,64}:([^\s\"'<>`@]{1,128}(?:@[^\s\"'<>`@./:]{1,64}){0,2})@"
        r"[a-z0-9_.\[-]{1,128}(?:[:/?]|\b)",
        ("://",),
        "a password with / or @ left unescaped, as people write it",
        ("mysql://app:" + "p@ss" + "/w0rd@db.internal/shop",),
        ("https://example.com:8080/a/b@c", "https://x.test/npm/:id/@scope/pkg"),
        group=1,
        validate="userinfo",
    ),
    Rule(
        "url-token-user",
        r"(?i)\bhttps?://([a-z0-9_=-]{20,255})@[a-z0-9.-]{3,}",
        ("://",),
        "https://git-scm.com/docs/gitcredentials: a token in the place of the user",
        ("https://" + "a1B2" * 7 + "@git.example.com/x.git",),
        ("https://deploy-user-of-the-team@example.com/x.git", "https://user@example.com"),
        group=1,
        validate="entropy",
    ),
    Rule(
        "url-query-secret",
        r"(?i)[?&;](?:[a-z0-9_.-]{0,24}(?:token|secret|passw(?:or)?d|api[_-]?key|apikey|access[_-]?key|"
        r"signature|credential|jwt|auth|pwd)[a-z0-9_-]{0,16}|sig|key|code|sid|pass|x-amz-signature"
        r"|hmac|appkey|appid|subscription-key)=((?:[0-9]{13,17}\|)?[^\s&#\"'<>`\\|;]{6,2048})",
        (
            "token=",
            "secret",
            "passw",
            "key",
            "signature",
            "credential",
            "jwt",
            "auth",
            "pwd",
            "sig=",
            "code=",
            "sid=",
            "pass=",
            "hmac=",
            "appid=",
        ),
        "RFC 6750, section 2.3, and signed URLs",
        (
            "https://api.example.com/v1?access_token=" + "a1B2" * 6,
            "https://maps.example.com/js?key=" + "a1B2" * 8,
        ),
        ("https://x.test/?key=value&code=404", "https://x.test/?token=$TOKEN"),
        group=1,
        validate="parameter",
        weight=1,
    ),
    Rule(
        "connection-string",
        r"(?i);[ ]?(?:pwd|password|passwd|accountkey|sharedaccesskey|sharedsecret|access ?key|"
        r"accesskeysecret|secret|token)=([^;\s\"'&<>=][^;\n\"'<>]{0,255})(?:;|\"|'|\n|$)",
        ("pwd", "password", "passwd", "key", "secret", "token"),
        "https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax",
        (
            "Server=db;Database=shop;User Id=sa;Password=" + "Hunt" + "er2!;Encrypt=true",
            "Driver={ODBC Driver 18};UID=sa;PWD=" + "hunt" + "er2;",
        ),
        ("Server=db;Integrated Security=true;", "Server=db;Password=${PW};"),
        group=1,
        validate="connection",
        weight=1,
    ),
    Rule(
        "odbc-braced-password",
        r"(?i)\b(?:pwd|password)=\{([^}\n]{2,128})\}",
        ("pwd={", "password={"),
        "https://learn.microsoft.com/sql/odbc/reference/syntax/sqldriverconnect-function",
        ("DRIVER=x;UID=sa;PWD={" + "hunt" + "er;2};",),
        ("password={password}", "PWD={}"),
        group=1,
        validate="word",
    ),
    Rule(
        "jdbc-oracle-password",
        r"(?i)jdbc:oracle:(?:thin|oci):[a-z0-9_$#]{1,64}/([^\s@\"']{1,128})@",
        ("jdbc:oracle",),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/jjdbc/",
        ("jdbc:oracle:thin:scott/" + "hunt" + "er2@//db:1521/shop",),
        ("jdbc:oracle:thin:@//db:1521/shop", "jdbc:oracle:oci:@tns"),
        group=1,
        validate="word",
    ),
    Rule(
        "sqlplus-login",
        r"(?i)\b(?:sqlplus|sqlldr|expdp|impdp|rman target)[ \t]{1,4}(?:-[a-z]{1,8}[ \t]{1,4}){0,3}"
        r"[\"']?[a-z0-9_$#]{1,64}/([^\s@\"'/][^\s@\"']{1,128})",
        ("sqlplus", "sqlldr", "expdp", "impdp", "rman"),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/",
        ("sqlplus scott/" + "hunt" + "er2@db",),
        ("sqlplus /nolog", "sqlplus -s scott@db"),
        group=1,
        validate="word",
    ),
    Rule(
        "sql-password",
        r"(?i)\b(?:identified[ \t]{1,4}(?:with[ \t]{1,4}[a-z0-9_']{1,32}[ \t]{1,4})?(?:by|as)(?:[ \t]{1,4}password)?"
        r"|(?:encrypted|unencrypted|with|set|role|user|login)[ \t]{1,4}(?:[a-z0-9_]{1,64}[ \t]{1,4}){0,4}"
        r"password(?:[ \t]{1,4}for[ \t]{1,4}[^\s=]{1,64})?(?:[ \t]{0,4}=|[ \t]{0,4}\()?)"
        r"[ \t]{0,4}N?[\"']([^\"'\n]{2,256})[\"']",
        ("identified", "password"),
        "SQL: CREATE USER and ALTER ROLE of MySQL, PostgreSQL, Oracle, SQL Server",
        (
            "CREATE USER 'app'@'%' IDENTIFIED BY '" + "hunt" + "er2'",
            "ALTER ROLE app WITH LOGIN PASSWORD '" + "hunt" + "er2'",
        ),
        ("IDENTIFIED BY RANDOM PASSWORD", "the user with password login"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "sql-identified-bare",
        r"(?i)\bidentified[ \t]{1,4}by[ \t]{1,4}([a-z0-9_$#!]{3,64})\b",
        ("identified",),
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-USER.html",
        ("CREATE USER app IDENTIFIED BY " + "hunt" + "er2",),
        ("identified by the scanner", "IDENTIFIED BY RANDOM PASSWORD"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "netrc-password",
        r"(?i)\bmachine[ \t\n]{1,8}[^\s]{1,128}[ \t\n]{1,8}(?:login|account)[ \t\n]{1,8}[^\s]{1,128}"
        r"[ \t\n]{1,8}password[ \t\n]{1,8}([^\s\"']{2,256})",
        ("machine",),
        "https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html",
        ("machine api.example.com login bob password " + "hunt" + "er2",),
        ("machine learning for a login page", "machine x login y"),
        group=1,
        validate="netrc",
        weight=1,
    ),
    Rule(
        "login-password-words",
        r"(?i)\b(?:login|user|username)[ \t]{1,4}[^\s,;=]{1,64}(?: and| with| /| the){0,2}[ \t]{1,4}password[ \t]{1,4}([^\s\"',;]{3,128})",
        ("password",),
        "netrc and device configuration: user NAME password VALUE",
        ("username admin password " + "Hunt" + "er2!9",),
        ("login form password field", "user alice password is"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "prose-secret",
        r"(?i)(pass(?:word|phrase|code|wd)|(?:\b|_)(?:pw|secret(?: key)?|(?:api|access|secret|private|auth|bearer|"
        r"license|admin|root) (?:key|token|password)|api ?key|token|pwd|credentials?|pin|key|kennwort|mot de passe|"
        r"contrase[^\s]{1,2}a|senha|passwort|wachtwoord|has[^\s]{1,2}o|parola|heslo|l[^\s]{1,2}senord|passord|adgangskode|salasana))(?: (?:for|of|to|on|in|at|do|da|de|del|di|du|van|von|der) [a-z0-9_.@/'-]{1,40}"
        r"(?: [a-z0-9_.@/-]{1,40}){0,3}?)?(?: \([^)\n]{1,40}\))?"
        r"(,? (?:lautet|ist|est|es|jest|var|er|on|is|was|=|equals|being|are|will be|as|(?:re)?set to|changed to)(?: now| still| set to| simply| currently)?"
        r"|[:=]|,| -| ?[^\x00-\x7f]{1,3}|):?[ ]{1,3}((?:\*\*)?[\"'`]?)([^\s\"'`]{4,256})",
        (
            "pass",
            "pw",
            "secret",
            "key",
            "token",
            "pwd",
            "credential",
            "pin",
            "kennwort",
            "contrase",
            "senha",
            "wachtwoord",
            "has",
            "parola",
            "heslo",
            "senord",
            "adgangskode",
            "salasana",
        ),
        "how people write a secret into a prompt",
        (
            "the password is " + "hunt" + "er2",
            "my api key: " + "q9Zx" * 5,
            "use token " + "q9Zx" * 5 + " for this",
        ),
        (
            "the password is required",
            "the token was expired",
            "secret is not set",
            "token count 100",
        ),
        reads="prose",
        starts=(
            "pass",
            "pw",
            "secret",
            "api",
            "access",
            "private",
            "auth",
            "bearer",
            "licen",
            "admin",
            "root",
            "token",
            "credential",
            "pin",
            "key",
            "kennwort",
            "mot de",
            "contrase",
            "senha",
            "wachtwoord",
            "has",
            "parola",
            "heslo",
            "_",
            "l",
            "adgangskode",
            "salasana",
        ),
        weight=1,
    ),
    Rule(
        "secret-set-to",
        r"(?i)\b(?:set|chang|updat|switch|rotat)[a-z]{0,4} [a-z0-9_. -]{0,40}?(passw(?:or)?d|passphrase|secret|token|key|pwd)"
        r"( (?:from [^\s]{1,64} )?to):?[ ]{1,3}((?:\*\*)?[\"'`]?)([^\s\"'`]{4,256})",
        ("passw", "passphrase", "secret", "token", "key", "pwd"),
        "how people write of a secret they changed",
        (
            "I set WEBHOOK_SECRET to " + "q9Zx" * 5 + " yesterday",
            "change the password from a1 to " + "hunt" + "er2",
        ),
        (
            "set the token to the new value",
            "change the key to something else",
            "set max_tokens to 4096",
        ),
        reads="prose",
        weight=1,
    ),
    Rule(
        "foreign-secret",
        "(?:"
        + "|".join(FOREIGN)
        + r")[^\x21-\x7e\n]{0,72}[:=]?[^\x21-\x7e\n]{0,72}(?:\*\*|[\"'`(\[])?([\x21-\x7e]{5,256})",
        tuple(dict.fromkeys(word.lower() for word in FOREIGN)),
        "how people write a secret into a prompt, in scripts other than Latin",
        (
            "\u043f\u0430\u0440\u043e\u043b\u044c: " + "Hunt" + "er2!",
            "\u5bc6\u7801\u662f " + "Hunt" + "er2!9",
        ),
        (
            "\u5bc6\u7801\u5fc5\u987b\u81f3\u5c11 8 \u4e2a",
            "\u043f\u0430\u0440\u043e\u043b\u044c: required",
        ),
        reads="foreign",
        weight=1,
    ),
    Rule(
        "bearer-token",
        r"(?i)\bbearer[ \t]{1,4}([a-z0-9_.~+/=-]{12,4096})",
        ("bearer",),
        "RFC 6750",
        ("curl -H 'Authorization: Bearer " + "a1B2" * 6 + "'",),
        ("Bearer authentication", "bearer of bad news"),
        group=1,
        validate="bearer",
        weight=1,
    ),
    Rule(
        "basic-auth",
        r"(?i)\bbasic[ \t]{1,4}([a-z0-9+/=_-]{8,1024})",
        ("basic",),
        "RFC 7617",
        ("Authorization: Basic " + "YWxhZGRpbjpvcGVu" + "c2VzYW1l",),
        ("basic authentication", "Basic understanding", "basic-setup"),
        group=1,
        validate="basic",
        weight=1,
    ),
    Rule(
        "docker-auth",
        r"\\{0,3}\"(?:auth|identitytoken|registrytoken)\\{0,3}\"[ \t]{0,4}:[ \t]{0,4}\\{0,3}\"([A-Za-z0-9+/=_-]{8,4096})",
        ('"auth', "auth\\", "identitytoken", "registrytoken"),
        "https://docs.docker.com/reference/cli/docker/login/",
        ('{"auths":{"r.example.com":{"auth":"' + "Ym9iOmh1" + "bnRlcjI=" + '"}}}',),
        ('{"auth": "oauth2"}', '{"auth": "required"}'),
        group=1,
        validate="basic",
    ),
    Rule(
        "kubernetes-secret",
        r"(?i)\bkind[\"']?:[ \t]{0,4}[\"']?(?:sealed)?secret\b",
        ("secret",),
        "https://kubernetes.io/docs/concepts/configuration/secret/",
        ("apiVersion: v1\nkind: Secret\ndata:\n  db: " + "aHVudGVy" + "Mg==\n",),
        ("kind: SecretStore\ndata: {}", "kind: ConfigMap\ndata:\n  mode: fast\n"),
        reads="kubernetes",
    ),
    Rule(
        "kubectl-literal",
        r"--from-literal[= ][\"']?[A-Za-z0-9_.-]{1,64}=",
        ("from-literal",),
        "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_create/kubectl_create_secret_generic/",
        ("kubectl create secret generic db --from-literal=user=" + "hunt" + "er2",),
        ("kubectl create secret generic db --from-file=./pw", "--from-literal=a=$PW"),
        reads="argument",
    ),
    Rule(
        "secret-store-write",
        r"(?i)\b(?:vault (?:kv put|write)|gh secret set|heroku config:set|fly(?:ctl)? secrets set|"
        r"doppler secrets set|wrangler secret put|aws configure set aws_[a-z_]{3,24}|npm config set|"
        r"pulumi config set --secret|supabase secrets set|netlify env:set|vercel env add|firebase "
        r"functions:config:set|aws ssm put-parameter|az keyvault secret set)[ \t]{1,4}",
        ("vault", "secret", "config", "env", "put-parameter"),
        "the manuals of these programs",
        (
            "aws configure set aws_secret_access_key " + "q9Zx" * 10,
            "gh secret set DEPLOY --body " + "hunt" + "er2-99",
        ),
        ("vault kv get secret/app", "gh secret list"),
        reads="stored",
    ),
    Rule(
        "piped-password",
        r"\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4}|'%s(?:\\n)?'[ \t]{1,4}|\"%s(?:\\n)?\"[ \t]{1,4})?"
        r"[\"']?([^\s\"'|]{2,256})[\"']?[ \t]{0,4}\|[ \t]{0,4}"
        r"(?:sudo[ \t]{1,4}(?:-[A-RT-Za-z]{1,8}[ \t]{1,4}){0,3}-[A-Za-z]{0,3}S|(?:docker|podman|helm|gh|az|oc|crane|skopeo|glab|wrangler|npx|fly|flyctl|kubectl)\b[^|\n]{0,200}"
        r"(?:--password-stdin|--with-token|auth login|secrets? (?:set|put))|vncpasswd\b|passwd\b[^|\n]{0,40}--stdin|cryptsetup\b)",
        (
            "vncpasswd",
            "passwd",
            "cryptsetup",
            "sudo",
            "password-stdin",
            "with-token",
            "auth login",
            "secret",
        ),
        "https://docs.docker.com/reference/cli/docker/login/",
        (
            "echo " + "hunt" + "er2 | sudo -S apt update",
            "echo '" + "hunt" + "er2' | docker login --password-stdin",
        ),
        ("echo hi | sudo tee /etc/x", "echo $PW | docker login --password-stdin"),
        group=1,
        validate="word",
    ),
    Rule(
        "sent-at-prompt",
        r"(?i)(?:assword|assphrase|ogin token)[^\n]{0,80}\bsend(?:line)?[ (\"'-]{1,4}([^\"'\\\n]{4,256})(?:\\[rn]|[\"'])",
        ("assword", "assphrase", "ogin token"),
        "expect and pexpect: what is typed at a prompt for a password",
        (
            'expect "assword:" { send "' + "hunt" + 'er2\\r" }',
            "child.expect('Password:'); child.sendline('" + "hunt" + "er2')",
        ),
        ('expect "assword:" { send "$pw\\r" }', "send your password"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "written-to-secret-file",
        r"\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4}|'%s(?:\\n)?'[ \t]{1,4}|\"%s(?:\\n)?\"[ \t]{1,4})?"
        r"[\"']?([^\s\"'|]{4,256})[\"']?[ \t]{0,4}(?:>{1,2}|\|[ \t]{0,4}(?:sudo )?tee(?: -a)?)[ \t]{0,4}[^\s|;&]{0,128}"
        r"(?:secret|passw|token|credential|[_-]key|pgpass|netrc)",
        ("secret", "passw", "token", "credential", "_key", "-key", "pgpass", "netrc"),
        "shell: a value written to a file whose name says secret",
        ("echo -n '" + "hunt" + "er2' > /run/secrets/db_password",),
        ("echo done > tokens.txt", 'echo "$TOKEN" > token'),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "printed-secret",
        r"(?:\bpass show|\bop read|\bvault kv get -field=[^\s]{1,64}|\bbase64 (?:-d|-D|--decode)|\bgh auth token"
        r"|\bget-login-password|\bprint-access-token|\bfind-generic-password|\bget-secret-value)\b[^\n]{0,200}\r?\n"
        r"([^\s\"'<>$]{6,4096})\r?(?:\n|$)",
        (
            "pass show",
            "op read",
            "kv get",
            "base64",
            "auth token",
            "login-password",
            "access-token",
            "generic-password",
            "secret-value",
        ),
        "commands that print a secret, with what they printed",
        ("$ pass show db/prod\n" + "Hunt" + "er2!x\n",),
        ("$ pass show db/prod\nerror: not found\n", "base64 -d <<< x\nhello\n"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "chpasswd",
        r"\b(?:echo|printf)[ \t]{1,4}[\"']?[a-z_][a-z0-9_-]{0,31}:([^\s\"'|]{2,128})[\"']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo )?chpasswd",
        ("chpasswd",),
        "https://man7.org/linux/man-pages/man8/chpasswd.8.html",
        ("echo 'root:" + "hunt" + "er2' | chpasswd",),
        ("echo x | sudo tee y", 'echo "root:$PW" | chpasswd'),
        group=1,
        validate="word",
    ),
    Rule(
        "pgpass",
        r"(?m)^[A-Za-z0-9_.*-]{1,128}:(?:5432|5433|6432|\*):[A-Za-z0-9_*-]{1,64}:[A-Za-z0-9_*-]{1,64}"
        r":([^\s:]{2,128})$",
        (":5432:", ":*:", ":6432:", ":5433:"),
        "https://www.postgresql.org/docs/current/libpq-pgpass.html",
        ("db.internal:5432:shop:app:" + "hunt" + "er2",),
        ("a:b:c:d:e", "src/app.py:10:5:E501:line too long"),
        group=1,
        validate="pgpass",
    ),
    Rule(
        "npmrc-auth",
        r"(?m)(?:^|[\s\"':])_(?:authToken|auth|password)[\"']?[ \t]{0,4}=[ \t]{0,4}[\"']?([A-Za-z0-9_.+/=-]{6,1024})",
        ("_auth", "_password"),
        "https://docs.npmjs.com/cli/v10/configuring-npm/npmrc",
        ("//registry.example.com/:_authToken=" + "a1B2" * 9, "_auth=" + "Ym9iOmh1bnRl" + "cjI="),
        ("//registry.npmjs.org/:_authToken=${NPM_TOKEN}", "always-auth=true"),
        group=1,
        validate="word",
    ),
    Rule(
        "securestring",
        r"(?i)ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?",
        ("securestring",),
        "https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring",
        ("$p = ConvertTo-SecureString '" + "hunt" + "er2' -AsPlainText -Force",),
        ("ConvertTo-SecureString $plain -AsPlainText", "Read-Host -AsSecureString"),
        reads="argument",
    ),
    Rule(
        "network-credential",
        r"(?i)\b(?:NetworkCredential|HTTPBasicAuth|HTTPDigestAuth|BasicAuth|SetBasicAuth|basic_auth|"
        r"UsernamePasswordCredentials|PasswordAuthentication|PSCredential|PlainAuthenticator|login|authenticate|auth)"
        r"\([ \t\n]{0,8}[rbu]?[\"'][^\"'\n]{0,128}[\"'],[ \t\n]{0,8}[rbu]?[\"']([^\"'\n]{3,256})[\"']",
        ("credential", "auth", "login("),
        "HTTP clients of Python, Go, Java and .NET",
        ('requests.get(url, auth=HTTPBasicAuth("bob", "' + "hunt" + 'er2"))',),
        ("HTTPBasicAuth(user, password)", 'login("bob", password)'),
        group=1,
        validate="word",
    ),
    Rule(
        "auth-pair",
        r"\bauth[ ]?=[ ]?\([ ]?[rbu]?[\"'][^\"'\n]{1,128}[\"'],[ ]?[rbu]?[\"']([^\"'\n]{3,256})[\"']",
        ("auth",),
        "https://requests.readthedocs.io/en/latest/user/authentication/",
        ('requests.get(url, auth=("bob", "' + "hunt" + 'er2"))',),
        ("auth=(user, password)", 'auth = ("bob", pw)'),
        group=1,
        validate="word",
    ),
    Rule(
        "prefixed-token",
        r"[_-](?:live|test|prod|secret|private|api|access|personal|auth|pat|sk|pk|rk|key|token|tok"
        r"|bot)[_-]([A-Za-z0-9_-]{16,256})",
        tuple(
            f"{mark}{word}"
            for mark in "_-"
            for word in "live test prod secret private api access personal auth pat sk pk rk key tok "
            "bot".split()
        ),
        "the habit of vendors to begin a token with a name and a kind",
        ("acme_live_" + "a1B2c3D4" * 3, "zeta-api-" + "q9Zx71Lm" * 3),
        (
            "my_test_function_name_is_long",
            "acme-api-1234567890123456",
            "test_token_login_works_fine",
        ),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "kind-token",
        r"\b(?:sk|rk|pat|tok|token|secret|apikey)[_-]([A-Za-z0-9_-]{16,256})",
        ("sk", "rk", "pat", "tok", "secret", "apikey"),
        "the habit of vendors to begin a token with its kind",
        ("sk_zeta_" + "q9Zx71Lm" * 3, "pat_" + "q9Zx71Lm" * 3),
        (
            "sk_learn_preprocessing_step_one",
            "token-classification-pipeline",
            "secret_manager_client",
        ),
        group=1,
        validate="entropy",
        weight=1,
    ),
)
