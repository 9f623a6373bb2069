"""Kinds of secret: how each looks, made at random from a seed. No value here was ever valid.

A kind is (name, variable name it usually has, maker). Makers follow the vendors' published formats,
not the rules under test; `VALUES` have no format and are known only by what stands beside them.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

Maker = Callable[[random.Random], str]

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"


def of(alphabet: str, size: int, prefix: str = "", suffix: str = "") -> Maker:
    def make(rng: random.Random) -> str:
        return prefix + _mixed(rng, alphabet, size) + suffix

    return make


def _mixed(rng: random.Random, alphabet: str, size: int) -> str:
    """Random characters that begin and end with a letter or digit."""
    ends = [char for char in alphabet if char.isalnum()]
    body = rng.choices(alphabet, k=max(size - 2, 0))
    text = rng.choice(ends) + "".join(body) + rng.choice(ends)
    return text[:size]


def uuid(rng: random.Random) -> str:
    digits = _mixed(rng, HEX, 32)
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def jwt(rng: random.Random) -> str:
    head = encoded(json.dumps({"alg": rng.choice(["HS256", "RS256"]), "typ": "JWT"}))
    body = encoded(json.dumps({"sub": str(rng.randrange(10**9)), "iat": rng.randrange(10**9)}))
    return f"{head}.{body}.{_mixed(rng, URLSAFE, 43)}"


def pem(kind: str) -> Maker:
    def make(rng: random.Random) -> str:
        lines = "\n".join(_mixed(rng, BASE64, 64) for _ in range(6))
        return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"

    return make


def joined(*parts: str | Maker) -> Maker:
    return lambda rng: "".join(part if isinstance(part, str) else part(rng) for part in parts)


def card(rng: random.Random) -> str:
    digits = [int(char) for char in rng.choice(["4", "51", "55"])]
    digits += [rng.randrange(10) for _ in range(15 - len(digits))]
    total = sum(digits[1::2]) + sum(d * 2 - 9 * (d > 4) for d in digits[0::2])
    text = "".join(map(str, digits)) + str(-total % 10)
    return " ".join(text[i : i + 4] for i in range(0, 16, 4)) if rng.random() < 0.5 else text


def iban(rng: random.Random) -> str:
    body = "".join(str(rng.randrange(10)) for _ in range(18))
    check = 98 - int(body + "131400") % 97
    return f"DE{check:02d}{body}"


def address(rng: random.Random) -> str:
    first = rng.choice("alice bob carol dave erin frank grace heidi ivan judy".split())
    last = rng.choice("smith jones miller garcia rossi novak silva kim".split())
    return f"{first}.{last}{rng.randrange(99)}@{rng.choice(['example.com', 'mail.example.org'])}"


def phone(rng: random.Random) -> str:
    return (
        f"+{rng.choice([1, 33, 44, 49])} {rng.randrange(20, 99)} {rng.randrange(10**7, 10**8 - 1)}"
    )


def password(rng: random.Random) -> str:
    word = rng.choice("Tiger Winter Dragon Sunset Coffee Guitar Falcon Copper".split())
    return f"{word}{rng.choice('!#@_-')}{rng.randrange(100, 9999)}{rng.choice('xyzQWE')}"


def weak_password(rng: random.Random) -> str:
    return rng.choice("hunter letmein swordfish qwerty dragon monkey".split()) + str(
        rng.randrange(1, 999)
    )


# Tokens that are known by their own shape.
TOKENS: list[tuple[str, str, Maker]] = [
    ("aws-access-key-id", "AWS_ACCESS_KEY_ID", of(UPPER, 16, "AKIA")),
    ("aws-temporary-key-id", "AWS_ACCESS_KEY_ID", of(UPPER, 16, "ASIA")),
    ("aws-mws", "MWS_TOKEN", joined("amzn.mws.", uuid)),
    ("aws-bedrock", "AWS_BEARER_TOKEN_BEDROCK", of(BASE64, 120, "ABSK")),
    ("gcp-api-key", "GOOGLE_API_KEY", of(URLSAFE, 35, "AIza")),
    ("gcp-oauth", "GCP_TOKEN", of(URLSAFE, 80, "ya29.")),
    ("gcp-client-secret", "GOOGLE_CLIENT_SECRET", of(URLSAFE, 28, "GOCSPX-")),
    ("azure-client-secret", "AZURE_CLIENT_SECRET", joined(of(ALNUM, 3), "8Q~", of(URLSAFE, 34))),
    ("digitalocean", "DO_TOKEN", of(HEX, 64, "dop_v1_")),
    ("heroku", "HEROKU_KEY", of(URLSAFE, 60, "HRKU-AA")),
    ("fly", "FLY_TOKEN", of(BASE64, 120, "fm2_")),
    ("netlify", "NETLIFY_AUTH", of(ALNUM, 40, "nfp_")),
    ("render", "RENDER_KEY", of(ALNUM, 32, "rnd_")),
    ("alibaba", "ALIYUN_ID", of(ALNUM, 20, "LTAI5t")),
    ("tencent", "TENCENT_ID", of(ALNUM, 32, "AKID")),
    ("doppler", "DOPPLER", of(ALNUM, 43, "dp.pt.")),
    ("pulumi", "PULUMI", of(HEX, 40, "pul-")),
    ("terraform-cloud", "TFE_TOKEN", joined(of(ALNUM, 14), ".atlasv1.", of(URLSAFE, 67))),
    ("vault", "VAULT_TOKEN", of(URLSAFE, 90, "hvs.")),
    ("planetscale", "PSCALE", of(URLSAFE, 43, "pscale_tkn_")),
    ("supabase", "SUPABASE", of(HEX, 40, "sbp_")),
    ("neon", "NEON", of(LOWER, 64, "napi_")),
    ("github-pat", "GITHUB_TOKEN", of(ALNUM, 36, "ghp_")),
    ("github-fine-grained", "GH_PAT", joined("github_pat_", of(ALNUM, 22), "_", of(ALNUM, 59))),
    ("github-oauth", "GH_OAUTH", of(ALNUM, 36, "gho_")),
    ("github-app", "GH_APP", of(ALNUM, 36, "ghs_")),
    ("gitlab-pat", "GITLAB_TOKEN", of(URLSAFE, 20, "glpat-")),
    ("gitlab-trigger", "GITLAB_TRIGGER", of(HEX, 40, "glptt-")),
    ("gitlab-runner", "RUNNER", of(URLSAFE, 20, "glrt-")),
    ("bitbucket", "BITBUCKET", of(ALNUM, 32, "ATBB")),
    ("atlassian", "ATLASSIAN", of(URLSAFE, 180, "ATATT3xFfGF0")),
    ("npm", "NPM_TOKEN", of(ALNUM, 36, "npm_")),
    ("pypi", "PYPI", of(URLSAFE, 150, "pypi-AgEIcHlwaS5vcmc")),
    ("rubygems", "GEM_KEY", of(HEX, 48, "rubygems_")),
    ("nuget", "NUGET", of(LOWER, 43, "oy2")),
    ("crates", "CARGO", of(ALNUM, 32, "cio")),
    ("clojars", "CLOJARS", of(LOWER, 60, "CLOJARS_")),
    ("docker", "DOCKER_PAT", of(URLSAFE, 27, "dckr_pat_")),
    ("jfrog", "JFROG", of(ALNUM, 69, "AKCp8")),
    ("circleci", "CIRCLE", joined("CCIPAT_", of(ALNUM, 22), "_", of(HEX, 40))),
    ("buildkite", "BUILDKITE", of(HEX, 40, "bkua_")),
    ("sonarqube", "SONAR", of(HEX, 40, "squ_")),
    ("openai", "OPENAI_API_KEY", joined("sk-", of(ALNUM, 20), "T3Blbk" + "FJ", of(ALNUM, 20))),
    ("openai-project", "OPENAI_API_KEY", of(URLSAFE, 150, "sk-proj-")),
    ("anthropic", "ANTHROPIC_API_KEY", of(URLSAFE, 95, "sk-ant-api03-")),
    ("deepseek", "DEEPSEEK_API_KEY", of(HEX, 32, "sk-")),
    ("openrouter", "OPENROUTER", of(HEX, 64, "sk-or-v1-")),
    ("groq", "GROQ", of(ALNUM, 52, "gsk_")),
    ("xai", "XAI", of(ALNUM, 80, "xai-")),
    ("huggingface", "HF_TOKEN", of(ALNUM, 34, "hf_")),
    ("replicate", "REPLICATE", of(ALNUM, 37, "r8_")),
    ("perplexity", "PPLX", of(ALNUM, 48, "pplx-")),
    ("nvidia", "NVIDIA", of(URLSAFE, 64, "nvapi-")),
    ("langsmith", "LANGSMITH", joined("lsv2_pt_", of(HEX, 32), "_", of(HEX, 10))),
    ("pinecone", "PINECONE", of(ALNUM, 70, "pcsk_")),
    ("tavily", "TAVILY", of(ALNUM, 32, "tvly-dev-")),
    ("databricks", "DATABRICKS", of(HEX, 32, "dapi")),
    ("stripe", "STRIPE", joined("sk_" + "live_", of(ALNUM, 24))),
    ("stripe-restricted", "STRIPE", joined("rk_" + "live_", of(ALNUM, 60))),
    ("stripe-webhook", "STRIPE_WH", of(ALNUM, 32, "whsec_")),
    ("square", "SQUARE", of(URLSAFE, 60, "EAAA")),
    ("braintree", "BRAINTREE", joined("access_token$production$", of(LOWER, 16), "$", of(HEX, 32))),
    ("plaid", "PLAID", joined("access-production-", uuid)),
    ("shopify", "SHOPIFY", of(HEX, 32, "shpat_")),
    ("razorpay", "RAZORPAY", of(ALNUM, 14, "rzp_live_")),
    (
        "slack-bot",
        "SLACK_BOT",
        joined("xoxb-", of("123456789", 12), "-", of("123456789", 12), "-", of(ALNUM, 24)),
    ),
    (
        "slack-user",
        "SLACK_USER",
        joined(
            "xoxp-",
            of("123456789", 11),
            "-",
            of("123456789", 11),
            "-",
            of("123456789", 12),
            "-",
            of(HEX, 32),
        ),
    ),
    (
        "slack-app",
        "SLACK_APP",
        joined("xapp-1-", of(UPPER, 11), "-", of("123456789", 13), "-", of(HEX, 64)),
    ),
    (
        "discord-bot",
        "DISCORD",
        joined("MT", of(ALNUM, 24), ".", of(ALNUM, 6), ".", of(URLSAFE, 38)),
    ),
    ("telegram", "TELEGRAM", joined(of("123456789", 10), ":AA", of(URLSAFE, 33))),
    ("facebook", "FB", of(ALNUM, 160, "EAAB")),
    ("sendgrid", "SENDGRID", joined("SG.", of(URLSAFE, 22), ".", of(URLSAFE, 43))),
    ("mailgun", "MAILGUN", of(HEX, 32, "key-")),
    ("mailchimp", "MAILCHIMP", joined(of(HEX, 32), "-us14")),
    ("brevo", "BREVO", joined("xkeysib-", of(HEX, 64), "-", of(ALNUM, 16))),
    ("resend", "RESEND", joined("re_", of(ALNUM, 8), "_", of(ALNUM, 24))),
    ("twilio", "TWILIO_KEY", of(HEX, 32, "SK")),
    ("hubspot", "HUBSPOT", joined("pat-na1-", uuid)),
    ("newrelic", "NEW_RELIC", of(UPPER, 27, "NRAK-")),
    ("sentry", "SENTRY_AUTH", of(HEX, 64, "sntryu_")),
    ("grafana", "GRAFANA", joined("glsa_", of(ALNUM, 32), "_", of(HEX, 8))),
    ("dynatrace", "DYNATRACE", joined("dt0c01.", of(UPPER, 24), ".", of(UPPER, 64))),
    ("posthog", "POSTHOG", of(ALNUM, 43, "phc_")),
    ("launchdarkly", "LD_SDK", joined("sdk-", uuid)),
    ("airtable", "AIRTABLE", joined("pat", of(ALNUM, 14), ".", of(HEX, 64))),
    ("notion", "NOTION", joined("ntn_", of("123456789", 11), of(ALNUM, 35))),
    ("linear", "LINEAR", of(ALNUM, 40, "lin_api_")),
    ("figma", "FIGMA", of(URLSAFE, 40, "figd_")),
    ("typeform", "TYPEFORM", of(ALNUM, 59, "tfp_")),
    ("dropbox", "DROPBOX", of(URLSAFE, 136, "sl.")),
    ("postman", "POSTMAN", joined("PMAK-", of(HEX, 24), "-", of(HEX, 34))),
    ("mapbox", "MAPBOX", joined("sk.eyJ1", of(ALNUM, 70), ".", of(URLSAFE, 22))),
    ("contentful", "CONTENTFUL", of(URLSAFE, 43, "CFPAT-")),
    ("easypost", "EASYPOST", of(LOWER, 54, "EZAK")),
    ("shippo", "SHIPPO", of(HEX, 40, "shippo_live_")),
    ("prefect", "PREFECT", of(ALNUM, 36, "pnu_")),
    ("tailscale", "TS_KEY", joined("tskey-auth-", of(ALNUM, 12), "-", of(ALNUM, 32))),
    ("onepassword", "OP", of(ALNUM, 160, "ops_eyJ")),
    ("salesforce", "SF", joined("00D", of(ALNUM, 12), "!", of(ALNUM, 96))),
    ("jwt", "JWT", jwt),
    ("age", "AGE", of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, "AGE-SECRET-KEY-1")),
    ("bcrypt", "HASH", joined("$2b$12$", of(ALNUM, 53))),
]

# Keys over several lines.
BLOCKS: list[tuple[str, str, Maker]] = [
    ("rsa-key", "KEY", pem("RSA PRIVATE KEY")),
    ("pkcs8-key", "KEY", pem("PRIVATE KEY")),
    ("ec-key", "KEY", pem("EC PRIVATE KEY")),
    ("openssh-key", "KEY", pem("OPENSSH PRIVATE KEY")),
    ("pgp-key", "KEY", pem("PGP PRIVATE KEY BLOCK")),
]

# Values without a format: the name beside them says what they are.
VALUES: list[tuple[str, str, Maker]] = [
    ("password", "DB_PASSWORD", password),
    ("password-user", "admin_password", password),
    ("weak-password", "PGPASSWORD", weak_password),
    ("aws-secret-key", "AWS_SECRET_ACCESS_KEY", of(BASE64, 40)),
    ("azure-storage-key", "STORAGE_ACCOUNT_KEY", joined(of(BASE64, 86), "==")),
    ("client-secret", "OAUTH_CLIENT_SECRET", of(ALNUM, 32)),
    ("api-key-hex", "SERVICE_API_KEY", of(HEX, 32)),
    ("api-key-mixed", "apiKey", of(ALNUM, 40)),
    ("datadog", "DATADOG_API_KEY", of(HEX, 32)),
    ("cloudflare", "CLOUDFLARE_API_TOKEN", of(URLSAFE, 40)),
    ("session-secret", "SESSION_SECRET", of(ALNUM + "!@#%", 24)),
    ("signing-key", "JWT_SIGNING_KEY", of(BASE64, 44)),
    ("access-token", "access_token", of(URLSAFE, 64)),
    ("unknown-vendor", "ZORBLAX_AUTH_TOKEN", of(ALNUM, 36, "zbx_")),
    ("uuid-token", "consul_token", uuid),
    ("encryption-key", "ENCRYPTION_KEY", of(HEX, 64)),
]

# Personal data.
PERSONAL: list[tuple[str, str, Maker]] = [
    ("email", "contact", address),
    ("phone", "phone_number", phone),
    ("card", "card", card),
    ("iban", "iban", iban),
]
