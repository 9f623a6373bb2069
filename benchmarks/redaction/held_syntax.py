"""A further slice: syntaxes that no rule had listed, fallbacks, comparisons, what a prompt shows.

Of 12,722 secrets of 135 kinds in 589 contexts, written without a look at the rules and split by
kind and by context, 0.950 were found (0.939 where both were of the first half, 0.964 where both were
of the second), and 0.7 % of 3,003 clean texts were changed. The rules were then improved for the
misses of the first half: 0.989 there, 0.975 in the half that nobody had looked at, whose false
alarms stayed at 1.0 %; after a look at that, 0.99 of all and 0.05 %. What still passes is mostly
plain words, such as a fruit, where no word that says password stands right before them. The slice
holds contexts and clean texts that the other files lack.
"""

# ruff: noqa: E501 (a template stays on one line)
from __future__ import annotations

import random

from held_kinds import VALUES
from held_later import NAMES, placed, thought_up

# See `placed` for the marks.
# fmt: off
PLACES: tuple[tuple[str, str, str], ...] = (
    ('rust-env-else', 'env::var("§N").unwrap_or_else(|_| "§s".into())', 'json'),
    ('kotlin-elvis', 'System.getenv("§N") ?: "§s"', 'json'),
    ('python-or', "x = os.getenv('§N') or '§s'", ''),
    ('perl-env', '$ENV{§N} = "§s";', 'json'),
    ('jinja-default', "{{ §n | default('§s') }}", ''),
    ('helm-default', '{{ .Values.§c | default "§s" }}', 'json'),
    ('erlang-binary', '{§n, <<"§s">>}', 'json'),
    ('cpp-brace', 'std::string §n{"§s"};', 'json'),
    ('cpp-string', 'auto §n = std::string("§s");', 'json'),
    ('go-bytes', 'var §c = []byte(`§s`)', ''),
    ('go-want', '    got §c = "", want "§s"', 'json'),
    ('assert-reversed', "E       AssertionError: assert '§s' == cfg.§n", ''),
    ('exception-brackets', 'Caused by: AuthException: bad §c [§s]', ''),
    ('irb', 'irb(main):003:0> ENV["§N"]\n=> "§s"', 'json'),
    ('ipython', 'In [4]: os.environ["§N"]\nOut[4]: \'§s\'', ''),
    ('python-repl', ">>> settings.§n\n'§s'\n>>> ", ''),
    ('python-tuple', 'user, §n = "svc", "§s"', 'json'),
    ('yaml-anchor', '§n: &cred "§s"\nother: *cred', 'json'),
    ('html-code', '<li><b>§W:</b> <code>§s</code></li>', 'xml'),
    ('dot-leader', '§W ........ §s\nregion ........ eu', ''),
    ('spring-value', '@Value("${app.§d:§s}") String x;', ''),
    ('makefile', '§N := §s\nall:\n\ttrue', ''),
    ('label-then-line', 'Your new §W:\n\n    §s\n\nStore it now.', ''),
    ('edn-map', '{:env {"§N" "§s"}}', 'json'),
    ('lisp-pair', '(§k . "§s")', 'json'),
    ('builder', 'Client.builder().with§C("§s").build();', 'json'),
    ('set-method', 'cfg.§n.set("§s")', 'json'),
    ('gh-body-short', 'gh secret set §N -b"§s"', 'json'),
    ('attribute-later', '<datasource url="db" auth="x" §c="§s" pool="4"/>', 'xml'),
    ('changed-from', 'I changed the §W from §s to something better', ''),
    ('after-rotation', 'New §W after rotation: §s', ''),
    ('is-it', 'Is §s the right §W?', ''),
    ('sqlplus', 'sqlplus scott/§s@//db.internal:1521/ORCLPDB1', ''),
    ('easy-connect', '{"url": "scott/§s@//db.internal:1521/ORCLPDB1"}', ''),
    ('net-use-share', 'net use Z: \\\\\\\\files\\\\share §s /user:svc', ''),
    ('here-string', "kinit svc@X.TEST <<< '§s'", ''),
    ('useradd', 'useradd -m -p §s svc', ''),
    ('nuget-push', 'dotnet nuget push a.nupkg -k §s -s x', ''),
    ('encrypt-string', "ansible-vault encrypt_string '§s' --name §n", ''),
    ('bitte-als', 'Benutze bitte §s als Passwort.', ''),
)

CLEAN: tuple[str, ...] = (
    'query Login($password: String!) { login(password: $password) { token } }',
    "MasterUserPassword: '{{resolve:secretsmanager:db:SecretString:password}}'",
    "'password' => ['required', 'string', 'min:8', 'confirmed'],",
    '"password": "Passwort", "token": "Zeichen"',
    '"password_too_short": "Das Passwort ist zu kurz"',
    '--password-icon: url(data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjwvc3ZnPg==)',
    'const KEY = "user-settings-v2"',
    '--- PASS: TestTokenRefresh/invalid_secret (0.00s)',
    'PASS: test_token_cache',
    'token_ttl: 3600\nsecret_backend: vault',
    '"scripts": {"token": "node scripts/token.js"}',
    '+password: !vault |',
    'default-token-x7k2p   kubernetes.io/service-account-token   3   12d',
    'js-tokens@^4.0.0: resolved "https://registry.example.com/js-tokens/-/js-tokens-4.0.0.tgz"',
    'if (token.kind === "identifier") next(token);',
    'isinstance(private_key, ed25519.Ed25519PrivateKey)',
    'names = ["prop", "pwd", "quickcheck", "refute"]',
    'secret_name = "prod/db/main"\nsecret_version = 4',
    'test/auth_test.go:12: token_test: want "bearer", got "basic"',
    'password,token,secret\nrequired,optional,none',
)
# fmt: on


def secrets(seed: int) -> list[tuple[str, str, str, str]]:
    """(kind, context, text, the secret as it stands there)."""
    rng = random.Random(seed + 6)
    out: list[tuple[str, str, str, str]] = []
    for context, template, form in PLACES:
        kind, name, make = rng.choice(VALUES)
        out.append((kind, context, *placed(template, name, make(rng), form)))
        for _ in range(2):
            text, shown = placed(template, rng.choice(NAMES), thought_up(rng), form)
            out.append(("thought-up", context, text, shown))
    return out


def clean(seed: int) -> list[tuple[str, str]]:
    """(sort of text, text)."""
    rng = random.Random(seed + 7)
    return [("syntax", rng.choice(CLEAN)) for _ in range(200)]
