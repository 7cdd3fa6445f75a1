"""What a cell of a table says: a name, a whole number, yes or no, in whatever way a spreadsheet or a person writes
it."""

import re
import unicodedata

# What Excel, LibreOffice and Google Sheets write for TRUE and FALSE in each language, then what people write for yes
# and no.
WORDS = """
English     TRUE / FALSE            yes y x ok ✓ ✔ ☑ / no n - – — ☐
German      WAHR / FALSCH           ja j / nein
French      VRAI / FAUX             oui / non
Italian     VERO / FALSO            sì / no
Spanish     VERDADERO / FALSO       sí s / no
Portuguese  VERDADEIRO / FALSO      sim / não
Catalan     CERT VERITABLE / FALS   sí / no
Romanian    ADEVĂRAT / FALS         da / nu
Dutch       WAAR / ONWAAR           ja / nee
Swedish     SANT / FALSKT           ja / nej
Danish      SAND SANDT / FALSK      ja / nej
Norwegian   SANN / USANN            ja / nei
Finnish     TOSI / EPÄTOSI          kyllä / ei
Estonian    TÕENE / VÄÄR            jah / ei
Latvian     PATIESS / APLAMS        jā / nē
Lithuanian  TIESA / MELAS           taip / ne
Polish      PRAWDA / FAŁSZ          tak / nie
Czech       PRAVDA / NEPRAVDA       ano / ne
Slovenian   RESNICA / NERESNICA     da / ne
Croatian    ISTINA / NEISTINA       da / ne
Hungarian   IGAZ / HAMIS            igen / nem
Turkish     DOĞRU / YANLIŞ yanlış   evet / hayır HAYIR
Basque      EGIA / GEZURRA          bai / ez
Greek       ΑΛΗΘΕΣ ΑΛΗΘΗΣ ΑΛΗΘΙΝΟ / ΨΕΥΔΕΣ ΨΕΥΔΗΣ   ναι / όχι
Russian     ИСТИНА / ЛОЖЬ           да / нет
Ukrainian   ІСТИНА / ХИБНІСТЬ ХИБНЕ   так / ні
Bulgarian   ИСТИНА / ЛЪЖА           да / не
Indonesian  BENAR / SALAH           ya / tidak
Vietnamese  ĐÚNG / SAI              có / không
Chinese     真 / 假                 是 / 否
Japanese    真 / 偽                 はい / いいえ
Korean      참 / 거짓               예 / 아니오
"""  # noqa: RUF001
PLAIN = dict.fromkeys(map(ord, "\u2212\u2012\u2013\ufe63\uff0d"), "-") | {
    0xFF10 + digit: str(digit) for digit in range(10)
}


def folded(text: str) -> str:
    """Return a name without case, accents, spaces and punctuation; a mark by itself stays."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum()) or text.strip()


def _truths() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words for yes and for no."""
    yes, no = set[str](), set[str]()
    for line in WORDS.strip().splitlines():
        for pair in re.split(r"\s{2,}", line)[1:]:
            for words, said in zip(pair.split(" / "), (yes, no), strict=True):
                said |= set(map(folded, words.split()))
    return frozenset(yes), frozenset(no)


YES, NO = _truths()


def whole(text: str) -> int | None:
    """Return the whole number that a cell holds: 2, 2.0, 2,0, −2, 1 000, 1.000.000; None for anything else, and for
    1.000.

    That one is a thousand in some countries and one in others.
    """
    joined = re.sub(r"(?<=[0-9])[\s'’](?=[0-9]{3}(?![0-9]))", "", text.strip().translate(PLAIN))
    found = re.fullmatch(r"([+-]?)([0-9][0-9.,]*)", joined)
    if found is None:
        return None
    digits, marks = found[2], re.findall("[.,]", found[2])
    if len(marks) == 1 or len(set(marks)) > 1:  # what stands behind the last mark is a fraction
        digits, _, fraction = digits.rpartition(marks[-1])
        if fraction.strip("0"):
            return None
        if len(marks) == 1 and len(fraction) == 3 and re.fullmatch("[1-9][0-9]{0,2}", digits):
            return None
    if not re.fullmatch(r"[0-9]{1,30}|[0-9]{1,3}([.,])[0-9]{3}(\1[0-9]{3})*", digits):
        return None
    return int(found[1] + re.sub("[.,]", "", digits))


def truth(text: str) -> bool | None:
    """Return whether a cell says yes or no: a word, a mark, 1 or 0; None if it says neither."""
    word, number = folded(text), whole(text)
    if word in YES or number == 1:
        return True
    return False if word in NO or number == 0 else None
