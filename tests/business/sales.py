"""An export of sales: the bytes of a CSV file, and what each of its columns is."""

import csv
import io
import random
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple


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
    "customer_phone": Expected("sym", "meta"),  # +4915112345678
    "postcode": Expected("sym", "x"),  # 01067: the zero counts
    "country": Expected("sym", "x"),  # NA is Namibia
    "channel": Expected("sym", "x"),
    "quantity": Expected("num", "x"),
    "unit_price": Expected("num", "x"),  # $1,694.08
    "discount": Expected("num", "x"),  # 10%: 0.1
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


def sales(rows=3000, seed=1):
    """The bytes of a file of so many rows, and the values of its columns by their names.

    Values are floats, dates and datetimes without a zone, strings, or None where one is missing.
    """
    rng = random.Random(seed)
    records = [_order(rng, i) for i in range(rows)]
    out = io.StringIO(newline="")
    sheet = csv.writer(out, lineterminator="\n")
    sheet.writerow(SALES)
    sheet.writerows([text for _, text in record] for record in records)
    columns = zip(*records, strict=True)
    cells = {
        name: [cell for cell, _ in column] for name, column in zip(SALES, columns, strict=True)
    }
    return out.getvalue().encode(), cells


def _order(rng, i):
    """The cells of an order, each with its spelling."""
    from datetime import datetime

    day = date(2023, 1, 1) + timedelta(days=rng.randrange(731))
    shipped = datetime(day.year, day.month, day.day) + timedelta(minutes=rng.randrange(7200))  # noqa: DTZ001
    quantity = rng.randrange(1, 12)
    price = Decimal(rng.randrange(100, 200_000)) / 100
    discount = rng.choice([0, 0, 0, 5, 10, 15, 25])
    revenue = (price * quantity * (100 - discount) / 100).quantize(Decimal("0.01"))
    returned = rng.random() < 0.1 + discount / 200
    refund = returned and rng.random() < 0.5
    weight = Decimal(rng.randrange(1, 400)) / 10
    rating = None if rng.random() < 0.3 else rng.randrange(1, 6)
    late = rng.random() < 0.1
    return [
        _same(f"SO-{100_001 + i}"),
        (day, day.isoformat()),
        (None, "") if late else (shipped, shipped.isoformat(" ")),
        _same(f"customer{rng.randrange(10**6):06}@example.com"),
        _same(f"+49{rng.randrange(15 * 10**8, 18 * 10**8)}"),
        _same(f"{rng.randrange(1000, 99_999):05}"),
        _same(rng.choice(COUNTRIES)),
        _same(rng.choice(CHANNELS)),
        (float(quantity), str(quantity)),
        (float(price), f"${price:,.2f}"),
        (float(Decimal(discount) / 100), f"{discount}%"),
        (-float(revenue), f"(${revenue:,.2f})") if refund else (float(revenue), f"${revenue:,.2f}"),
        (float(weight), f"{weight} kg"),
        _same(rng.choice(["yes", "no", "no", "no"])),
        _same("1" if returned else "0"),
        (None, "N/A") if rating is None else (float(rating), str(rating)),
        _same(f"{rng.choice(REMARKS)} {rng.choice(REMARKS)} ({i + 1})"),
    ]


def _same(text):
    return text, text
