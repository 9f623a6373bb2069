"""Headers, files and calls made for credentials; tokens by the habits of their makers."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

RULES = (
    Rule(
        "netrc-password",
        r"(?i)\bmachine[ \t\n]{1,8}[^\s]{1,128}[ \t\n]{1,8}(?:login|account)[ \t\n]{1,8}[^\s]{1,128}"
        r"[ \t\n]{1,8}password[ \t\n]{1,8}([^\s\"']{2,256})",
        ("password",),
        "https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html",
        ("machine api.example.com login bob password " + "hunt" + "er2",),
        ("machine learning for a login page", "machine x login y"),
        group=1,
        validate="netrc",
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
        "network-credential",
        r"(?i)\b(?:NetworkCredential|HTTPBasicAuth|HTTPDigestAuth|BasicAuth|SetBasicAuth|basic_auth|"
        r"UsernamePasswordCredentials|PasswordAuthentication|PSCredential|PlainAuthenticator|simple_bind|simple_bind_s|bind_s|login|authenticate|auth)"
        r"\([ \t\n]{0,8}[rbu]?[\"'][^\"'\n]{0,128}[\"'],[ \t\n]{0,8}[rbu]?[\"']([^\"'\n]{3,256})[\"']",
        ("credential", "auth", "login(", "bind(", "bind_s("),
        "HTTP clients of Python, Go, Java and .NET",
        ('requests.get(url, auth=HTTPBasicAuth("bob", "' + "hunt" + 'er2"))',),
        ("HTTPBasicAuth(user, password)", 'login("bob", password)'),
        group=1,
        validate="word",
    ),
    Rule(
        "auth-pair",
        r"(?:\b|_)auth[\"']?[ ]?(?:=>?[ ]?[\(\[]|[ ])[ ]?[rbu]?[\"'][^\"'\n]{1,128}[\"'],[ ]?[rbu]?[\"']([^\"'\n]{3,256})[\"']",
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
