"""Tokens told by what stands beside them: a word of the format, a service's name, its address."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

B = "a1B2c3D4"  # filler of the examples
H = "a1b2c3d4"
UUID = "4ea38b7b-f563-4709-8bae-" + "12c8b2a6f0d1"

WORDED = (
    Rule(
        "worded-token",
        r"(?:(?:\b|[_-])(?:live|prod|production|staging|sandbox|sbx|sk|tk|test|dev|api|priv|refresh|access|auth|personal)"
        r"|key|apikey|sec|secret|tok|token|pat|pak)[_-]([A-Za-z]{0,16}[0-9][A-Za-z0-9]{14,32}[A-Za-z0-9_-]{0,220})",
        tuple(
            word + mark
            for word in (
                "live prod production staging sandbox sbx sk tk test dev api priv refresh access "
                "auth personal key sec secret tok token pat pak"
            ).split()
            for mark in "_-"
        ),
        "how services spell tokens: the vendor's word, what it is, and a random part",
        ("acme_live_" + B * 4, "acme-pat-" + B * 4),
        ("acme_live_" + "stream_of_events", "test_" + "thatTheQuickBrownFoxJumps"),
        group=1,
        validate="entropy",
        weight=1,
    ),
)

_SIGN = r"(?:[_.-](?:api|key|hec))?\\{0,3}[\"'`\])]{0,2}[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"'`]?(?:OAuth |Bearer |Token )?"
_RANDOM = r"([a-z_+~.-]{0,16}[0-9][a-z0-9_.~+/=-]{12,240})"


def beside(theme: str, services: str) -> Rule:
    """A random value assigned to the bare name of a service, as in a map of keys by service.

    Few names to a rule: with more than about ten an automaton loses its literals.
    """
    words = tuple(services.split())
    return Rule(
        f"{theme}-service-value",
        r"(?i)\b(?:" + "|".join(words) + ")" + _SIGN + _RANDOM,
        words,
        "maps of keys whose names are services",
        (f'"{words[0]}": "{H * 4}"', f"{words[-1]}_api: {B * 4}"),
        (f"{words[0]}_trace_id: {H * 4}", f"{words[-1]}: v2.1.0-beta-release"),
        group=1,
        validate="entropy",
        weight=1,
    )


SERVICES = (
    beside("model", "ai21 assemblyai clarifai cohere deepgram deepl deepseek fal"),
    beside("data", "openweather owm pyowm newsapi nytimes etherscan finnhub weatherapi"),
    beside("mail", "mailchimp mailgun mailjet postmark sendgrid sparkpost pepipost mandrill"),
    beside("monitoring", "datadog honeycomb loggly opsgenie pagerduty rollbar splunk statuspage"),
    beside("platform", "algolia cloudinary contentful dropbox fastly heroku infura launchdarkly"),
    beside("work", "airtable asana atlassian intercom todoist trello typeform zendesk"),
)

BESIDE = (
    Rule(
        "key-then-value",
        r"(?i)(?:api|access|secret|private|auth|client|personal)[_-]?(?:key|token|secret)[ -]{1,2}[\"'`]?([a-z]{0,24}[0-9][a-z0-9_.~+/=-]{14,240})",
        ("key", "token", "secret"),
        "a word that says key and a value, apart by a blank or a dash",
        ("vendor api_key " + B * 3, "use ACCESS_TOKEN '" + B * 4 + "'"),
        ("api_key 1", "access-token-2-of-the-series", "secret_key is-set-in-2-places"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "uuid-token",
        r"(?i)\b(?:secret|token|(?:api|access|auth|private)[ _-]?key)[ ]{0,2}(?:[:=,-]|is|was|=>|->|[^\x00-\x7f]{1,3}|(?:should|must|will) be|has been set to|set to|changed to)?[ ]{1,2}[\"'`(]?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
        ("secret", "token", "key"),
        "a UUID said to be a secret, as Postmark, Heroku, Scaleway and Snyk give them out",
        ("postmark server token " + UUID, "the api key is " + UUID),
        ("the token id " + UUID, "idempotency key " + UUID),
        group=1,
        weight=1,
    ),
    Rule(
        "used-key",
        r"(?i)\b(?:using|with|sending) (?:[a-z0-9_.-]{1,32} )?key[ ]?[=:][ ]?[\"'`]?([a-z0-9_.~+/=-]{16,2048})",
        ("key",),
        "debug logs of clients",
        ("[DEBUG] Using Key=" + B * 3, "sending acme key: " + H * 4),
        ("using key = config.key", "with key: the-name-of-the-item"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "enclosed-secret",
        r"<(?:secret|password|passphrase|apiToken|privateKey|secretKey|accessKey|token)>\{([A-Za-z0-9+/=_ -]{16,8192})\}</",
        (
            "secret>{",
            "password>{",
            "passphrase>{",
            "apitoken>{",
            "privatekey>{",
            "secretkey>{",
            "accesskey>{",
            "token>{",
        ),
        "https://www.jenkins.io/doc/developer/security/secrets/: credentials.xml",
        ("<secret>{AQAAABAAAAAQ" + B * 4 + "}</secret>",),
        ("<secret>{secretNameOfTheThing}</secret>", "<password>{pw}</password>"),
        group=1,
        validate="mixed",
        weight=1,
    ),
)

PLACED = (
    Rule(
        "key-line-below",
        r"(?i)\b(?:api|access|secret|private|auth|client|bot|project)[ _-]?(?:key|token|secret)[ \t]{0,4}:?[ \t]{0,4}\r?\n[ \t]{0,8}([a-z0-9_.~+/=-]{20,200})[ \t]{0,8}(?:\r?\n|$)",
        ("key", "token", "secret"),
        "consoles and pages of services: the label, and the value on the line below",
        ("API Key\n" + H * 4 + "\n", "Client secret:\n  " + B * 4),
        ("API Key\nis shown once\n", "secret key\n" + "of-the-garden-of-words" + "\n"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "login-key-option",
        r"\b(?:auth|login|link|register|activate|enroll|join|push|publish)\b[^\n]{0,80}?[ \t]--(?:api-)?key[ =][\"']?([A-Za-z0-9_.+/=-]{20,200})",
        ("--key",),
        "https://docs.tenable.com/nessus/Content/NessusCLIAgent.htm, https://hexdocs.pm/hex/Mix.Tasks.Hex.Organization.html",
        (
            "nessuscli agent link --key=" + H * 8 + " --host=x",
            "mix hex.organization auth acme --key " + H * 4,
        ),
        ("cache save --key " + H * 4, "login --key $KEY", "auth --key path/to/the/key.pem"),
        group=1,
        validate="entropy",
        weight=1,
    ),
    Rule(
        "vault-unseal-key",
        r"\bunseal[ \t]{1,4}[\"']?([A-Za-z0-9+/]{43,44}={0,2}|[a-f0-9]{64,66})(?:[\"'\s]|$)",
        ("unseal",),
        "https://developer.hashicorp.com/vault/docs/commands/operator/unseal",
        ("vault operator unseal " + B * 5 + "e5F=",),
        ("vault operator unseal", "unseal -reset"),
        group=1,
        validate="mixed",
    ),
    Rule(
        "splunk-collector-token",
        r"(?i)\b(?:splunk|hec)[a-z0-9_.-]{0,16}\\{0,3}[\"']?[ ]{0,4}[=:][ ]{0,4}\\{0,3}[\"']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
        ("splunk", "hec"),
        "https://docs.splunk.com/Documentation/Splunk/latest/Data/UsetheHTTPEventCollector",
        ("splunk.hec=" + UUID, "HEC_TOKEN: " + UUID),
        ("splunk: off", "hec = $HEC"),
        group=1,
        weight=1,
    ),
    Rule(
        "facebook-app-token",
        r"(?i)(?:\bfb|_fb|facebook)[^\x1f]{0,80}?\b([0-9]{13,17}\|[A-Za-z0-9_-]{27})\b",
        ("fb", "facebook"),
        "https://developers.facebook.com/docs/facebook-login/guides/access-tokens#apptokens",
        ("FB_APP=" + "1234567" * 2 + "9|" + "a1B2c3D4e" * 3,),
        ("fb: 12|34", "facebook app 123456789012345"),
        group=1,
    ),
    Rule(
        "zhipu-key",
        r"(?i)(?:ollama|zhipu|bigmodel|\bglm|\bz_?ai)[^\x1f]{0,80}?\b([0-9a-f]{32}\.[A-Za-z0-9_-]{16,24})\b",
        ("ollama", "zhipu", "bigmodel", "glm", "zai", "z_ai"),
        "https://docs.bigmodel.cn/cn/api/introduction, https://docs.ollama.com/cloud",
        ('"OLLAMA": "' + H * 4 + "." + B * 3 + '"', "ZHIPUAI_API_KEY=" + H * 4 + "." + B * 2),
        ("ollama run glm-4.6", "ollama pull " + H * 4),
        group=1,
        validate="mixed",
    ),
    Rule(
        "fal-key",
        r"(?i)\bfal(?:\b|_)[^\x1f]{0,80}?\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9a-f]{32})\b",
        ("fal",),
        "https://docs.fal.ai/",
        ("FAL_KEY=" + UUID + ":" + H * 4,),
        ("fall: x", "FAL_KEY=$FAL_KEY"),
        group=1,
    ),
    Rule(
        "task-password",
        r"(?i)\bschtasks\b[^\n]{0,400}?[ ]/rp[ ][\"']?([^\s\"'/]{3,128})",
        ("schtasks",),
        "https://learn.microsoft.com/windows-server/administration/windows-commands/schtasks-create",
        ('schtasks /create /tn "Backup" /tr b.bat /ru admin /rp ' + "Hunt" + "er2!",),
        ("schtasks /query /fo LIST", "schtasks /create /ru admin /rp %PW%"),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "credential-constructor",
        r"(?i)\bNetworkCredential\]::new\([\"'][^\"'\n]{0,128}[\"'],[ ]{0,2}[\"']([^\"'\n]{3,256})[\"']",
        ("networkcredential]::new(",),
        "https://learn.microsoft.com/dotnet/api/system.net.networkcredential",
        ("[Net.NetworkCredential]::new('bob', '" + "Hunt" + "er2!')",),
        ("[Net.NetworkCredential]::new($user, $pw)",),
        group=1,
        validate="word",
        weight=1,
    ),
    Rule(
        "honeycomb-team",
        r"(?i)\bx[_-]honeycomb[_-]team\\{0,3}[\"']?[ ]?[:=,][ ]?\\{0,3}[\"']?([a-z0-9_]{22,64})",
        ("honeycomb",),
        "https://docs.honeycomb.io/api/tag/Events",
        ("X-Honeycomb-Team: " + H * 4,),
        ("X-Honeycomb-Team: $KEY", "x-honeycomb-dataset: web"),
        group=1,
        validate="mixed",
    ),
    Rule(
        "truenas-key",
        r"login_with_api_key\\{0,3}[\"'],\s{0,16}\\{0,3}[\"']params\\{0,3}[\"'][ ]?:[ ]?\[\s{0,16}\\{0,3}[\"']([0-9]{1,6}-[A-Za-z0-9]{64})\b",
        ("login_with_api_key",),
        "https://www.truenas.com/docs/scale/api/",
        ('"method": "auth.login_with_api_key", "params": ["8-' + B * 8 + '"]',),
        ("auth.login_with_api_key", '"auth.login_with_api_key", "params": ["$KEY"]'),
        group=1,
    ),
    Rule(
        "package-feed-token",
        r"://([A-Za-z0-9_-]{16,64}):?@(?:[a-z0-9-]{1,32}\.)?(?:fury\.io|packagecloud\.io|cloudsmith\.io)",
        ("fury.io", "packagecloud.io", "cloudsmith.io"),
        "https://gemfury.com/help/tokens",
        ("https://" + B * 2 + "e5F6:@pypi.fury.io/acme",),
        ("https://pypi.fury.io/acme", "https://user@fury.io/"),
        group=1,
        validate="mixed",
    ),
    Rule(
        "sonar-login",
        r"(?i)sonar[._-]?(?:login|token)\\{0,3}[\"']?[ \t]{0,4}[=:,][ \t]{0,4}\\{0,3}[\"']?([a-f0-9]{40})\b",
        ("sonar",),
        "https://docs.sonarsource.com/sonarqube-server/analyzing-source-code/analysis-parameters/",
        ("-Dsonar.login=" + H * 5, "property 'sonar.login', '" + H * 5 + "'"),
        ("sonar.login=admin", "sonar.projectKey=x"),
        group=1,
    ),
    Rule(
        "device-token-path",
        r"/api/v1/([A-Za-z0-9]{20})/(?:telemetry|attributes|rpc|claim|provision)\b",
        ("/telemetry", "/attributes", "/rpc", "/claim", "/provision"),
        "https://thingsboard.io/docs/reference/http-api/",
        ("https://x.test/api/v1/" + "a1B2c3D4e5" * 2 + "/telemetry",),
        ("/api/v1/devices/telemetry", "/api/v1/" + "organizationsettings" + "/rpc"),
        group=1,
        validate="mixed",
    ),
    Rule(
        "tink-key",
        r"google\.crypto\.tink\.[A-Za-z0-9]{1,48}\\{0,3}\"[^\n]{0,80}?\\{0,3}\"value\\{0,3}\"[ ]?:[ ]?\\{0,3}\"([A-Za-z0-9+/=_-]{4,8192})",
        ("google.crypto.tink.",),
        "https://developers.google.com/tink/design/keysets",
        ('"typeUrl":"type.googleapis.com/google.crypto.tink.AesGcmKey","value":"' + B * 3 + '"',),
        ("type.googleapis.com/google.crypto.tink.AesGcmKey",),
        group=1,
    ),
    Rule(
        "duo-secret",
        r"(?i)(?:\b|_)[sa]key\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"']?([a-z0-9]{40})\b",
        ("skey", "akey"),
        "https://duo.com/docs/authproxy-reference",
        ("ikey=DIXXXXXXXXXXXXXXXXXX\nskey=" + B * 5,),
        ("skey=off", "akey: value"),
        group=1,
        validate="mixed",
        weight=1,
    ),
    Rule(
        "reporter-id",
        r"(?i)\b(?:cc_test_reporter_id|codeclimate[a-z0-9_.-]{0,24})\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"']?([a-f0-9]{64})\b",
        ("cc_test_reporter_id", "codeclimate"),
        "https://docs.codeclimate.com/docs/configuring-test-coverage",
        ("CC_TEST_REPORTER_ID=" + H * 8,),
        ("CC_TEST_REPORTER_ID=$ID", "codeclimate: on"),
        group=1,
    ),
    Rule(
        "record-key",
        r"(?i)\bcypress_record_key\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
        ("cypress_record_key",),
        "https://docs.cypress.io/cloud/account-management/projects#Record-key",
        ("CYPRESS_RECORD_KEY=" + UUID,),
        ("CYPRESS_RECORD_KEY=$KEY",),
        group=1,
    ),
    Rule(
        "ably-key",
        r"(?i)\bably[a-z0-9_.-]{0,24}\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:|\()[ \t]{0,4}\\{0,3}[\"']?([a-z0-9_-]{6,12}\.[a-z0-9_-]{6,12}:[a-z0-9_-]{20,64})",
        ("ably",),
        "https://ably.com/docs/auth",
        ("ABLY_API_KEY=a1B2c3.D4e5F6:" + B * 5,),
        ("ably: import ably.rest:Client", "ABLY_API_KEY=$KEY"),
        group=1,
        validate="mixed",
    ),
    Rule(
        "inngest-event-key",
        r"(?i)\binngest[ _-]?event[_-]?key\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"']?([a-z0-9_-]{32,128})\b",
        ("inngest",),
        "https://www.inngest.com/docs/events/creating-an-event-key",
        ("INNGEST_EVENT_KEY=" + B * 10,),
        ("INNGEST_EVENT_KEY=local",),
        group=1,
        validate="mixed",
    ),
    Rule(
        "unleash-user-token",
        r"\buser:[a-f0-9]{56}\b",
        ("user:",),
        "https://docs.getunleash.io/reference/api-tokens-and-client-keys",
        ("UNLEASH_PAT=user:" + H * 7,),
        ("user:bob",),
    ),
    Rule(
        "mattermost-webhook",
        r"/hooks/([a-z0-9]{26})\b",
        ("/hooks/",),
        "https://developers.mattermost.com/integrate/webhooks/incoming/",
        ("https://chat.example.com/hooks/" + "k7m2q9z4" * 3 + "k7",),
        ("/hooks/" + "pre-commit-hooks-directory",),
        group=1,
        validate="mixed",
    ),
    Rule(
        "push-registration",
        r"[A-Za-z0-9_-]{11,22}:APA91b[A-Za-z0-9_-]{100,200}",
        (":apa91b",),
        "https://firebase.google.com/docs/cloud-messaging/manage-tokens",
        ("a1B2c3D4e5F6g7H8i9J0k1:APA91b" + B * 16,),
        ("x:APA91b",),
    ),
    Rule(
        "agora-certificate",
        r"(?i)\bagora[a-z0-9_.-]{0,32}\\{0,3}[\"']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}\\{0,3}[\"']?([a-f0-9]{32})\b",
        ("agora",),
        "https://docs.agora.io/en/video-calling/get-started/manage-agora-account",
        ("AGORA_APP_CERTIFICATE=" + H * 4,),
        ("agora_app_id: x",),
        group=1,
        validate="mixed",
    ),
)

RULES = WORDED + SERVICES + BESIDE + PLACED
