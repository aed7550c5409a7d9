"""Units and currencies that people write beside numbers."""

_CURRENCIES = """
$ € £ ¥ ₹ ₩ ₽ ₺ ₴ ₪ ₫ ฿ ₦ ₱ US$ USD EUR GBP JPY CHF CNY INR BRL R$ CAD C$ AUD A$ NZD NZ$ SEK NOK
DKK kr kr. PLN zł CZK Kč HUF Ft RUB TRY KRW MXN MX$ ZAR SGD S$ HKD HK$ ILS RON lei UAH THB Fr. SFr.
Rs Rs. 円 元 원 Euro Dollar
"""
_UNITS = """
% ‰ kg g mg µg t lb lbs oz km m cm mm µm nm mi ft in yd m² m2 km² ha m³ m3 l L ml mL cl dl gal s sec
ms min h hr hrs d days day years yrs months weeks °C °F ° K W kW MW kWh MWh J kJ cal kcal V A Hz kHz
MHz GHz B kB KB MB GB TB km/h kmh mph m/s bar Pa hPa kPa mmHg bpm pcs Stk Stk. px pt dB ppm 個 台
回 件 人 名 枚 本 冊 歳 泊 szt szt. ks ans Jahre Tage Std Std. godz godz.
"""

#: Signs and codes of currencies, which stand before or behind a number.
CURRENCIES = frozenset(_CURRENCIES.split())

#: Units, which stand behind a number, with or without a blank.
UNITS = frozenset(_UNITS.split())
