"""Texts for people that stand where a secret would: what forms call a password in many languages.

A file of translations has `user.apikey=API-Schlüssel`: the name of a field, and what people read
there. Such a text is made of words for secrets and of what goes with them, and of nothing else.
"""

# ruff: noqa: RUF001 (letters of other alphabets are meant)
from __future__ import annotations

import re

LONGEST = 64  # characters of a label

# What a form may ask for; as written, without the accents that do not change the word.
_NOUNS = frozenset(
    "passwort kennwort passphrase kennsatz geheimnis schlüssel schluessel geheimschlüssel "
    "token zugangsdaten anmeldedaten anmeldeinformationen zugangsschlüssel passe clé cle clef "
    "jeton secret identifiants contraseña contrasena clave secreto ficha credenciales senha "
    "chave segredo credenciais wachtwoord wachtwoordzin sleutel geheim referenties "
    "inloggegevens toegangscode hasło haslo klucz sekret żeton poświadczenia heslo klíč klic "
    "tajemství kľúč tajomstvo parola chiave segreto credenziali gettone lösenord losenord "
    "lösenfras nyckel hemlighet autentiseringsuppgifter adgangskode adgangsnøgle nøgle "
    "hemmelighed legitimationsoplysninger passord nøkkel hemmelighet legitimasjon salasana "
    "avain salaisuus tunnus tunniste valtuus jelszó jelszo kulcs titok hitelesítő şifre sifre "
    "anahtar sır gizli parolă cheie secretă secretul jetonul lozinka ključ tajna geslo "
    "skrivnost parool võti saladus parole atslēga noslēpums slaptažodis raktas paslaptis "
    "lykilorð sandi kunci rahasia khẩu khóa password credentials key keys tokens passkey "
    "passcode pin otp".split()
)
# What stands beside such a noun, and the names of techniques.
_BESIDE = frozenset(
    "api app web ssh gpg pgp oauth jwt ssl tls http https client server admin root id url bot "
    "ci db sql smtp imap ftp vpn wifi wlan lan mot de d du des la le les l el los las del do "
    "da das dos di della dell il lo der die den dem ein eine ihr ihre dein deine mein meine "
    "und oder zum zur für von het een uw je van voor en y e o a et ou nouveau nouvelle actuel "
    "ancien confirmer confirmation répéter votre ton mon utilisateur compte base données "
    "secrète privée privé accès acces session chiffrement signature neues neuer neue altes "
    "alter alte aktuelles aktueller aktuelle wiederholen bestätigen bestaetigen bestätigung "
    "bestaetigung eingeben vergessen ändern aendern zurücksetzen geheimer geheime geheimes "
    "geheimen privater nueva nuevo actual anterior confirmar repetir su tu mi usuario cuenta "
    "datos secreta privada acceso sesión nova novo atual antiga sua seu meu acesso sessão "
    "conta dados secreto nieuw nieuwe oud oude huidig huidige bevestigen bevestig herhaal "
    "herhalen toegang nowe nowy stare obecne potwierdź powtórz dostępu tajny tajne prywatny "
    "nové staré aktuální potvrdit potvrzení přístupu soukromý nuova vecchia attuale conferma "
    "ripeti tua segreta privata accesso nytt gammalt nuvarande bekräfta upprepa privat ny nyt "
    "gammelt nuværende bekræft gentag nåværende bekreft gjenta uusi vanha nykyinen vahvista "
    "toista salainen yksityinen új régi jelenlegi megerősítése titkos privát yeni eski mevcut "
    "erişim anahtarı şifresi tekrar onayla nouă veche actuală confirmați stara trenutna "
    "potvrdi kata mật bí truy cập enter your new old current confirm repeat the copy show "
    "hide access refresh user account master login security".split()
)
# The first half of what some languages write in one word.
_COMPOUND = re.compile(
    r"(?:api|zugriffs|zugangs|aktualisierungs|sitzungs|sicherheits|benutzer|datenbank|haupt|master"
    r"|wiederherstellungs|verschlüsselungs|verschluesselungs|geheim|privat|toegangs|vernieuwings"
    r"|sessie|beveiligings|gebruikers|åtkomst|adgangs|tilgangs|huvud|hoved|käyttö|api-|client|app"
    r"|anmelde|authentifizierungs|autorisierungs|bestätigungs|rücksetz|admin|bot|web)"
    r"s?(?:passwort|kennwort|schlüssel|schluessel|token|geheimnis|code|sleutel|wachtwoord|nyckel"
    r"|nøgle|nøkkel|lösenord|avain|daten|jelszó|kulcs|anahtarı)s?"
)
# Of scripts that are written without blanks, or bend their words: what any such text holds.
_STEMS = re.compile(
    "парол|ключ|токен|секрет|жетон|лозинк|таен|реквизит|учётн|учетн|доступ"
    "|κωδικ|κλειδ|μυστικ|συνθηματικ|διακριτικ"
    "|密码|密碼|口令|密钥|密鑰|金鑰|令牌|权杖|權杖|凭证|憑證|凭据|秘密|机密|機密|パスワード|暗証|トークン|キー|シークレット"
    "|資格情報|認証|鍵|비밀|암호|토큰|키|시크릿|자격"
    "|סיסמ|מפתח|אסימון|סוד|كلمة|مرور|مفتاح|رمز|سر|رمز عبور|کلید|گذرواژه|توکن"
    "|รหัส|โทเค็น|คีย์|กุญแจ|पासवर्ड|कुंजी|टोकन|पासफ़्रेज़|গোপন|পাসওয়ার্ড"
)
_APART = re.compile(r"[\s_'’/:*()…?.-]+")
_TECHNICAL = re.compile(r"[A-Z][A-Za-z]{1,7}")


def is_label(value: str) -> bool:
    """Whether that is the name of a field for people; never a plain word in small letters, which
    people take for a password."""
    if len(value) > LONGEST or any(char.isdigit() for char in value):
        return False
    if value.isascii():
        if value.islower() and value.isalpha():
            return False
    elif _STEMS.search(value.lower()) is not None:
        return _is_foreign(value)
    words = [word for word in _APART.split(value) if word]
    lowered = [word.lower() for word in words]
    if not all(word in _NOUNS or word in _BESIDE or _is_compound(word) for word in lowered):
        return False
    if len(words) == 1 and value.isascii() and value in ("Geheim", "Parola", "Haslo", "Salasana"):
        return False
    return any(word in _NOUNS or _is_compound(word) for word in lowered)


def _is_compound(word: str) -> bool:
    return _COMPOUND.fullmatch(word) is not None


def _is_foreign(value: str) -> bool:
    """Letters of another script, beside which no more than names of techniques stand."""
    for word in _APART.split(value):
        if word.isascii() and word and _TECHNICAL.fullmatch(word) is None:
            return False
    return all(char.isalpha() or not char.isascii() or _APART.match(char) for char in value)
