"""Tokens of several parts, known by their shape or by the service named shortly before them."""

# ruff: noqa: E501 (a rule stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

A = "a1B2c3D4"  # filler of the examples
H = "a1b2c3d4"
L = "k7m2q9z4"
U = "K7M2Q9Z4"
D = "84715293"
HEX_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
UUID = "4ea38b7b-f563-4709-8bae-" + "12c8b2a6f0d1"


def shape(
    id: str, keywords: str, pattern: str, example: str, other: str, source: str, validate: str = ""
) -> Rule:
    """A token whose parts say what it is; the secret is the first group, if there is one."""
    words = tuple(keywords.split())
    group = int("(" in pattern.replace("(?", "").replace("\\(", ""))
    return Rule(
        id, pattern, words, source, (example, f"see {example} x"), (other,), group, validate
    )


def after(
    id: str, services: str, pattern: str, example: str, source: str, validate: str = ""
) -> Rule:
    """A token too plain to be known without its service, which is named up to 120 characters
    before it."""
    words = tuple(services.split())
    names = "|".join(word.replace(".", "\\.") for word in words)
    return Rule(
        id,
        rf"(?i)(?:{names})[^\x1f]{{0,120}}?(?:\b|_){pattern}",
        words,
        source,
        (f"{words[0]}_key = '{example}'", f"{words[-1]}: {example}"),
        (f"{words[0]} went well", f"{words[-1]}: none"),
        group=1,
        validate=validate,
        weight=1,
    )


# fmt: off
RULES = (
    shape("rapidapi-hub-key", "msh", r"\b[a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{5}jsn[a-f0-9]{12}\b", "a1b2c3d4e5msh" + "a1b2c3d4e5f6a7bp1a1b2cjsn" + "a1b2c3d4e5f6", "msh", "https://docs.rapidapi.com/docs/keys-and-key-rotation"),
    shape("imagekit-private-key", "private_", r"\bprivate_[A-Za-z0-9+/]{27}=", "private_" + A * 3 + "e5F=", "private_key=", "https://imagekit.io/docs/api-keys"),
    shape("sanctum-token", "0| 1| 2| 3| 4| 5| 6| 7| 8| 9|", r"(?:^|[^A-Za-z0-9_.|-])([0-9]{1,7}\|[A-Za-z0-9]{40}(?:[A-Za-z0-9]{8})?)\b", "12|" + A * 6, "1|" + H * 5, "https://laravel.com/docs/sanctum#issuing-api-tokens, as Coolify, Forge and Ploi use them", "ssws"),
    shape("infisical-service-token", "st.", r"\bst\." + HEX_UUID + r"\.[a-f0-9]{32}\.[a-f0-9]{32}\b", "st." + UUID + "." + H * 4 + "." + H * 4, "st.x", "https://infisical.com/docs/documentation/platform/token"),
    shape("boundary-token", "at_", r"\bat_[A-Za-z0-9]{10}_s[0-9][A-Za-z0-9]{60,400}", "at_" + "a1B2c3D4e5_s1" + A * 10, "at_x_s1", "https://developer.hashicorp.com/boundary/docs/concepts/security/data-encryption"),
    shape("conda-channel-token", "/t/", r"/t/([a-z]{2}-" + HEX_UUID + r")\b", "https://conda.anaconda.org/t/an-" + UUID + "/acme", "/t/an-x/", "https://docs.anaconda.com/anaconda-org/user-guide/tasks/work-with-accounts/"),
    shape("newrelic-account-key", "nral", r"\b(?:[a-z]{2}[0-9]{2}xx[a-f0-9]{30}|[a-f0-9]{36})NRAL\b", "eu01xx" + H * 3 + "a1b2c3NRAL", "xNRAL", "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/#license-key"),
    shape("matrix-token", "syt_ syr_", r"\bsy(?:t_[A-Za-z0-9+/=-]{1,200}|r)_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}\b", "syt_" + "Ym9i_" + "a1B2c" * 4 + "_0Zx9Qw", "syt_x_y_z", "https://github.com/element-hq/synapse/blob/develop/docs/development/auth_tokens.md"),
    shape("matrix-account-token", "mat_ mar_ mct_ mcr_ mpt_", r"\bm(?:at|ar|ct|cr|pt)_[A-Za-z0-9]{30}_[A-Za-z0-9]{6}\b", "mat_" + "a1B2c" * 6 + "_0Zx9Qw", "mat_x", "https://element-hq.github.io/matrix-authentication-service/"),
    shape("webex-token", "_pf84_ _p0a1_", r"\b[A-Za-z0-9_-]{64}_P[A-Z0-9]{3}_" + HEX_UUID + r"\b", A * 8 + "_PF84_" + UUID, "x_PF84_y", "https://developer.webex.com/docs/getting-started"),
    shape("paseto", ".public. .local.", r"\bv[1-4]\.(?:public|local)\.[A-Za-z0-9_-]{64,4096}", "v4.local." + A * 9, "v4.public.x", "https://paseto.io", "plausible"),
    shape("convex-deploy-key", "prod: dev: preview: project:", r"\b((?:prod|dev|preview|project):[a-z0-9:-]{3,80}\|[A-Za-z0-9+/=_-]{40,400})", "prod:happy-animal-123|" + A * 8, "prod:x|y", "https://docs.convex.dev/cli/deploy-key-types"),
    shape("godaddy-key", "sso-key", r"\bsso-key ([A-Za-z0-9_]{8,48}:[A-Za-z0-9_]{16,48})\b", "sso-key " + A + "_e5F6:" + A * 3, "sso-key $KEY:$SECRET", "https://developer.godaddy.com/getstarted"),
    shape("spotify-session", "sp_dc= sp_key=", r"\bsp_(?:dc|key)=([A-Za-z0-9_-]{32,400})", "sp_dc=AQ" + A * 8, "sp_dc=$DC", "https://open.spotify.com: the cookies that log in"),
    shape("roblox-cookie", "_|warning:-do-not-share-this", r"_\|WARNING:-DO-NOT-SHARE-THIS[^|\n]{0,200}\|_([A-Za-z0-9._-]{60,2048})", "_|WARNING:-DO-NOT-SHARE-THIS.--Sharing|_" + U * 12, "_|WARNING:-DO-NOT-SHARE-THIS", "https://create.roblox.com/docs/cloud/auth"),
    shape("tiktok-token", "act. rft.", r"\b(?:act|rft)\.[A-Za-z0-9]{40,100}![a-z0-9.]{4,12}", "act." + A * 6 + "!4567.va", "act.x!y", "https://developers.tiktok.com/doc/oauth-user-access-token-management"),
    shape("prismic-token", "mc5", r"\bMC5[A-Za-z0-9_-]{20,100}\.[A-Za-z0-9_-]{30,200}", "MC5" + A * 4 + "." + A * 5, "MC5.x", "https://prismic.io/docs/rest-api-technical-reference"),
    shape("k3s-token", "k10", r"\bK10[a-f0-9]{64}::[A-Za-z0-9:.]{8,128}", "K10" + H * 8 + "::server:" + H * 4, "K10::x", "https://docs.k3s.io/cli/token"),
    shape("microk8s-join-token", ":25000/", r":25000/([a-f0-9]{32}(?:/[a-f0-9]{12})?)\b", "microk8s join 10.0.0.4:25000/" + H * 4 + "/" + "a1b2c3d4e5f6", ":25000/cluster", "https://microk8s.io/docs/clustering"),
    shape("kubeadm-bootstrap-token", "kubeadm bootstrap-token", r"\b(?:kubeadm|bootstrap-token)[^\x1f]{0,200}?\b([a-z0-9]{6}\.[a-z0-9]{16})\b", "kubeadm join 10.0.0.4:6443 --token " + "a1b2c3." + "a1b2c3d4" * 2, "kubeadm join x", "https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/", "mixed"),
    shape("nkey-seed", "seed----- nkey nats", r"\b(?:NKEY SEED-----|(?:nkey|NKEY|nats|NATS)[^\x1f]{0,120}?)[^A-Za-z0-9]{1,16}(S[UAONCX][A-Z2-7]{56})\b", "nats --nkey=" + "SU" + "K7M2Q5Z4" * 7, "nats SU", "https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth"),
    shape("quickbooks-refresh-token", "ab11", r"\bAB11[0-9]{12}[A-Za-z0-9]{34}\b", "AB11" + "847152930184" + A * 4 + "e5", "AB11", "https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0"),
    shape("localstack-auth-token", "ls-", r"\bls-[A-Za-z0-9]{8}-[A-Za-z0-9]{4}-[A-Za-z0-9]{4}-[A-Za-z0-9]{4}-[A-Za-z0-9]{12}\b", "ls-" + A + "-5841-kIpA-3907-" + "a1B2c3D4e5F6", "ls-la", "https://docs.localstack.cloud/aws/getting-started/auth-token/"),
    shape("stream-key", "rtmp", r"\brtmps?://[^\s\"'/<>]{1,128}/[A-Za-z0-9_-]{1,32}/([A-Za-z0-9_-]{16,200}(?:\?[^\s\"'<>]{0,200})?)", "rtmp://a.rtmp.example.com/live2/" + "live_184715293_" + A * 3, "rtmp://x.test/live/stream", "https://support.google.com/youtube/answer/9854503, https://dev.twitch.tv/docs/video-broadcast/", "entropy"),
    shape("synology-session", "_sid=", r"[?&]_sid=([A-Za-z0-9_-]{16,200})", "entry.cgi?api=x&_sid=" + A * 5, "?_sid=$SID", "https://kb.synology.com/en-global/DG/DSM_Login_Web_API_Guide/2", "plausible"),
    shape("kaggle-key-file", "username", r"\"username\\{0,3}\"\s{0,8}:\s{0,8}\\{0,3}\"[^\"\n]{1,80}\",\s{0,16}\\{0,3}\"key\\{0,3}\"\s{0,8}:\s{0,8}\\{0,3}\"([A-Za-z0-9_-]{24,128})\\{0,3}\"", '{"username": "bob", "key": "' + H * 4 + '"}', '{"username": "bob", "key": "x"}', "https://www.kaggle.com/docs/api#authentication", "mixed"),
    shape("proxy-link", "vmess:// vless:// trojan:// ss:// ssr:// hysteria:// hysteria2:// hy2:// tuic://", r"\b(?:vmess|vless|trojan|ssr?|hysteria2?|hy2|tuic)://([A-Za-z0-9+/=_:.!$*-]{8,4096})(?:[@#\s\"'`<]|$)", "trojan://" + A * 2 + "@vpn.example.com:443", "ss://$NODE", "https://shadowsocks.org/doc/sip002.html, https://trojan-gfw.github.io/trojan/", "bearer"),
    shape("rails-master-key", "master.key credentials/", r"(?:\bmaster|credentials/[a-z]{2,16})\.key\b[^\n\x1f]{0,80}\r?\n([0-9a-f]{32})(?:\s|$)", "$ cat config/master.key\n" + H * 4, "config/master.key\nconfig", "https://guides.rubyonrails.org/security.html#custom-credentials"),
    shape("mediawiki-key", "$wgsecretkey $wgupgradekey", r"\$wg(?:Secret|Upgrade)Key ?= ?[\"']([0-9a-f]{16,64})[\"']", '$wgUpgradeKey = "' + H * 2 + '";', '$wgSecretKey = "";', "https://www.mediawiki.org/wiki/Manual:$wgUpgradeKey"),
    shape("signing-key-file", "ed25519", r"\bed25519 a_[A-Za-z0-9]{4,8} ([A-Za-z0-9+/]{43})\b", "ed25519 a_x1Y2 " + A * 5 + "e5F", "ed25519 a_x", "https://element-hq.github.io/synapse/latest/usage/configuration/config_documentation.html#signing_key_path"),
    after("gotify-token", "gotify", r"([ACP][a-z0-9._-]{14})(?:[\s\"'`&<,;)}\]\\]|$)", "A" + "x7_Qe9.Lw2" + "Bm-4", "https://gotify.net/docs/pushmsg", "jumbled"),
    after("baseten-key", "baseten api-key", r"([a-z0-9]{8}\.[a-z0-9]{32})\b", A + "." + A * 4, "https://docs.baseten.co/development/model/api-keys", "ssws"),
    after("codefresh-key", "codefresh", r"([a-f0-9]{24}\.[a-f0-9]{32})\b", H * 3 + "." + H * 4, "https://codefresh.io/docs/docs/integrations/codefresh-api/"),
    after("mailgun-signed-key", "mailgun api:", r"([a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})\b", H * 4 + "-" + H + "-" + H, "https://documentation.mailgun.com/docs/mailgun/api-reference/authentication/"),
    after("uptimerobot-key", "uptimerobot", r"([um][0-9]{5,10}-[a-f0-9]{24,32})\b", "u1847152-" + H * 3, "https://uptimerobot.com/api/"),
    after("flagsmith-key", "flagsmith", r"(ser\.[a-z0-9]{22})\b", "ser." + A * 2 + "e5F6g7", "https://docs.flagsmith.com/clients/server-side"),
    after("storj-access-grant", "storj uplink", r"(1[1-9a-z]{100,400})\b", "1" + A * 16, "https://storj.dev/dcs/access", "ssws"),
    after("checkly-key", "checkly", r"(cu_[a-f0-9]{32})\b", "cu_" + H * 4, "https://www.checklyhq.com/docs/accounts-and-users/creating-api-key/"),
    after("cal-com-key", "cal.com calcom cal_api", r"(cal_[a-f0-9]{32})\b", "cal_" + H * 4, "https://cal.com/docs/api-reference/v1/authentication"),
    after("kit-key", "convertkit kit_api kit.com", r"(kit_[a-f0-9]{32})\b", "kit_" + H * 4, "https://developers.kit.com/api-reference/authentication"),
    after("qstash-signing-key", "qstash upstash", r"(sig_[a-z0-9]{24,32})\b", "sig_" + A * 3, "https://upstash.com/docs/qstash/howto/signature", "entropy"),
    after("incident-io-key", "incident.io incident_io", r"(inc_[a-f0-9]{64})\b", "inc_" + H * 8, "https://docs.incident.io/api-reference/introduction"),
    after("mandrill-key", "mandrill", r"(md-[a-z0-9_-]{22})\b", "md-" + A * 2 + "e5F6g7", "https://mailchimp.com/developer/transactional/guides/quick-start/", "entropy"),
    after("appveyor-token", "appveyor", r"(v2\.[a-z0-9]{20})\b", "v2." + L * 2 + "k7m2", "https://www.appveyor.com/docs/api/", "entropy"),
    after("tatum-key", "tatum", r"(t-[0-9a-f]{24}-[0-9a-f]{24})\b", "t-" + H * 3 + "-" + H * 3, "https://docs.tatum.io/docs/authentication"),
    after("bluesky-app-password", "bluesky bsky atproto", r"([a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4})\b", "k7m2-q3z4-x5w6-" + "b2n7", "https://bsky.app/settings/app-passwords", "mixed"),
    after("apple-app-password", "notarytool altool fastlane app-specific", r"([a-z]{4}-[a-z]{4}-[a-z]{4}-[a-z]{4})\b", "qzxk-wvbn-" + "mjrt-plgh", "https://support.apple.com/en-us/102654"),
    after("nextcloud-app-password", "nextcloud owncloud remote.php ocs/v", r"([a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{5})\b", "a1B2c-D3e4F-g5H6j-" + "K7m8N-p9Q0r", "https://docs.nextcloud.com/server/latest/user_manual/en/session_management.html", "ssws"),
    after("ghost-admin-key", "ghost", r"([a-f0-9]{24}:[a-f0-9]{64})\b", H * 3 + ":" + H * 8, "https://docs.ghost.org/admin-api#token-authentication"),
    after("transifex-token", "transifex", r"(1/[a-f0-9]{40})\b", "1/" + H * 5, "https://developers.transifex.com/reference/api-authentication"),
    after("truenas-api-key", "truenas", r"([0-9]{1,4}-[a-z0-9]{64})\b", "8-" + A * 8, "https://www.truenas.com/docs/scale/api/", "ssws"),
    after("sanity-token", "sanity", r"(sk[a-z0-9]{78,180})\b", "sk" + A * 10, "https://www.sanity.io/docs/http-auth", "ssws"),
    after("wordpress-app-password", "wordpress wp- wp_ application-p application_p applicationp apppass app_pass app-pass", r"((?:[a-z0-9]{4} ){5}[a-z0-9]{4})\b", "a1B2 c3D4 e5F6 g7H8 " + "j9K0 m1N2", "https://developer.wordpress.org/advanced-administration/security/application-passwords/", "grouped"),
    shape("grouped-basic-password", "-u --user auth", r"(?:-u|--user|[aA]uth)[ =(]{1,3}[\"'][A-Za-z0-9._@-]{1,64}:((?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4})[\"']", "curl -u 'bob:a1B2 c3D4 e5F6 g7H8 " + "j9K0 m1N2'", "curl -u 'bob:some four word pass here also'", "https://developer.wordpress.org/advanced-administration/security/application-passwords/", "grouped"),
)
# fmt: on
