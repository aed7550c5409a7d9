"""Locales: how numbers, months, flags and words are written in offices somewhere."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Locale:
    """How numbers, months and flags are written somewhere."""

    code: str
    decimal: str
    thousands: str
    money: tuple[str, ...]
    months: tuple[str, ...]
    flags: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    names: dict[str, str]
    total: str
    title: str


def _months(text):
    return tuple(text.split())


EN = Locale(
    "en",
    ".",
    ",",
    ("${}", "£{}", "USD {}", "{} USD"),
    _months(
        "January February March April May June July August September October November December"
    ),
    (("yes", "no"), ("Y", "N"), ("true", "false"), ("TRUE", "FALSE")),
    ("north", "south", "east", "west"),
    {
        "date": "Order date", "number": "Weight", "money": "Unit price", "percent": "Discount",
        "unit": "Length", "flag": "Gift", "bit": "Returned", "code": "Customer no",
        "phone": "Phone", "word": "Region", "country": "Country", "text": "Remark",
        "count": "Quantity", "stock": "Stock",
    },
    "Total",
    "Sales report 2024",
)  # fmt: skip
DE = Locale(
    "de",
    ",",
    ".",
    ("{} €", "€ {}", "{} EUR"),
    _months("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    (("ja", "nein"), ("Ja", "Nein"), ("wahr", "falsch")),
    ("Köln", "München", "Straße", "Öl"),
    {
        "date": "Bestelldatum", "number": "Gewicht", "money": "Stückpreis", "percent": "Rabatt",
        "unit": "Länge", "flag": "Geschenk", "bit": "Zurück", "code": "Kundennr",
        "phone": "Telefon", "word": "Bezirk", "country": "Land", "text": "Bemerkung",
        "count": "Menge", "stock": "Bestand",
    },
    "Summe",
    "Umsätze 2024",
)  # fmt: skip
FR = Locale(
    "fr",
    ",",
    "\u202f",
    ("{}\u00a0€", "{} EUR"),
    _months("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    (("oui", "non"), ("Oui", "Non"), ("vrai", "faux")),
    ("Orléans", "Nîmes", "Besançon", "Lyon"),
    {
        "date": "Commandé le", "number": "Poids", "money": "Prix unitaire", "percent": "Remise",
        "unit": "Longueur", "flag": "Cadeau", "bit": "Retourné", "code": "N° client",
        "phone": "Téléphone", "word": "Région", "country": "Pays", "text": "Remarque",
        "count": "Quantité", "stock": "Réserve",
    },
    "Total général",
    "Relevé des ventes 2024",
)  # fmt: skip
JA = Locale(
    "ja",
    ".",
    ",",
    ("¥{}", "{}円", "JPY {}"),
    (),
    (("はい", "いいえ"), ("有", "無"), ("○", "×")),  # noqa: RUF001 - a circle and a cross
    ("東京", "大阪", "京都", "札幌"),
    {
        "date": "注文日", "number": "重量", "money": "単価", "percent": "割引",
        "unit": "長さ", "flag": "贈答", "bit": "返品", "code": "顧客番号",
        "phone": "電話", "word": "地域", "country": "国", "text": "備考",
        "count": "数量", "stock": "在庫",
    },
    "合計",
    "売上報告 2024",
)  # fmt: skip
#: French with the blanks that keyboards have, and Swiss German.
FR_PLAIN = replace(FR, thousands=" ", money=("{} €",))
FR_FIXED = replace(FR, thousands="\u00a0")
CH = replace(DE, decimal=".", thousands="'", money=("CHF {}", "{} CHF", "Fr. {}"))
LOCALES = (EN, DE, FR, JA, CH, FR_PLAIN, FR_FIXED)
