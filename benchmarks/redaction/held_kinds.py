"""Further kinds of secret, from the lists of other scanners and the vendors' pages.

None of them was at hand when the rules were first written; see held.py for what that is worth.
"""

# ruff: noqa: E501 (a kind stays on one line)

from __future__ import annotations

import base64
import json
import random

from kinds import ALNUM, BASE64, HEX, LOWER, UPPER, URLSAFE, Maker, encoded, joined, of, uuid

BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
DIGITS = "0123456789"


def grafana_legacy(rng: random.Random) -> str:
    body = json.dumps({"k": of(ALNUM, 32)(rng), "n": "deploy", "id": 1}, separators=(",", ":"))
    return base64.b64encode(body.encode()).decode()


def sentry_org(rng: random.Random) -> str:
    body = json.dumps({"iat": rng.random() * 10**9, "url": "https://sentry.io", "region_url": "x"})
    return f"sntrys_{encoded(body)}_{of(BASE64, 43)(rng)}"


def kubernetes_token(rng: random.Random) -> str:
    head = encoded(json.dumps({"alg": "RS256", "kid": of(ALNUM, 20)(rng)}))
    body = encoded(json.dumps({"iss": "kubernetes/serviceaccount", "sub": "system:sa:x:y"}))
    return f"{head}.{body}.{of(URLSAFE, 342)(rng)}"


def facebook_pair(rng: random.Random) -> str:
    return f"{of('123456789', 15)(rng)}|{of(URLSAFE, 27)(rng)}"


# (kind, the name a variable would have, maker)
TOKENS: list[tuple[str, str, Maker]] = [
    ("adobe", "ADOBE_CLIENT_SECRET", of(LOWER, 32, "p8e-")),
    ("aikido", "AIKIDO_SECRET", of(ALNUM, 64, "AIK_SECRET_")),
    ("aikido-ci", "AIKIDO_CI", of(ALNUM, 32, "AIK_CI_")),
    ("alibaba-sts", "ALIYUN_STS", of(ALNUM, 24, "STS.NU")),
    ("anthropic-admin", "ANTHROPIC_ADMIN", of(URLSAFE, 93, "sk-ant-admin01-", "AA")),
    ("anthropic-oauth", "CLAUDE_OAUTH", of(URLSAFE, 93, "sk-ant-oat01-", "AA")),
    ("apify", "APIFY", of(ALNUM, 36, "apify_api_")),
    ("asaas", "ASAAS", of(ALNUM, 60, "$aact_prod_")),
    ("astra", "ASTRA_DB", joined("AstraCS:", of(ALNUM, 24), ":", of(HEX, 64))),
    ("authress", "AUTHRESS", joined("sc_", of(LOWER, 12), ".", of(LOWER, 5), ".acc-", of(LOWER, 12), ".", of(BASE64, 60))),
    ("bitbucket-server", "BITBUCKET_HTTP", of(BASE64, 44, "BBDC-")),
    ("brave-search", "BRAVE", of(URLSAFE, 28, "BSA")),
    ("browserbase", "BROWSERBASE", of(URLSAFE, 36, "bb_live_")),
    ("buildkite-agent", "BK_AGENT", of(URLSAFE, 73, "bkar_")),
    ("canva", "CANVA", of(URLSAFE, 51, "cnvca")),
    ("cartesia", "CARTESIA", of(ALNUM, 22, "sk_car_")),
    ("cerebras", "CEREBRAS", of(LOWER, 48, "csk-")),
    ("cfl-user", "CF_USER", joined("cfut_", of(ALNUM, 40), of(HEX, 8))),
    ("clickhouse", "CLICKHOUSE_CLOUD", of(ALNUM, 38, "4b1d")),
    ("cloudsmith", "CLOUDSMITH", joined("csa_", of(HEX, 30), of(ALNUM, 6))),
    ("cockroach", "COCKROACH", joined("CCDB1_", of(ALNUM, 22), "_", of(ALNUM, 40))),
    ("configcat", "CONFIGCAT", joined("configcat-sdk-1/", of(URLSAFE, 22), "/", of(URLSAFE, 22))),
    ("databento", "DATABENTO", of(ALNUM, 29, "db-")),
    ("deno", "DENO_DEPLOY", of(ALNUM, 36, "ddp_")),
    ("devcycle", "DEVCYCLE", of(ALNUM, 24, "dvc_server_")),
    ("devin", "DEVIN", of(BASE64, 92, "apk_")),
    ("devin-user", "DEVIN_USER", of(BASE32, 52, "cog_")),
    ("docker-org", "DOCKER_ORG", of(URLSAFE, 32, "dckr_oat_")),
    ("docker-swarm", "SWARM_JOIN", joined("SWMTKN-1-", of(LOWER, 50), "-", of(LOWER, 25))),
    ("docker-swarm-unlock", "SWARM_UNLOCK", of(BASE64, 43, "SWMKEY-1-")),
    ("ebay", "EBAY_CERT", joined("PRD-", of(HEX, 12), "-", of(HEX, 4), "-", of(HEX, 4), "-", of(HEX, 4), "-", of(HEX, 4))),
    ("elastic-cloud", "ELASTIC_CLOUD", of(BASE64, 72, "essu_")),
    ("endor", "ENDOR", of(ALNUM, 16, "endr+")),
    ("exoscale", "EXOSCALE_ID", of(HEX, 24, "EXO")),
    ("facebook-app", "FB_APP", facebook_pair),
    ("fal", "FAL", joined(uuid, ":", of(HEX, 32))),
    ("flutterwave", "FLW", of("abcdefgh0123456789", 32, "FLWSECK_TEST-", "-X")),
    ("flyio-v1", "FLY_AUTH", joined("FlyV1 fm2_", of(BASE64, 120))),
    ("gemini", "GEMINI", of(URLSAFE, 44, "AQ.Ab8RN6")),
    ("github-stateless", "GH_INSTALL", joined("ghs_", of(ALNUM, 8), "_", of(ALNUM, 80))),
    ("gitlab-routable", "GITLAB_ROUTE", joined("glpat-", of(URLSAFE, 36), ".01.", of(LOWER, 9))),
    ("gitlab-ci-job", "CI_JOB", joined("glcbt-64_", of(URLSAFE, 20))),
    ("gitlab-scim", "GITLAB_SCIM", of(URLSAFE, 20, "glsoat-")),
    ("grafana-cloud", "GRAFANA_CLOUD", of(BASE64, 120, "glc_")),
    ("grafana-legacy", "GRAFANA_OLD", grafana_legacy),
    ("heroku-v2", "HEROKU", of(URLSAFE, 58, "HRKU-AA")),
    ("huggingface-org", "HF_ORG", of(ALNUM, 34, "api_org_")),
    ("infracost", "INFRACOST", of(ALNUM, 32, "ico-")),
    ("inngest", "INNGEST", of(HEX, 64, "signkey-prod-")),
    ("intra42", "INTRA42", of(HEX, 64, "s-s4t2ud-")),
    ("ionic", "IONIC", of(ALNUM, 42, "ion_")),
    ("jina", "JINA", of(ALNUM, 60, "jina_")),
    ("kubernetes-sa", "K8S_SA", kubernetes_token),
    ("launchdarkly-mob", "LD_MOBILE", joined("mob-", uuid)),
    ("lichess", "LICHESS", of(ALNUM, 20, "lip_")),
    ("llamacloud", "LLAMA_CLOUD", of(ALNUM, 48, "llx-")),
    ("mailersend", "MAILERSEND", of(HEX, 64, "mlsn.")),
    ("maxmind", "MAXMIND", joined(of(ALNUM, 6), "_", of(ALNUM, 29), "_mmk")),
    ("mem0", "MEM0", of(ALNUM, 40, "m0-")),
    ("mercadopago", "MERCADOPAGO", joined("APP_USR-", of(DIGITS, 16), "-", of(DIGITS, 6), "-", of(HEX, 32), "-", of(DIGITS, 9))),
    ("mercury", "MERCURY", joined("mercury_production_wma_", of(ALNUM, 44), "_yrucrem")),
    ("mergify", "MERGIFY", of(URLSAFE, 60, "mergify_application_key_")),
    ("midtrans", "MIDTRANS", of(URLSAFE, 24, "Mid-server-")),
    ("miro", "MIRO", joined("eyJtaXJv", of(ALNUM, 32), "_", of(URLSAFE, 27))),
    ("mongodb-atlas", "ATLAS_SA", of(URLSAFE, 40, "mdb_sa_sk_")),
    ("newrelic-insert", "NR_INSERT", of(URLSAFE, 32, "NRII-")),
    ("nylas", "NYLAS", of(ALNUM, 67, "nyk_")),
    ("octopus", "OCTOPUS", of(UPPER, 26, "API-")),
    ("ollama", "OLLAMA", joined(of(HEX, 32), ".", of(ALNUM, 24))),
    ("onesignal", "ONESIGNAL", of(BASE32, 103, "os_v2_app_")),
    ("onfido", "ONFIDO", of(URLSAFE, 40, "api_live.")),
    ("openai-admin", "OPENAI_ADMIN", joined("sk-admin-", of(URLSAFE, 58), "T3Blbk" + "FJ", of(URLSAFE, 58))),
    ("openai-service", "OPENAI_SVC", joined("sk-svcacct-", of(URLSAFE, 74), "T3Blbk" + "FJ", of(URLSAFE, 74))),
    ("openshift", "OC_TOKEN", of(URLSAFE, 43, "sha256~")),
    ("paddle", "PADDLE", joined("pdl_live_apikey_", of(LOWER, 26), "_", of(ALNUM, 22), "_", of(ALNUM, 3))),
    ("persona", "PERSONA", joined("persona_production_", uuid)),
    ("pinterest", "PINTEREST", of(ALNUM, 60, "pina_")),
    ("planetscale-pw", "PSCALE_PASS", of(URLSAFE, 43, "pscale_pw_")),
    ("polar", "POLAR", of(ALNUM, 43, "polar_oat_")),
    ("posthog-personal", "POSTHOG_P", of(ALNUM, 43, "phx_")),
    ("proof", "PROOF", of(ALNUM, 32, "prf_")),
    ("ramp", "RAMP", of(ALNUM, 48, "ramp_sec_")),
    ("riot", "RIOT", joined("RGAPI-", uuid)),
    ("rootly", "ROOTLY", of(HEX, 64, "rootly_")),
    ("runpod", "RUNPOD", joined("rpa_", of(UPPER, 40), of(ALNUM, 6))),
    ("samsara", "SAMSARA", of(ALNUM, 30, "samsara_api_")),
    ("scalingo", "SCALINGO", of(URLSAFE, 48, "tk-us-")),
    ("sentry-org", "SENTRY_ORG", sentry_org),
    ("settlemint", "SETTLEMINT", of(ALNUM, 16, "sm_pat_")),
    ("slack-config", "SLACK_CONFIG", of(UPPER, 164, "xoxe.xoxp-1-")),
    ("slack-refresh", "SLACK_REFRESH", of(UPPER, 146, "xoxe-1-")),
    ("slack-session", "SLACK_XOXC", joined("xoxc-", of("123456789", 12), "-", of("123456789", 12), "-", of("123456789", 12), "-", of(HEX, 64))),
    ("slack-cookie", "SLACK_XOXD", of(BASE64, 150, "xoxd-")),
    ("square-oauth", "SQUARE_OAUTH", of(URLSAFE, 43, "sq0csp-")),
    ("supabase-secret", "SUPABASE_SECRET", of(URLSAFE, 31, "sb_secret_")),
    ("tableau", "TABLEAU_PAT", joined(of(BASE64, 22), "==:", of(ALNUM, 32))),
    ("thunderstore", "THUNDERSTORE", of(ALNUM, 40, "tss_")),
    ("together", "TOGETHER", of(URLSAFE, 43, "tgp_v1_")),
    ("trigger-dev", "TRIGGER", of(ALNUM, 20, "tr_prod_")),
    ("unkey", "UNKEY", of(BASE58, 22, "unkey_")),
    ("upcloud", "UPCLOUD", of(ALNUM, 26, "ucat_")),
    ("val-town", "VALTOWN", of(ALNUM, 40, "vtwn_")),
    ("vercel-gateway", "AI_GATEWAY", of(ALNUM, 56, "vck_")),
    ("wakatime", "WAKATIME", joined("waka_", uuid)),
    ("wandb-v1", "WANDB", of(ALNUM, 77, "wandb_v1_")),
    ("woocommerce", "WOO", of(HEX, 40, "cs_")),
    ("workato", "WORKATO", joined("wrkaus-eyJ", of(URLSAFE, 20), ".", of(URLSAFE, 40), ".", of(URLSAFE, 90))),
    ("xata", "XATA", of(ALNUM, 32, "xau_")),
    ("xendit", "XENDIT", of(ALNUM, 64, "xnd_production_")),
    ("zuplo", "ZUPLO", joined("zpka_", of(LOWER, 32), "_", of(HEX, 8))),
    ("rfc8959", "SECRET_URI", of(URLSAFE, 43, "secret-token:")),
    ("yubico-otp-like", "CIRCLE_OLD", joined("CCIPRJ_", of(ALNUM, 22), "_", of(HEX, 40))),
    ("nostr", "NOSTR", of("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58, "nsec1")),
    ("bitcoin-wif", "WIF", of(BASE58, 50, "5J")),
    ("bip32-xprv", "XPRV", of(BASE58, 107, "xprv")),
    ("minisign", "MINISIGN", of(BASE64, 200, "RWRTY0Iy")),
]  # fmt: skip


def human(rng: random.Random) -> str:
    """As people make them up: words, a year, signs."""
    word = rng.choice("Rosebud Kanban Marble Thunder Pumpkin Violet Saturn Orchid".split())
    return rng.choice(
        [
            f"{word}{rng.randrange(1990, 2027)}{rng.choice('!?$*')}",
            f"{word.lower()}-{rng.randrange(10, 99)}-{rng.choice('river lamp cloud'.split())}",
            f"{rng.choice('!@#')}{word}{rng.randrange(10, 999)}",
            f"{word[:3]}{rng.choice('%^&+=')}{rng.randrange(1000, 9999)}{word[3:]}",
        ]
    )


def leet(rng: random.Random) -> str:
    return rng.choice("P4ssw0rd S3cr3t Adm1n W3lc0me L0g1n".split()) + of(DIGITS + "!#", 4)(rng)


def manager(rng: random.Random) -> str:
    """As a password manager makes them."""
    return of(ALNUM + "!#%*+-=?@^_~", rng.choice([16, 20, 24]))(rng)


def plain_word(rng: random.Random) -> str:
    return rng.choice("butterfly monolith trombone waterfall snowflake pineapple".split())


def pin(rng: random.Random) -> str:
    return str(rng.randrange(10**7, 10**8))


VALUES: list[tuple[str, str, Maker]] = [
    ("password-human", "POSTGRES_PASSWORD", human),
    ("password-leet", "mail_password", leet),
    ("password-manager", "REDIS_PASSWORD", manager),
    ("password-word", "SMTP_PASSWORD", plain_word),
    ("password-digits", "VNC_PASSWORD", pin),
    ("password-camel", "dbPassword", human),
    ("password-passwd", "ROOT_PASSWD", leet),
    ("passphrase", "KEY_PASSPHRASE", manager),
    ("secret-key-base", "SECRET_KEY_BASE", of(HEX, 128)),
    ("django-secret", "DJANGO_SECRET_KEY", of(ALNUM + "!@#%^*(-_=+)", 50)),
    ("laravel-key", "APP_KEY", joined("base64:", of(BASE64, 43), "=")),
    ("next-auth", "NEXTAUTH_SECRET", joined(of(BASE64, 43), "=")),
    ("hmac", "HMAC_SECRET", of(HEX, 64)),
    ("webhook-secret", "WEBHOOK_SECRET", of(ALNUM, 32)),
    ("client-secret-camel", "clientSecret", of(URLSAFE, 40)),
    ("refresh-token", "refresh_token", of(URLSAFE, 70)),
    ("id-token", "idToken", of(URLSAFE, 70)),
    ("session-token", "sessionToken", of(HEX, 40)),
    ("vendor-adafruit", "ADAFRUIT_IO_KEY", of(LOWER, 32)),
    ("vendor-bitly", "BITLY_ACCESS_TOKEN", of(HEX, 40)),
    ("vendor-civo", "CIVO_TOKEN", of(ALNUM, 50)),
    ("vendor-cloudinary", "CLOUDINARY_API_SECRET", of(ALNUM, 27)),
    ("vendor-confluent", "CONFLUENT_CLOUD_API_SECRET", of(BASE64, 64)),
    ("vendor-coveralls", "COVERALLS_REPO_TOKEN", of(ALNUM, 33)),
    ("vendor-etsy", "ETSY_KEYSTRING_SECRET", of(LOWER, 24)),
    ("vendor-finnhub", "FINNHUB_API_KEY", of(LOWER, 20)),
    ("vendor-fullstory", "FULLSTORY_API_KEY", joined("na1.", of(BASE64, 40))),
    ("vendor-intercom", "INTERCOM_ACCESS_TOKEN", of(URLSAFE, 60)),
    ("vendor-jumpcloud", "JUMPCLOUD_API_KEY", of(HEX, 40)),
    ("vendor-kagi", "KAGI_API_KEY", of(URLSAFE, 64)),
    ("vendor-meraki", "MERAKI_DASHBOARD_API_KEY", of(HEX, 40)),
    ("vendor-mux", "MUX_TOKEN_SECRET", of(BASE64, 75)),
    ("vendor-ovh", "OVH_APPLICATION_SECRET", of(ALNUM, 32)),
    ("vendor-plivo", "PLIVO_AUTH_TOKEN", of(ALNUM, 40)),
    ("vendor-sumologic", "SUMOLOGIC_ACCESS_KEY", of(ALNUM, 64)),
    ("vendor-telnyx", "TELNYX_API_KEY", of(URLSAFE, 55, "KEY")),
    ("vendor-twitch", "TWITCH_CLIENT_SECRET", of(LOWER, 30)),
    ("vendor-upstash", "UPSTASH_REDIS_REST_TOKEN", of(BASE64, 56, "AYNgAS")),
    ("vendor-virustotal", "VIRUSTOTAL_API_KEY", of(HEX, 64)),
    ("vendor-wakatime", "WAKATIME_API_KEY", uuid),
    ("vendor-weather", "OPENWEATHER_API_KEY", of(HEX, 32)),
    ("vendor-zoho", "ZOHO_REFRESH_TOKEN", joined("1000.", of(HEX, 32), ".", of(HEX, 32))),
    ("vendor-snowflake", "SNOWFLAKE_PASSWORD", manager),
    ("vendor-azure-sb", "SERVICEBUS_SHARED_ACCESS_KEY", joined(of(BASE64, 43), "=")),
    ("vendor-aws-secret", "aws_secret_access_key", of(BASE64, 40)),
    ("vendor-mistral", "MISTRAL_API_KEY", of(ALNUM, 32)),
    ("vendor-deepl", "DEEPL_AUTH_KEY", joined(uuid, ":fx")),
    ("gpg-passphrase", "GPG_PASSPHRASE", human),
    ("ansible-become", "ansible_become_pass", leet),
    ("spring", "spring.datasource.password", human),
    ("german", "kennwort", human),
    ("french", "mot_de_passe", human),
    ("spanish", "contrasena", human),
    ("portuguese", "senha", human),
    ("italian", "chiave_segreta", of(ALNUM, 32)),
    ("dutch", "wachtwoord", human),
    ("pat", "AZURE_DEVOPS_EXT_PAT", of(BASE32, 52)),
    ("auth-key", "TS_AUTHKEY", of(ALNUM, 40)),
    ("otp-seed", "TOTP_SECRET", of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32)),
    ("license", "GURU_LICENSE_KEY", joined(of(UPPER, 5), "-", of(UPPER, 5), "-", of(UPPER, 5), "-", of(UPPER, 5))),
]  # fmt: skip
