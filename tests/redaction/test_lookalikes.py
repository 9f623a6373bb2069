"""What looks like a secret and opens nothing stays as it is; the secret beside it goes."""

from __future__ import annotations

import pytest
from privacy_cases import scanner_of

from hookstream.redaction.mail import is_of_person

HEX = "5f61d7d20a6280ca" + "a193447f5f6df792"
UUID = "7166093d-779a-455e-8569-a62547b51acc"
ADDRESS = "0x" + "aef6013711609a6f9235" + "c3d336debaf09024a5b0"
RANDOM = "q9Zx71Lm" * 4

# Each line is of another family; none holds a secret.
CLEAN = (
    # rules of validation, schemes
    "'password' => 'required|min:10|confirmed'",
    "'api_token' => 'required|size:40|unique:users,api_token',",
    'Password string `validate:"required,min=8,max=72"`',
    '"password": "required,min=8,max=72"',
    "set_rules('password', 'Password', 'trim|required|min_length[8]|xss_clean');",
    '"passwordHashers": "[argon2, bcrypt]"',
    "password_cipher = aes-256-gcm",
    "PASSWORD_HASHERS = ['django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher']",
    'password: \u5bc6\u7801\napi_key: "API \u5bc6\u94a5"',
    # where a value comes from
    "const client = new Client({ token: Bun.env.SLACK_BOT_TOKEN! });",
    "token: session.accessToken!,",
    "val token = BuildConfig.API_TOKEN2",
    "password: ssm:/prod/db/password",
    'keyring.get_password("scheduler", username)',
    # folders
    "sudo: deploy : TTY=pts/0 ; PWD=/srv/scheduler ; USER=root ; COMMAND=/bin/ls",
    "token: $SECRETS/api-token",
    # names in stores of secrets
    "gcloud run deploy --set-secrets=API_KEY=my-key:latest",
    "docker build --secret id=npm_token,src=$HOME/.npmrc .",
    f"https://billing-kv.vault.azure.net/secrets/session-key/{HEX}",
    f"GET /v1/projects/{UUID}/secrets/{UUID}/versions HTTP/1.1",
    f"bw get password {UUID}",
    "gqja35yzxshw6k1xvu6pkjy3f   db_password   2 weeks ago\n"
    "9smw2fslpuk7rs6f9xtr9n5j5   api_token     3 days ago",
    "NAME            DIGEST            CREATED AT\nSECRET_KEY_BASE 9a0e44e1c2d3f4b5  1m ago",
    "gcloud secrets versions access 3 --secret=db-pass",
    "podman run --secret api-key,type=env image",
    # what an editor of streams puts in a secret's place
    "sed -i 's/password=.*/password=REDACTED/' f",
    "sed 's/secret: .*/secret: MASKED/g'",
    "sed -E 's#api_key=[^&]+#api_key=HIDDEN#' f",
    # files, streams and settings where secrets stand elsewhere
    "7z a -p out.7z src",
    "openssl enc -aes-256-cbc -pass stdin",
    "aws configure set region eu-west-1",
    # public by design
    f"contract UserToken deployed at {ADDRESS}",
    f'const USDC_TOKEN = "{ADDRESS}";',
    "transfer 5 TOKEN to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq ok",
    "api key: AAAAC3NzaC1lZDI1NTE5AAAAI" + "OMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
    "applicationServerKey: toBytes('B" + "q9Zx71LmQ4vW" * 7 + "ab')",
    "RECAPTCHA_SITE_KEY=6Le" + "q9Zx71Lm" * 4 + "q9Zx7",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "key: linux-secret-cache-" + HEX,
    "password: ENC(" + RANDOM + ")",
    "map[password:<nil> token:0xc0000a6018]",
    # examples and pictures
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY",
    "AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE",
    "token=ghp_" + "1234567890abcdefghijklmnopqrstuvwxyz",
    'token = "' + "0123456789abcdef" * 2 + '"',
    "SLACK_TOKEN=xoxb-your-token-here",
    "SECRET_KEY=replace-with-output-of-openssl-rand-hex-32",
    "Authorization: Bearer eyJhbGciOi...",
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq"
    + "/K1SZFPTOtr/KBHBeksoGMGw==",
    "ghp_" + "0" * 36,
    "curl -u user:pass https://example.com",
    "password: z.string().min(8).max(64).regex(/[A-Z]/),",
    "{ password: 'required|minLength:8|regex:/^[A-Za-z0-9]+$/' }",
    # addresses of nobody
    "Ciphers chacha20-poly1305@openssh.com,aes256-gcm@openssh.com",
    "kex: curve25519-sha256@libssh.org",
)
# What stands in such places and is one.
SECRET = (
    ("'password' => '{}'", "requ1red|min:Zx9"),
    ("password={}", "Sommer2024"),
    ("wallet private key: {}", "0x" + "270b70f83d09162b286ef07ec8329956" * 2),
    ("Driver=x;UID=sa;PWD={};", "srvZ9!"),
    ("tool --secret={} --out x", "q9Zx71-Lm"),
    ("The password is {}...", "hunt" + "er2"),
    ("DB_PASSWORD={}", "12345678"),
    ("wep key: {}", "0x" + "1A2B3C4D5E6F70"),
)


@pytest.mark.parametrize("text", CLEAN)
def test_a_look_alike_stays(text: str) -> None:
    assert scanner_of("python").scan(text) == []


@pytest.mark.parametrize(("template", "value"), SECRET)
def test_a_secret_in_its_place_goes(template: str, value: str) -> None:
    text = template.format(value)
    found = scanner_of("python").scan(text)
    assert [text[start:end].strip(".;/") for start, end, _ in found] == [value]


def test_an_algorithm_of_ssh_is_no_address() -> None:
    assert not is_of_person("aes256-gcm@openssh.com")
    assert is_of_person("jane.doe@openssh.com")


def test_a_token_that_looks_like_a_public_key_goes_where_nothing_says_public() -> None:
    point = "B" + "a1B2c3D4_-" * 8 + "x7Kq2Z"
    assert [rule for _, _, rule in scanner_of("python").scan(f"ACCESS_TOKEN={point}")]
    assert not scanner_of("python").scan(f"VAPID_KEY={point}")
