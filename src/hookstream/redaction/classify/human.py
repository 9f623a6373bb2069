"""Passwords that people think up: plain words, phrases, words with a year or a sign."""

from __future__ import annotations

import re
from itertools import pairwise

from hookstream.redaction.classify.code import COMMON, is_code
from hookstream.redaction.classify.gibberish import is_gibberish

# The words that lists of leaked passwords have most often, without the digits behind them.
_WEAK = frozenset(
    "hunter letmein letmeout opensesame sesame trustno sunshine moonlight starlight dragon "
    "dragonfly monkey football baseball basketball soccer hockey swordfish iloveyou princess "
    "shadowfax superman batman spiderman pokemon naruto starwars startrek jedi yoda "
    "qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx abcdef abcd "
    "welcome willkommen bienvenue bienvenido benvenuto michael jordan jennifer jessica "
    "ashley daniel andrew thomas robert charlie george william harley ranger buster tigger "
    "pepper ginger bailey maggie snoopy garfield scooby mickey donald mustang corvette "
    "ferrari porsche mercedes yankees cowboys lakers eagles chelsea arsenal liverpool barcelona "
    "realmadrid juventus bayern schalke butterfly rainbow unicorn chocolate banana cheese "
    "orange purple summer winter spring autumn herbst sommer fruehling freedom whatever "
    "killer hannah phoenix thunder diamond "
    "falcon tiger lion panther wolverine bluebird blackbird nightingale winterfell "
    "gandalf frodo bilbo hobbit mordor merlin excalibur hogwarts voldemort dumbledore slipknot "
    "metallica nirvana ironmaiden blink beatles elvis secretsauce supersecret topsecret "
    "correcthorse correcthorsebattery correcthorsebatterystaple batterystaple passwort "
    "geheim schatz hallo hallowelt lassmichrein motdepasse soleil doudou chouchou marseille "
    "loulou azertyuiop teamo teodio contrasenia hola amorcito estrella mariposa fantasma "
    "cazzo ciaociao juventus forzamilan saopaulo flamengo corinthians brasil amor "
    "wachtwoord geheimpje hejhej sommar lozenord salasana haslo polska kochamcie heslo "
    "changeit changemenow letmein1now passpass passme testtest adminadmin rootroot toor "
    "sysadmin rootme sexy babygirl lovely cutie bubbles peanut "
    "mercury jupiter saturn neptune galaxy cosmos rocket apollo tarzan zorro ninja samurai "
    "dolphin penguin panda koala giraffe elephant kitten puppy doggie rover fido whiskers "
    "trinity blessed jesus heaven angels faith gospel harvest warrior legend "
    "qwert asdf poiuy mnbvc onetwothree abracadabra alibaba ninjago minecraft fortnite "
    "zaq wsx xsw nimda drowssap terces pa passwd".split()
)
# What is said of a password, and is none: the ends of such words, then the words.
_SAID_ENDS = (
    "ed", "ing", "able", "ible", "ive", "ory", "ary", "ent", "ant", "ful", "less", "ous", "ly",
    "tion", "sion", "ment", "ness", "ity", "ism", "ist", "ized", "ised", "lich", "bar", "ung",
    "haft", "sam", "los", "iert", "ada", "ado", "ida", "ido", "cta", "cto", "oria", "orio",
    "aire", "oire", "ique", "eur", "euse", "able", "ire", "atoria", "ario", "aria", "isch",
    "ig", "ossa", "oso", "osa", "ale", "ible", "ido", "uta", "uto", "ata", "ato",
)  # fmt: skip
_SAID = frozenset(
    "weak strong short long empty blank correct incorrect wrong valid invalid good great fine okay "
    "same secure insecure safe unsafe public private known unknown unique simple complex easy hard "
    "dead gone ready next here there below above inside outside behind under over again still "
    "also always never only just very quite rather really already almost maybe perhaps probably "
    "optional mandatory sensitive plain plaintext cleartext bcrypt scrypt argon sha base hash "
    "hashes salted input output number letters digits symbols symbol length least most more less "
    "longer shorter stronger weaker older newer oldest newest first second third last between "
    "before after since until while during without within through because though although "
    "however therefore instead either neither both each every other another such these those "
    "they them their there what which who whose whom where when why how something anything "
    "nothing everything someone anyone nobody everybody mine yours ours theirs myself yourself "
    "right left true false null none nil undefined missing stale rotten broken leaked hunted "
    "secret hidden visible readable writable local global remote internal external managed "
    "manual automatic dynamic static generic specific special normal standard custom basic "
    "human machine system server client database email phone address account profile settings "
    "login logout signin signup register submit cancel confirm verify update create delete "
    "remove insert select change changes rotate reset recover restore backup export import "
    "please sorry thanks thank hello goodbye welcome dear kindly note notice warning caution "
    "attention important advice security policy strength manager protection recovery rotation "
    "username userid nickname forename surname firstname lastname fullname company project "
    "gone lost found stolen reused common guessable crackable alphanumeric numeric ascii unicode "
    "utf hexadecimal binary octal decimal integer boolean string object array function method "
    "class module package variable constant parameter argument option value values field fields "
    "column row table index query request response header body payload session cookie token "
    "provided given chosen taken shown written typed sent kept held built bound read set put "
    "falsch richtig korrekt leer gleich neu alt kurz lang schwach stark sicher unsicher bekannt "
    "unbekannt siehe steht liegt fehlt nicht kein keine leider noch schon immer wieder bitte "
    "vergessen geheim gesperrt gesetzt optional pflicht pflichtfeld zwingend dort hier unten oben "
    "correcta correcto incorrecta vacia debil fuerte corta larga nueva vieja igual segura aqui "
    "siempre nunca falta ver olvidada otra misma esta este para debe tiene "
    "vide faible forte court courte longue nouveau ancien identique requis trop incorrecte "
    "oublie expire perdu valide invalide voir dans toujours jamais ici sous votre notre doit "
    "vazia fraca forte curta longa nova velha errada certa igual segura aqui sempre nunca "
    "vuota debole corta lunga nuova vecchia errata giusta sbagliata qui sempre mai leeg fout "
    "erforderlich obligatoire obligatoria obligatorio requerida requerido notwendig "
    "benoetigt abgelaufen "
    "juist zwak sterk kort lang nieuw oud hier altijd nooit verplicht vereist onjuist".split()
)
# Words of which names in programs and keys of translations are put together.
_CODE = frozenset(
    "app user users auth login form forms field fields label title error errors message messages "
    "button page pages view views model models service services config configuration setting "
    "settings env common core main index item items data list map name names type types value "
    "values key keys id ids api url uri path file files dir src lib test tests spec mock new old "
    "get set is has on to from by with for the and or not no of in at as it reset change update "
    "create delete add remove forgot confirm validation validator required invalid missing "
    "wrong placeholder hint help text desc description password passwords passwd pass pwd "
    "secret secrets token tokens credential credentials admin account profile db database sql "
    "server client host port http https request response body header headers session cookie "
    "string str int bool num count size length max min default prod dev stage staging local "
    "com org net io www example internal corp company domain email mail phone address hash "
    "hashed salt encrypted plain raw generated random manager store vault kms aws gcp azure "
    "arn ref input output param params arg args option options opt prop props state store "
    "this self super cls ctx context event events handler module modules package packages util "
    "utils helper helpers factory builder provider providers resource resources template "
    "templates schema table column row node tree root parent child left right top bottom "
    "first last next prev current total sum avg log logs logger debug info warn trace status "
    "code result results success failure failed ok done start stop end begin open close read "
    "write load save fetch send receive post put patch parse format encode decode encrypt "
    "decrypt sign verify check validate group groups role roles team org project projects "
    "ssl tls certificate cert certs location keystore truststore registry property properties "
    "image images icon color colour style theme font width height margin border align text "
    "date day month year hour minute second zone locale lang language country region city "
    "spring datasource hibernate jdbc java python node react vue kubernetes docker helm chart "
    "security policy policies rule rules rotation expiry time date timeout retry limit".split()
)
_PARTS = re.compile(
    r"[A-Za-z][a-z]{2,11}([-_. ])[A-Za-z][a-z]{2,11}(?:\1[A-Za-z][a-z]{2,11}){1,10}"
)
_STAGE = re.compile(r"[A-Za-z]{4,16}[-_.](?:prod|dev|stage|staging|live|local|test|qa|root|admin)")
_NUMBERED = re.compile(r"([A-Za-z]{2,32}?)(?:[-_.!@#$*]?[0-9]{0,6}[!?.*#$]{0,3})")


def is_weak(value: str) -> bool:
    """A word of the lists of leaked passwords, perhaps with digits behind it."""
    found = _NUMBERED.fullmatch(value)
    if found is None or found[1].lower() not in _WEAK:
        return False
    return len(found[1]) < len(value) or found[1].lower() not in _SAID


def is_phrase(value: str) -> bool:
    """Words joined by one sign, none of which programs or sentences are made of: three or more,
    four where capitals or blanks could make it a title."""
    found = _PARTS.fullmatch(value)
    if found is None or not (value == value.lower() or value.title() == value):
        return False
    words = value.lower().split(found[1])
    least = 3 if value == value.lower() and found[1] != " " else 4
    return len(set(words)) >= least and not any(
        word in _CODE or word in _SAID or word in COMMON for word in words
    )


def is_human_password(value: str) -> bool:
    """A weak word, a phrase, a word with a year or the name of a stage, letters out of order."""
    return (
        is_weak(value)
        or is_phrase(value)
        or (value[:1].isupper() and _STAGE.fullmatch(value) is not None)
        or is_ragged(value)
        or is_numbered_words(value)
        or is_leetspeak(value)
        or is_gibberish(value)
        or is_generated(value)
    )


_SIGNS = frozenset("!@#$%^&*()[]{}<>?|~+;=`\"'\\")


def is_generated(value: str) -> bool:
    """`R5Q)$17wF()YP`: digits, both cases and signs, and less than half of it in syllables."""
    if not 8 <= len(value) <= 128 or " " in value or not _SIGNS.intersection(value[1:-1]):
        return False
    if not any(map(str.isdigit, value)) or value.lower() == value or value.upper() == value:
        return False
    letters = sum(map(str.isalpha, value))
    humps = (hump for hump in _HUMPS.findall(value) if len(hump) > 3)
    spoken = sum(len(hump) for hump in humps if _VOWELS.intersection(hump))
    return spoken * 2 <= letters and not is_code(value, whole=True)


_WORDS = re.compile(r"[A-Za-z]{2,16}(?:[-_.@#]?[A-Za-z]{2,16}){0,3}[-_.@#!]?[0-9]{1,4}[!?#.]{0,2}")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# What has a number behind it and is none that people choose.
_COUNTED = frozenset(
    "sha md utf base hs rs es ps argon bcrypt scrypt pbkdf oauth http tls ssl x ipv python node "
    "ruby php go rust vue react angular step line chapter section part figure level phase stage "
    "issue bug ticket task case sprint week release rc alpha beta build port area bit bits byte "
    "bytes char chars digit digits minute minutes day days second seconds hour hours "
    "ubuntu debian postgres mysql windows web var arg param col row item page tab slot disk eth "
    "sda attempt try round part step phase uint int float rev ver version ed ecdsa secp curve aes "
    "des rsa dsa crc adler md hmac ec".split()
)


def is_numbered_words(value: str) -> bool:
    """`martin_2015`, `orbit-staple76`: words with a number behind them, no step and no version."""
    if len(value) < 6 or _WORDS.fullmatch(value) is None:
        return False
    words = [word.lower() for word in _HUMP.findall(value)]
    if any(word in _COUNTED or word in _SAID for word in words):
        return False
    return not all(word in _CODE or len(word) < 3 for word in words)


_RESPELT = str.maketrans("013457@$", "oleastas")
_SPELT = (
    "pass secret admin root let welcome hello login secure master super dragon monkey word qwert "
    "trouba summer winter love geheim hack power king queen star".split()
)


def is_leetspeak(value: str) -> bool:
    """`p4ssw0rd!`, `r00t@dm1n`: a common word with signs and digits for letters."""
    if len(value) < 6 or not any(char in "013457@$" for char in value[1:-1]):
        return False
    plain = value.lower().translate(_RESPELT)
    at = next((plain.find(word) for word in _SPELT if word in plain), -1)
    if at < 0:
        return False
    word = next(word for word in _SPELT if word in plain)
    return value[at : at + len(word)].lower() != word  # it is not spelt so as it stands


def is_word_of_code(value: str) -> bool:
    """A word of which names in programs are put together: `handler`."""
    return value.lower() in _CODE


_JOINED = re.compile(r"(?:[A-Z][a-z]{2,11}){2,3}[!?#]{0,2}")
_KINDS_OF_CODE = frozenset(
    "char text spec access bearer basic digest oauth input hidden annotated required optional "
    "reader writer encoder decoder generator options type class function component control node "
    "expression statement token kind sequence dialog screen widget activity fragment query".split()
)


def is_joined_words(value: str) -> bool:
    """`MapleHarbor!`: capital words joined, none of which programs are made of."""
    if _JOINED.fullmatch(value) is None:
        return False
    words = [word.lower() for word in _HUMP.findall(value)]
    return not any(word in _CODE or word in _SAID or word in _KINDS_OF_CODE for word in words)


_KINDS = str.maketrans("_-", "..")


def is_ragged(value: str) -> bool:
    """`giQEqTjNiY`, `j5I.okeGCgRuXf`: no name in a program changes case so often."""
    plain = value.translate(_KINDS).replace(".", "")
    if not plain.isalnum() or not plain.isascii() or plain in (plain.lower(), plain.upper()):
        return False
    kinds = [0 if char.isdigit() else 1 if char.isupper() else 2 for char in plain]
    changes = sum(a != b for a, b in pairwise(kinds))
    if plain.isalpha():
        return len(plain) >= 8 and (changes * 2 >= len(plain) or _is_unspeakable(plain))
    return len(plain) >= 10 and changes * 5 >= len(plain) * 2


_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def _is_unspeakable(value: str) -> bool:
    """`opMckttQJv`: half of it and more is in humps that are no syllables."""
    humps = [found[0] for found in _HUMPS.finditer(value)]
    odd = sum(len(hump) for hump in humps if len(hump) < 3 or not _VOWELS.intersection(hump))
    return len(humps) > 2 and odd * 2 >= len(value)


_VOWELS = frozenset("aeiouyAEIOUY")


def describes_passwords(value: str) -> bool:
    """A word that one says of a password: `weak`, `erforderlich`."""
    return value.lower() in _SAID


def is_plain_word(value: str) -> bool:
    """A plain word that ends what is said of a password, and is nothing that one says of it."""
    if is_joined_words(value):
        return True
    if not value.isalpha() or not value.isascii() or len(value) < 6 or value != value.lower():
        return False
    return value not in _SAID and not value.endswith(_SAID_ENDS) and not is_code(value)
