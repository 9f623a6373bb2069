"""Further text without secrets, harder than the first: what has the names or the looks of one."""

# ruff: noqa: E501 (a template stays on one line)
from __future__ import annotations

import base64
import random

from clean import Maker, _hex, _pick, _uuid
from kinds import ALNUM, BASE64, LOWER, URLSAFE, of

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
NIX = "0123456789abcdfghijklmnpqrsvwxyz"
WORDS = (
    "billing search orders user session account device upload invite report tenant media".split()
)
NAMES = (
    "token secret password apiKey api_key accessToken access_token client_secret private_key "
    "DB_PASSWORD GITHUB_TOKEN auth_token credentials refreshToken".split()
)


def _b64(rng: random.Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def ids(rng: random.Random) -> str:
    """Identifiers that are joined on."""
    return _pick(
        rng,
        f"id={''.join(rng.choices(CROCKFORD, k=26))} status=ok",
        f"snowflake {rng.randrange(10**17, 10**19)} created",
        f'{{"cus": "cus_{of(ALNUM, 14)(rng)}", "pi": "pi_{of(ALNUM, 24)(rng)}", "evt": "evt_{of(ALNUM, 24)(rng)}"}}',
        f"resp_{_hex(rng, 50)} -> msg_{_hex(rng, 50)}",
        f"thread_{of(ALNUM, 24)(rng)} run_{of(ALNUM, 24)(rng)} asst_{of(ALNUM, 24)(rng)}",
        f"file-{of(ALNUM, 22)(rng)} vs_{_hex(rng, 32)} batch_{_hex(rng, 32)}",
        f"toolu_01{of(ALNUM, 22)(rng)} msg_01{of(ALNUM, 22)(rng)} srvtoolu_01{of(ALNUM, 22)(rng)}",
        f"call_{of(ALNUM, 24)(rng)} fc_{_hex(rng, 50)} rs_{_hex(rng, 50)}",
        f"traceId={_hex(rng, 32)} spanId={_hex(rng, 16)} parentId={_hex(rng, 16)}",
        f"sentry-trace: {_hex(rng, 32)}-{_hex(rng, 16)}-1",
        f"X-Request-Id: {_uuid(rng)}\r\nX-Amzn-Trace-Id: Root=1-{_hex(rng, 8)}-{_hex(rng, 24)}",
        f"dpl_{of(ALNUM, 28)(rng)} prj_{of(ALNUM, 28)(rng)} team_{of(ALNUM, 24)(rng)}",
        f"subnet-{_hex(rng, 17)} sg-{_hex(rng, 17)} vol-{_hex(rng, 17)} eni-{_hex(rng, 17)}",
        f"arn:aws:secretsmanager:eu-west-1:{rng.randrange(10**11, 10**12)}:secret:prod/db-{of(ALNUM, 6)(rng)}",
        f"projects/p/secrets/db-password/versions/{rng.randrange(40)}",
        f"ObjectId('{_hex(rng, 24)}') user_id: '{_hex(rng, 24)}'",
        f"tenant_id = {_uuid(rng)}\nclient_id = {_uuid(rng)}",
        f"session_key_id: {_uuid(rng)} token_id: {rng.randrange(10**6)}",
        f"AKIA is the prefix; the account is {rng.randrange(10**11, 10**12)}",
        f"nanoid {of(URLSAFE, 21)(rng)} cuid c{of(LOWER, 24)(rng)}",
        f"claude --resume {_uuid(rng)}",
        f"bundle/{of(ALNUM, 8)(rng)}/main.{_hex(rng, 20)}.js",
    )


def locks(rng: random.Random) -> str:
    return _pick(
        rng,
        f"golang.org/x/crypto v0.{rng.randrange(40)}.0 h1:{_b64(rng, 32)}\ngolang.org/x/crypto v0.1.0/go.mod h1:{_b64(rng, 32)}",
        f'[[package]]\nname = "secrecy"\nversion = "0.8.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "{_hex(rng, 64)}"',
        f"requests==2.32.{rng.randrange(9)} \\\n    --hash=sha256:{_hex(rng, 64)} \\\n    --hash=sha256:{_hex(rng, 64)}",
        f"/jsonwebtoken@9.0.{rng.randrange(9)}:\n    resolution: {{integrity: sha512-{_b64(rng, 64)}}}\n    engines: {{node: '>=12'}}",
        f'"token-types@^4.1.1":\n  version "4.2.1"\n  checksum: 10c0/{_hex(rng, 128)}',
        f'"@octokit/auth-token": {{"version": "4.0.{rng.randrange(9)}", "integrity": "sha512-{_b64(rng, 64)}"}}',
        f"CHECKSUMS\n  bcrypt (3.1.{rng.randrange(30)}) sha256={_hex(rng, 64)}",
        f'"passport": {{"hashes": ["sha256:{_hex(rng, 64)}"], "version": "==1.0"}}',
        f'"content-hash": "{_hex(rng, 32)}"',
        f'<script src="https://cdn.example.com/a.js" integrity="sha384-{_b64(rng, 48)}" crossorigin="anonymous"></script>',
        f'sha256 "{_hex(rng, 64)}" => :arm64_sonoma',
        f"SHA512 (openssl-3.{rng.randrange(9)}.tar.gz) = {_hex(rng, 128)}",
        f'narHash = "sha256-{_b64(rng, 32)}";',
        f"/nix/store/{''.join(rng.choices(NIX, k=32))}-libsecret-0.21.{rng.randrange(9)}",
        f"cache-key: node-modules-{_hex(rng, 64)}",
        f"hashFiles gave {_hex(rng, 64)} for key linux-pnpm-{_hex(rng, 40)}",
        f"layer sha256:{_hex(rng, 64)}: Pull complete",
        f"image: ghcr.io/example/auth-token-service@sha256:{_hex(rng, 64)}",
    )


def git(rng: random.Random) -> str:
    return _pick(
        rng,
        f"tree {_hex(rng, 40)}\nparent {_hex(rng, 40)}\nauthor CI 1700000{rng.randrange(100, 999)} +0000\n\nRotate token",
        f"[main {_hex(rng, 7)}] Remove hard-coded password\n 1 file changed, 2 insertions(+)",
        f"100644 blob {_hex(rng, 40)}\tsrc/token.py\n100755 blob {_hex(rng, 40)}\tsecret.sh",
        f"* {_hex(rng, 9)} (HEAD -> fix/password-reset) Reset password by token",
        f"From {_hex(rng, 40)} Mon Sep 17 00:00:00 2001\nSubject: [PATCH] auth: token refresh",
        f"git cherry-pick {_hex(rng, 40)}..{_hex(rng, 40)}",
        f"refs/heads/token-rotation {_hex(rng, 40)}",
        f"oid sha256:{_hex(rng, 64)}\nsize {rng.randrange(10**6)}",
        f"Submodule path 'vendor/secrets': checked out '{_hex(rng, 40)}'",
        f"https://github.com/example/auth/commit/{_hex(rng, 40)}#diff-{_hex(rng, 64)}R{rng.randrange(99)}",
        f"git show {_hex(rng, 40)}:config/credentials.yml.enc",
        f"{_hex(rng, 40)} is the first bad commit",
    )


def settings(rng: random.Random) -> str:
    """Names that say secret, values that hold none."""
    n = rng.randrange(1, 5000)
    name = rng.choice(NAMES)
    word = rng.choice(WORDS)
    return _pick(
        rng,
        f"token_count: {n}\nmax_tokens={n}\nmaxTokens: {n}",
        f'"password_reset_url": "https://example.com/reset/{word}"',
        f"secretName: {word}-secret\nserviceAccountName: {word}",
        f'"{name}": null, "retries": {n}',
        f'{name}: ""\nport: {n}',
        f"{name} = None  # set by the {word} job",
        f'{name} = os.environ["{name.upper()}"]',
        f"{name}: ${{{{ secrets.{name.upper()} }}}}",
        f"{name}=$(vault kv get -field={name} secret/{word})",
        f"{name} = var.{word}_{name}",
        f"{name} = data.aws_secretsmanager_secret_version.{word}.secret_string",
        f"{name}: {{{{ .Values.{word}.{name} }}}}",
        f"{name}: !Ref {word.title()}Secret",
        f"valueFrom:\n  secretKeyRef:\n    name: {word}-{n}\n    key: {name}",
        f'"{name}": {{"type": "string", "minLength": {n % 30}}}',
        f"{name}: string;\n{name}?: string | undefined;",
        f"passwordMinLength: {n % 64}, tokenExpiry: '{n}s', secretRotationDays: {n}",
        f"accessTokenLifetime={n}\nrefreshTokenLifetime={n * 2}",
        f"TOKENIZERS_PARALLELISM=false\nHF_TOKENIZER={word}-base",
        f'tokenizer = AutoTokenizer.from_pretrained("example/{word}-base-{n}")',
        f"pad_token_id: {n}, eos_token: </s>, bos_token: <s>",
        f"password_field: input#{word}-password\ntoken_header: X-{word.title()}-Token",
        f"apiKeyAuth: {{ type: apiKey, in: header, name: X-{word.title()}-Key }}",
        f"authorizationUrl: https://auth.example.com/authorize\ntokenUrl: https://auth.example.com/{word}/token",
        f"GITHUB_TOKEN permissions: contents: read, packages: write, {word}: none",
        f"auth_method: token\ntoken_endpoint_auth_method: client_secret_basic # {n}",
        f"SECRET_FILE=/run/secrets/{word}_{n}\nPASSWORD_FILE=/etc/{word}/password",
        f"cookie_consent: accepted\ncookieName: {word}_session",
        f"feature_flags: {{token_refresh: true, password_login: {str(n % 2 == 0).lower()}, secret_menu: on}}",
        f"i18n: login.password.label = Password\nlogin.token.hint = Enter the token from step {n}",
        f"errors.password.too_short: 'Password is too short ({n} characters at least)'",
        f"key: {word}_{n}\nkeyPrefix: {word}:\nprimaryKey: id\nsort_key: created_at",
        f"keyVersion={n} keyRing={word} cryptoKey=projects/p/locations/eu/keyRings/{word}/cryptoKeys/k",
        f"--token-file /var/run/{word}/token --password-stdin --secret-id {word}-{n}",
        f"export {name.upper()}=${{{name.upper()}:-}}",
        f"credentials: 'include', cache: 'no-store', keepalive: {str(n % 2 == 0).lower()}",
        f'private_key_path = "~/.ssh/id_{word}"\npublic_key = file(var.path)',
        f"csrf: enabled, jwt: {{ algorithm: RS256, issuer: https://{word}.example.com }}",
        f"password_hash_algorithm = argon2id, password_cost = {n}",
        f"oauth2_scopes: token.read token.write secret.{word}.list",
    )


def source(rng: random.Random) -> str:
    n = rng.randrange(1000)
    word = rng.choice(WORDS)
    title = word.title()
    return _pick(
        rng,
        f"const {word}Token = useSelector(select{title}Token);",
        f"export async function refresh{title}Token(token: string): Promise<TokenPair> {{",
        f"if (!password || password.length < {n % 20}) throw new PasswordError('{word}');",
        f"self._token: str | None = None; self.token_{word} = token_factory()",
        f"assert response.json()['access_token'] == token.access_token  # {n}",
        f"password = hashlib.sha256(raw_password.encode()).hexdigest()[:{n % 60 + 4}]",
        f'let secret = Secret::new(env::var("{word.upper()}_SECRET")?);',
        f'token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") // {n}',
        f"private String accessToken; public String getAccessToken() {{ return accessToken; }} // {n}",
        f'@Value("${{app.{word}.password}}") private String password;',
        f'<Input type="password" name="password" value={{form.password}} onChange={{set{title}}} />',
        f"type {title}Token = {{ token: string; expires: number; kind: 'bearer' | 'mac' }}",
        f"SELECT token, secret_hash FROM {word}_tokens WHERE user_id = $1 AND token_type = 'api'",
        f"def test_{word}_password_reset_token_expires_after_{n}_minutes(client, token):",
        f"describe('{word} token', () => {{ it('rejects a bad password {n}', () => {{}}); }});",
        f"from {word}.auth.tokens import AccessToken, RefreshToken, TokenError",
        f"error TS2339: Property 'token' does not exist on type '{title}Props'. ({n})",
        f"src/{word}/auth/passwordResetTokenRepository.ts({n},{n % 80}): warning",
        f"logger.info('token refreshed for %s in %d ms', {word}_id, elapsed)",
        f"throw new Error(`Missing ${{name}} token for {word}`);",
        f".btn-{word}{{color:#a1b2c3;background:url(data:image/svg+xml;base64,{of(BASE64, 80)(rng)})}}",
        f"!function(e,t){{e.token=t.token||e.key;var n=t.secret?{n}:0;return n.password}}(a,b{n});",
        f"const r={{password:e.password,token:n.token,secret:t[{n}].secret,apiKey:i()}};",
        f"auth: {{ user: config.user, pass: config.pass }}, // {n}",
        f"$password = $_POST['password'] ?? ''; $token = $request->bearerToken(); // {n}",
        f"token.{word} = Token(kind=KEYWORD, value='{word}', line={n})",
        f"public class {title}CredentialsProvider implements CredentialsProvider {{}}",
        f"var keys = Object.keys(tokens).filter(key => key !== '{word}');",
        f"Authorization: Bearer ${{token}} // {word}",
        f"headers: {{ Authorization: `Bearer ${{await get{title}Token()}}` }}",
        f"process.env.{word.upper()}_API_KEY ?? fail('no key {n}')",
        f"@pytest.mark.parametrize('password', ['short', 'no-digits', ''])  # {n}",
        f"return jwt.decode(token, key, algorithms=['RS256'], audience='{word}')",
    )


def operations(rng: random.Random) -> str:
    n = rng.randrange(1, 1000)
    word = rng.choice(WORDS)
    return _pick(
        rng,
        f"  + password               = (sensitive value)\n  + id                     = (known after apply)\nPlan: {n} to add",
        f'  ~ secret_arn = "arn:aws:secretsmanager:eu:1:secret:{word}" -> (known after apply)',
        f"{word}-api-{_hex(rng, 10)[:9]}-{of('bcdfghjklmnpqrstvwxz2456789', 5)(rng)}   1/1   Running   {n}m",
        f"NAME                TYPE                 DATA   AGE\n{word}-token-{of(LOWER, 5)(rng)}   Opaque   {n % 9}   {n}d",
        f'secret/{word}-tls created\nsecret "{word}-{n}" unchanged',
        f"\x1b[32m✓\x1b[0m token refresh \x1b[2m({n} ms)\x1b[0m\n\x1b[31m✗\x1b[0m password reset",
        f'HTTP/1.1 304 Not Modified\r\nETag: "{_hex(rng, 32)}"\r\nAge: {n}',
        f'HTTP/2 200\r\netag: W/"{_hex(rng, 4)}-{of(BASE64, 27)(rng)}"\r\nvary: Authorization, Cookie',
        f'www-authenticate: Bearer realm="{word}", error="invalid_token"',
        f"content-security-policy: script-src 'nonce-{_b64(rng, 16)}' 'sha256-{_b64(rng, 32)}'",
        f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{of(BASE64, 340)(rng)} deploy@{word}",
        f"{word}.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{of(BASE64, 43)(rng)}",
        f"The key fingerprint is:\nSHA256:{of(BASE64, 43)(rng)} deploy",
        f"MD5:{':'.join(_hex(rng, 2) for _ in range(16))}",
        f"-----BEGIN CERTIFICATE-----\nMIID{of(BASE64, 60)(rng)}\n{of(BASE64, 64)(rng)}\n-----END CERTIFICATE-----",
        f"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE{of(BASE64, 28)(rng)}\n{of(BASE64, 64)(rng)}==\n-----END PUBLIC KEY-----",
        f"-----BEGIN PGP SIGNATURE-----\n\n{of(BASE64, 64)(rng)}\n={of(BASE64, 4)(rng)}\n-----END PGP SIGNATURE-----",
        f"-----BEGIN CERTIFICATE REQUEST-----\nMIIC{of(BASE64, 60)(rng)}\n-----END CERTIFICATE REQUEST-----",
        f"pub   ed25519 2026-01-{n % 28 + 1:02d} [SC]\n      {_hex(rng, 40).upper()}",
        f"Serial Number: {':'.join(_hex(rng, 2) for _ in range(16))}",
        f"Verify return code: 0 (ok)\nSession-ID: none, timeout {n}",
        f"docker run -e TOKEN -e PASSWORD -p {n}:80 {word}:latest",
        f"docker login -u bot --password-stdin registry.example.com < ~/.{word}",
        f'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/{word}/{n}',
        f'curl -u "$USER:$PASSWORD" https://api.example.com/{word}?page={n}',
        f"mysql -u root -p {word} < dump{n}.sql",
        f"psql postgres://app@db.internal:5432/{word}",
        f"git remote add {word} git@github.com:example/{word}.git",
        f"redis://cache.internal:6379/{n % 16}",
        f"npm ERR! 401 Unauthorized - PUT https://registry.npmjs.org/{word} - need auth token",
        f"remote: Support for password authentication was removed on August 13, 2021. ({n})",
        f"error: authentication token for {word} has expired, log in again ({n})",
        f"Permission denied (publickey,password). attempt {n}",
        f"passwd: password updated successfully for {word}{n}",
        f"[sudo] password for {word}: ",
        f"usage: deploy [--token TOKEN] [--password PASSWORD] [--secret-name NAME] # {n}",
        f'  -p, --password string   password to use (default "")\n      --token string      API token # {n}',
        f"{n} tests passed: token_store_test, password_policy_test, secret_scan_test",
        f"coverage: src/{word}/token.py {n % 100}% src/{word}/secrets.py {n % 90}%",
        f'level=info msg="token valid" user={word} ttl={n}s',
        f"rate limit: {n} tokens per minute, {n * 3} left",
        f"input_tokens={n} output_tokens={n * 2} cache_read_input_tokens={n * 9}",
        f"{n:,} tokens used of 200,000 (cached: {n})",
        f"vault kv get secret/{word}/db\nvault token lookup\nvault secrets list # {n}",
        f"gh secret list; gh auth status; gh auth token # {n}",
        f"kubectl get secret {word} -o jsonpath='{{.data.password}}' | base64 -d",
        f"openssl rand -base64 {n}",
        f"ssh -i ~/.ssh/id_ed25519 -p {n} deploy@{word}.example.com",
    )


def texts(rng: random.Random) -> str:
    n = rng.randrange(1, 1000)
    word = rng.choice(WORDS)
    return _pick(
        rng,
        f"Please rotate the {word} token and the database password before Friday the {n % 28}th.",
        f"The password field is required. The token must be at least {n} characters long.",
        f"Das Passwort ist falsch, bitte setzen Sie es nach {n} Minuten zurück.",
        f"Das Token wurde für {word} erneuert.",
        f"Le mot de passe est incorrect ({n} essais).",
        f"La contraseña es obligatoria y debe tener {n % 20} caracteres.",
        f"A senha deve ter {n % 20} letras. A senha expirou.",
        f"Hasło jest wymagane, min. {n % 20} znaków.",
        f"Пароль должен быть не короче {n % 20} символов.",
        f"密码必须至少 {n % 20} 个字符。",
        f"パスワードは{n % 20}文字以上です。",
        "I forgot my password and the token in the e-mail is expired, what now?",
        f"Use the token from the settings page as the password when git asks ({n}).",
        f"How do I pass a secret as an environment variable to {word} without printing it?",
        f"The access token is stored in {word}.json, the refresh token in the keychain.",
        f"API key: see the vault entry {word}-prod",
        "Token: none. Password: not set. Secret: n/a.",
        f"password is the wrong word for it, passphrase {n} would be better",
        f"The secret is that {word} needs {n} tokens of context.",
        f"Key takeaways: 1. keep {word} small 2. test it",
        f"This commit changes the cookie policy of {word} and bumps jsonwebtoken to 9.0.{n}",
        f"Reviewed-by: token-team, password policy v{n}.{n % 7}",
        f"my credentials are fine, the login as {word} works since version {n}",
        f"Bearer tokens are sent in the header; basic auth is off for {word}.",
        f"Set the key to {word} and the value to {n}.",
        f"The login is {word}, the password was sent by SMS.",
        f"- [ ] rotate password\n- [x] revoke token {n}\n- [ ] remove secret from {word}",
        f"| token | meaning |\n|---|---|\n| {word} | a word |\n| {n} | a number |",
        f"| Name | Type | Default |\n|---|---|---|\n| password | string | none |\n| token | {word} | required |",
        f"password,token,secret\nrequired,optional,none\n{word},{n},x",
        f"Passwordless login for {word}: passkeys, tokens by mail, and secret questions",
        f"step {n}: create a personal access token with the scopes repo and workflow",
    )


def blobs(rng: random.Random) -> str:
    n = rng.randrange(1, 1000)
    return _pick(
        rng,
        f"data:image/webp;base64,UklGR{of(BASE64, rng.randrange(100, 400))(rng)}",
        f'"image": "/9j/4AAQSkZJRgABAQ{of(BASE64, 200)(rng)}"',
        f"iVBORw0KGgoAAAANSUhEUgAA{of(BASE64, 200)(rng)}==",
        f"{of(URLSAFE, 86)(rng)}",
        f"JVBERi0xLjcK{of(BASE64, 120)(rng)}",
        f'"mappings": "AAAA,SAASA,{of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg;,", 200)(rng)}"',
        f"0x{_hex(rng, 40)} sent {n} wei, tx 0x{_hex(rng, 64)}",
        f"block {n} hash 0x{_hex(rng, 64)} parent 0x{_hex(rng, 64)}",
        f"bc1q{of('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 38)(rng)}",
        f"md5 {_hex(rng, 32)}  file{n}.bin\nsha1 {_hex(rng, 40)}",
        f"00000{n:03d}: {_hex(rng, 4)} {_hex(rng, 4)} {_hex(rng, 4)} {_hex(rng, 4)}  ....",
        f"{_uuid(rng)}.parquet\n{_uuid(rng)}/part-{n}.snappy",
        f"assets/{of(ALNUM, 8)(rng)}-{of(ALNUM, 10)(rng)}.woff2",
        f"vite/deps/react-dom_client.js?v={_hex(rng, 8)}",
        f"https://cdn.example.com/video/{of(ALNUM, 11)(rng)}?t={n}",
        f"https://docs.example.com/d/{of(URLSAFE, 44)(rng)}/edit#gid={n}",
        f"https://example.com/a?utm_source=mail&utm_campaign={rng.choice(WORDS)}&gclid={of(URLSAFE, 60)(rng)}",
        f"https://example.com/s?page_token={n}&sort_key=name&key={rng.choice(WORDS)}",
        f"__NEXT_DATA__ buildId {of(URLSAFE, 21)(rng)}",
        f"CUDA_VISIBLE_DEVICES={n % 8} WANDB_RUN_ID={of(LOWER, 8)(rng)}",
        f"seed={n} PYTHONHASHSEED={n} torch.manual_seed({n})",
        f"protobuf CgVoZWxsbxIF{of(BASE64, 24)(rng)}",
        f"gAAA cache entry v8-{_hex(rng, 40)} hit",
    )


CLEAN: dict[str, Maker] = {
    maker.__name__: maker for maker in (ids, locks, git, settings, source, operations, texts, blobs)
}
