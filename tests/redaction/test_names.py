"""Names that say secret, names that speak about one, and names that only sound so."""

from __future__ import annotations

import pytest

from hookstream.redaction.field_names import NONE, STRONG, WEAK, sensitivity

SECRET = (
    "password DB_PASSWORD passwd PGPASSWORD pwd "
    "x-api-key X-Api-Key apiKey APIKey api_key token "
    "AWS_SECRET_ACCESS_KEY secretAccessKey GITHUB_TOKEN access_token refreshToken client_secret "
    "clientSecret Authorization Cookie Set-Cookie OPENAI_API_KEY _authToken _auth PASSWORD_PROD "
    "spring.datasource.password AccountKey SharedAccessKey SecretString secret_key_base db_pass "
    "dbpassword mysecret newPassword passwordConfirmation csrf_token mnemonic passphrase "
    "passwordHash "
    "aws_session_token proxy-authorization Ocp-Apim-Subscription-Key signingKey private_key"
).split()
PLAIN = (
    "max_tokens tokens token_count token_type nextToken page_token eos_token tokenizer session_id "
    "cache_key primaryKey publicKey sort_key author secretName password_file is_secret hasPassword "
    "secrets_manager passwordPolicy PWD OLDPWD monkey compass passenger keyword content prompt "
    "file_path aws_access_key_id tokenExpiry harnessSectionHash key keys description"
).split()


@pytest.mark.parametrize("name", SECRET)
def test_a_name_that_says_secret(name: str) -> None:
    assert sensitivity(name) == STRONG


@pytest.mark.parametrize("name", PLAIN)
def test_a_name_that_does_not(name: str) -> None:
    assert sensitivity(name) == NONE


@pytest.mark.parametrize("name", ["ACME_KEY", "auth", "hmac_salt"])
def test_a_name_that_may(name: str) -> None:
    assert sensitivity(name) == WEAK


def test_a_hostile_name_is_none() -> None:
    assert sensitivity("password" * 1000) == NONE
    assert sensitivity("") == NONE
