"""Names of fields and variables that say what their value is: a secret, perhaps one, or none."""

from __future__ import annotations

import re

NONE, WEAK, STRONG = 0, 1, 2

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# Whatever stands before them, a name that ends so holds a secret. Compared without separators.
_ENDINGS = tuple(
    "password passwords passwd passwrd passphrase passcode passwort kennwort contrasena senha "
    "wachtwoord motdepasse haslo parola heslo passord losenord salasana adgangskode jelszo "
    "sifre segreta segreto secreta secreto secrete lykilord sshpass secret secrets "
    " credential credentials creds apikey "
    "apikeys apitoken privatekey secretkey accesskey authkey encryptionkey encryptkey keystring "
    "decryptionkey signingkey signkey masterkey accountkey sharedkey sharedaccesskey "
    "sessionkey storagekey consumerkey appkey applicationkey licensekey licencekey "
    "subscriptionkey servicekey deploykey sshkey hmackey aeskey rsakey cryptokey ciphersecret "
    "authorization authorisation cookie cookies token pwd connectionstring connstring connstr "
    "mnemonic seedphrase recoverykey recoverycode recoverycodes backupcode backupcodes "
    "secretid secretstring secretbinary keypassphrase integrationkey routingkey adminkey "
    "rootkey clientkey serverkey authstring dbpass dbpw userpass mysqlpass smtppass sudopass "
    "rootpass adminpass loginpass mailpass secretkeybase webhookurl slackwebhook authheader "
    "bearer phpsessid jsessionid connectsid writekey readkey ingestkey ingestionkey "
    "webhookkey securitykey functionkey functionskey xsrf csrf serviceaccountkey sastoken "
    "saskey keymaterial privkey pskkey requirepass remotepass masterauth smtppassword "
    "authtok".split()
)
# A name that holds one of these holds a secret unless its last word says otherwise.
_PARTS = re.compile(
    r"password|passwd|passphrase|secret|apikey|accesstoken|authtoken|refreshtoken|privatekey"
    r"|credential|bearertoken|accesskey"
)
# Last words that make a name one about a secret, not one that holds it.
_ABOUT = frozenset(
    "count counts counter length len limit limits max min size sizes name names id ids type "
    "types kind url urls uri uris path paths file files filename dir folder field fields "
    "policy policies expiry expires expiration expired expiring expire ttl age usage used "
    "budget index indexes hint hints label labels prompt rotation version versions enabled "
    "disabled required status state error errors err message messages manager store stores "
    "provider providers endpoint endpoints ref refs reference references arn header headers "
    "format regex pattern patterns prefix suffix env var vars variable strength input inputs "
    "output validator validation generator scope scopes class classes column columns reset "
    "change changed updated created at on date time timestamp timeout seconds ms minutes days "
    "page form view screen dialog visibility visible toggle button placeholder title "
    "description desc help text icon algorithm alg algo method methods mode engine service "
    "services client handler factory helper helpers utils util module package less ary based "
    "protected only safe free rate cost price per total totals stream streams parser scanner "
    "test tests spec mock fixture list map set cache bucket buckets mount mounts volume "
    "volumes key_id keyid template schema spec rules rule check checks checker exists found "
    "missing valid invalid match matches mismatch managed source target owner namespace "
    "short long weak strong empty blank incorrect wrong failed failure success sent forgotten "
    "requirement requirements backend backends driver "
    "stdin region bytes bits chars issuer audience realm domain host "
    "port sync table hasher hashers hashing cipher ciphers kdf".split()
)
# First words of flags and counts.
_FLAGS = frozenset(
    "is has have had use uses show hide needs need allow allows enable enables disable "
    "disables require requires no non max min num number n total count can should must will "
    "did does with without skip ignore forgot forget supports support invalid missing "
    "expected unexpected wrong bad existing".split()
)
# Tokens of language models, parsers and paging: no secrets.
_PLAIN_TOKENS = frozenset(
    "max min num next page paging continuation eos bos pad padding unk sep cls mask start end "
    "stop prompt completion input output total cached cache per count special cancellation "
    "cancel design syntax lex lexer cursor pagination previous prev skip parse parser first "
    "last word sub current_line decimal keyword identifier string operator punctuation "
    "comment newline eof reasoning image audio text thinking stopping nft erc20 lp native gas "
    "fungible change".split()
)
# A key of these is one that opens something; other keys (cache_key, sort_key) only find it.
_OPENING = frozenset(
    "api access secret private encryption encrypt signing sign master account shared session "
    "storage consumer app application license licence subscription service deploy ssh hmac "
    "aes rsa des gpg pgp client server admin root auth integration routing write ingest "
    "ingestion function functions apim maps security live host webhook web user recovery "
    "wallet priv ec ed25519 ecdsa dsa tls ssl pem jwt jwk cookie crypto cipher vault unseal "
    "transit anon role openai anthropic stripe github gitlab sendgrid twilio datadog mailgun "
    "mailchimp algolia azure gcp google aws sentry segment newrelic relic cohere mistral groq "
    "huggingface hf pinecone weaviate supabase firebase airtable notion slack discord "
    "telegram shodan virustotal rapidapi rapid cloudflare linear posthog amplitude mixpanel "
    "fernet setup preauth gossip enrollment".split()
)
# What stands before `.key` in the names of files.
_FILES = frozenset(
    "tls ssl server client host ssh rsa dsa ec ed25519 ecdsa pem root user web jwt app site".split()
)
# Makers of keys, by names that mean nothing else: what is called their key is one.
_SERVICES = frozenset(
    "abuseipdb adafruit adyen ai21 airbyte airvisual alchemy alphavantage aikido anaconda ankr "
    "apify appdynamics appsignal apptweak appveyor artifactory assemblyai asana ashby "
    "auth0 authentik authy avalara aviationstack azuredevops babelfish bamboohr baseten "
    "betterstack binance bitbucket bitfinex bitly bitmex bitrise blockcypher blockfrost brevo "
    "browserbase browserless browserstack bscscan bugsnag buildkite bunnycdn buttondown "
    "bybit calendly censys cerebras chargebee checkly chromatic circleci clarifai clearbit "
    "clerk clickup cloudconvert cloudinary cloudsmith codacy codecov codefresh "
    "codemagic coingecko coinbase coinmarketcap confluent contentful convertkit coralogix "
    "coveralls crowdin cryptocompare currencylayer customerio dagster daytona "
    "deepgram deepinfra deepl deepseek desec devcycle digitalocean dnsimple docusign "
    "doppler duckdns dynatrace e2b easypost elevenlabs ezid fastly "
    "fauna figma finnhub firecrawl fireworks fivetran flagsmith flickr flutterwave "
    "foursquare framer freshdesk fullstory gandi giphy gitbook gitea gitguardian godaddy "
    "goldsky goodreads gotify grafana graphhopper greynoise groq growthbook gumroad "
    "helicone helius helpscout heroku heygen hibp honeybadger honeycomb hubspot "
    "hunterio hypixel icims igdb imagekit imgbb imgix imgur immich indexnow infobip infura "
    "inngest instana intercom ipapi ipdata ipgeolocation ipinfo ipstack jellyfin jina jira "
    "jotform kaggle klaviyo kucoin lambdatest langfuse langsmith languagetool "
    "lastfm launchdarkly lemonsqueezy linode livekit liveblocks loggly logtail "
    "logrocket lokalise mailersend mailerlite mailjet mailosaur mailtrap mandrill mapbox "
    "mapquest maptiler maxmind meili meilisearch messagebird miro mistral mollie mongodb "
    "moralis nasa netbird netlify newsapi nexmo ngrok novu nsone "
    "nuget nvidia nylas omdb onesignal opencage openrouter opensea openweather "
    "openweathermap opsgenie optimizely ovh owm pagerduty pandadoc paperless paystack "
    "perplexity pexels pingdom pinata pipedrive pipecat pixabay plivo polygonscan "
    "porkbun portkey postman postmark proxycurl pusher qdrant quicknode radarr raindrop "
    "raygun razorpay recaptcha replicate resend retell revenuecat roboflow rollbar "
    "rollout runpod runway salesloft sambanova saucelabs scaleway scraperapi scrapingbee "
    "securitytrails sendbird sendinblue serpapi serper shippo shopify signalfx siliconflow "
    "smartsheet snowplow snyk sonarr sparkpost splunk spoonacular spotify statsig "
    "storyblok strapi stytch sumologic svix tavily telnyx "
    "textmagic thegraph thunderforest tiingo timezonedb tinify tinypng tmdb tolgee tomtom "
    "transifex trello turbopuffer twelvedata typeform typesense unsplash upstash uptimerobot "
    "urlscan vapi vercel vertexai veracode visualcrossing vonage voyage vultr wakatime wandb "
    "weatherapi weatherbit weatherstack webflow whoisxml wistia wolframalpha workos "
    "wordnik xai yelp youtube zapier zendesk zenrows zerobounce zilliz zipcodebase zoominfo".split()
)
_FINDING = frozenset(
    "public primary foreign sort partition hash cache idempotency object s3 row dict lookup "
    "route map index group item data field query react unique composite config env "
    "translation i18n lang message event metric order range search storage_path locale style "
    "press hot shortcut keyboard arrow any up down left right state redis registry trace "
    "pagination schema json yaml meta attribute attr column cluster join node tree block "
    "param parameter property prop setting menu tab list file path name label type kind id "
    "uid site rate limit dedup dedupe conflict feature flag topic kafka recv receive fetch "
    "locate".split()
)
_WEAK_LAST = frozenset(
    "auth authentication sig signature pass pat pin otp totp psk jwt sas seed cred salt "
    "dsn webhook hmac passw sid cvv cvc login license serial".split()
)
_STRONG_LAST = frozenset("token pwd jwt psk creds passw mnemonic".split())
_TAIL = frozenset(
    "prod production dev development staging stage test testing live old new current previous "
    "backup primary secondary value val raw b64 base64 plain plaintext clear cleartext "
    "default main temp tmp str string data local remote again confirm confirmation base pem "
    "hex encoded decoded content".split()
)
_WHOLE = {
    "auth": WEAK,
    "_auth": STRONG,
    "PWD": NONE,
    "OLDPWD": NONE,
    "pass": STRONG,
    "pw": STRONG,
    "key": NONE,
    "keys": NONE,
    "tokens": NONE,
    "sid": NONE,
    "hash": NONE,
    "signature": NONE,
    "login": NONE,
    "seed": NONE,
    "salt": NONE,
    "pin": WEAK,
    "x-amz-signature": STRONG,
    "dockerconfigjson": STRONG,
    ".dockerconfigjson": STRONG,
    "csrfmiddlewaretoken": STRONG,
    "proxy-authorization": STRONG,
    "secretkeyref": NONE,
    "author": NONE,
    "authors": NONE,
}

_BASE64 = re.compile(r"(?i)[_.-]b(?:ase)?64$")

_known: dict[str, int] = {}


def sensitivity(name: str) -> int:
    """STRONG: the value is a secret whatever its shape; WEAK: if it looks random; else NONE."""
    found = _known.get(name)
    if found is None:
        found = _judge(name)
        if len(_known) < 8192 and len(name) <= 128:
            _known[name] = found
    return found


def _judge(name: str) -> int:
    if len(name) > 128 or not name:
        return NONE
    whole = _WHOLE.get(name, _WHOLE.get(name.lower()) if name not in ("PWD", "OLDPWD") else NONE)
    if whole is not None:
        return whole
    before, dot, last = name.rpartition(".")
    if dot and before.endswith("key") and last in _TAIL:  # secret.key.base
        name = before
    for mark in (".", "/", ":"):  # spring.datasource.password, //registry/:_authToken
        head, _, tail = name.rpartition(mark)
        before = head.rpartition(mark)[2]
        if tail:  # zhipu.api.key: the last two say it
            opens = before in _OPENING and before not in _FILES
            both = tail == "key" and (opens or _strip(before) in _SERVICES)
            name = before + "_" + tail if both else tail
    if name in ("_auth", "_password", "pass", "pw"):
        return STRONG
    words = [word.lower() for word in _WORDS.findall(_BASE64.sub("", name))]
    while len(words) > 1 and (words[-1] in _TAIL or words[-1].isdigit()):
        words.pop()
    if not words:
        return NONE
    return _weigh(words, "".join(words))


def _strip(name: str) -> str:
    """The name of a property of Java without its option: -Dkaggle.key."""
    return name[1:] if name[:1] == "D" and name[1:].islower() else name.lower()


def _weigh(words: list[str], compact: str) -> int:
    last = words[-1]
    if words[0] in _FLAGS and len(words) > 1 and not words[1].isdigit():  # n8n_encryption_key
        return NONE
    if last in ("key", "keys"):
        return _weigh_key(words)
    if last in _ABOUT and len(words) > 1 and not compact.endswith(_ENDINGS):
        return NONE
    if last == "token" or compact.endswith("token"):
        if len(words) > 1 and words[-2] in _PLAIN_TOKENS:
            return NONE
        return STRONG
    if last == "tokens":
        before = words[-2] if len(words) > 1 else ""
        return STRONG if before in ("api", "access", "auth", "refresh", "bearer", "bot") else NONE
    if compact.endswith(_ENDINGS) or last in _STRONG_LAST:
        return STRONG
    if last in ("pass", "pw") and len(words) > 1:
        return STRONG
    if last in _WEAK_LAST and len(words) > 1:
        return WEAK
    if _PARTS.search(compact) and not _ABOUT.intersection(words):
        return STRONG
    return NONE


def _weigh_key(words: list[str]) -> int:
    if len(words) == 1:
        return NONE
    before = words[-2]
    if before in _FINDING or "public" in words or "publishable" in words:
        return NONE
    if before in _OPENING or "".join(words[:-1]) in _SERVICES or not _SERVICES.isdisjoint(words):
        return STRONG
    return WEAK


_PASSWORD = re.compile(
    r"(?i)pass(?:w|ph|cod|d\b|wd|$|_|[A-Z])|passwd|pwd|(?:^|_)pw$|psk|kennwort|contrase|senha|wachtwoord|motdepasse|mdp$"
    r"|has[l\u0142]o|heslo|passord|senord|salasana|adgangskode|parola"
)


def is_password(name: str) -> bool:
    """Whether people think up what a field of that name holds."""
    return _PASSWORD.search(name) is not None
