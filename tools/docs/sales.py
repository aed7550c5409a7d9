"""An export of sales, which pages and tests read: a CSV file, and what each of its columns is.

To have the file: ``python -m tools.docs.sales sales.csv``.
"""

import csv
import io
import random
import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

#: A value: a number, a day, a moment without a zone, words, or None where it is missing.
Cell = float | date | datetime | str | None


class Expected(NamedTuple):
    """What a column is to be read as."""

    kind: str
    role: str


#: Every column of the file: its kind, and its role where nothing is asked for.
SALES = {
    "order_id": Expected("sym", "meta"),  # SO-100001: names the row
    "order_date": Expected("time", "x"),  # 2024-03-31
    "shipped_at": Expected("time", "x"),  # 2024-04-02 14:05:00, or missing
    "customer_email": Expected("sym", "meta"),  # nearly every one another
    "customer_phone": Expected("sym", "meta"),  # +4915112345678: the plus counts
    "postcode": Expected("sym", "x"),  # 01067: the zero counts
    "country": Expected("sym", "x"),  # NA is Namibia
    "channel": Expected("sym", "x"),
    "quantity": Expected("num", "x"),
    "unit_price": Expected("num", "x"),  # $1,694.08
    "discount": Expected("num", "x"),  # 10%, which is 0.1
    "revenue": Expected("num", "x"),  # $15,246.72, or ($120.00) for a refund
    "weight": Expected("num", "x"),  # 1.5 kg
    "gift": Expected("sym", "x"),  # yes, no
    "returned": Expected("sym", "x"),  # 0, 1
    "rating": Expected("num", "x"),  # 1 to 5, or N/A
    "comment": Expected("text", "x"),
}

COUNTRIES = ("DE", "FR", "US", "JP", "NA", "GB")
CHANNELS = ("shop", "web", "phone", "partner")
REMARKS = (
    "Please leave it at the door, the bell is broken.",
    'Marked "fragile", and arrived in one piece.',
    "Second order this month; same address as before.",
    "The colour is not the one in the catalogue.",
)


def sales(rows: int = 3000, seed: int = 1) -> tuple[bytes, dict[str, list[Cell]]]:
    """A file of so many rows, and the values of its columns by their names.

    >>> content, cells = sales(2)
    >>> cells["order_id"]
    ['SO-100001', 'SO-100002']
    >>> content.decode().splitlines()[1].split(",")[:3]
    ['SO-100001', '2023-05-18', '2023-05-21 05:42:00']
    """
    rng = random.Random(seed)  # noqa: S311 - no secrets
    orders = [_order(rng, 100_001 + i) for i in range(rows)]
    out = io.StringIO(newline="")
    sheet = csv.writer(out, lineterminator="\n")
    sheet.writerow(SALES)
    sheet.writerows([text for _, text in order] for order in orders)
    cells = {name: [order[j][0] for order in orders] for j, name in enumerate(SALES)}
    return out.getvalue().encode(), cells


def _order(rng: random.Random, number: int) -> list[tuple[Cell, str]]:
    """The cells of an order, each with its spelling."""
    day = date(2023, 1, 1) + timedelta(days=rng.randrange(731))
    shipped = datetime.combine(day, time()) + timedelta(minutes=rng.randrange(7200))
    quantity = rng.randrange(1, 12)
    price = Decimal(rng.randrange(100, 200_000)) / 100
    discount = rng.choice([0, 0, 0, 5, 10, 15, 25])
    revenue = (price * quantity * (100 - discount) / 100).quantize(Decimal("0.01"))
    returned = rng.random() < 0.1 + discount / 200
    refunded = returned and rng.random() < 0.5
    weight = Decimal(rng.randrange(1, 400)) / 10
    rating = None if rng.random() < 0.3 else rng.randrange(1, 6)
    return [
        _same(f"SO-{number}"),
        (day, day.isoformat()),
        (None, "") if rng.random() < 0.1 else (shipped, shipped.isoformat(" ")),
        _same(f"customer{rng.randrange(10**6):06}@example.com"),
        _same(f"+49{rng.randrange(15 * 10**8, 18 * 10**8)}"),
        _same(f"{rng.randrange(1, 300) * 331:05}"),
        _same(rng.choice(COUNTRIES)),
        _same(rng.choice(CHANNELS)),
        (float(quantity), str(quantity)),
        (float(price), f"${price:,.2f}"),
        (float(Decimal(discount) / 100), f"{discount}%"),
        (-float(revenue), f"(${revenue:,.2f})") if refunded else (float(revenue), f"${revenue:,}"),
        (float(weight), f"{weight} kg"),
        _same(rng.choice(["yes", "no", "no", "no"])),
        _same("1" if returned else "0"),
        (None, "N/A") if rating is None else (float(rating), str(rating)),
        _same(f"{rng.choice(REMARKS)} {rng.choice(REMARKS)} Case {rng.randrange(10**6)}."),
    ]


def _same(text: str) -> tuple[Cell, str]:
    return text, text


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(sales()[0])
