#!/usr/bin/env python3
"""letters.py > letters.txt: how often letters beyond ASCII stand in names, and beside which.

The names are those of Faker (Debian: python3-fake-factory), every language of a group
with equal weight. A line is: group, letter, level of the letter's share of the group's
letters beyond ASCII, levels of the letters before it, of those after it. A level is
round(-2 ln p), at most 35, as one digit of base 36; ^ is the start or end of a word.
"""
import collections
import importlib
import math

GROUPS = {
    "west": "de_DE de_AT fr_FR es_ES es_MX it_IT pt_PT pt_BR sv_SE no_NO dk_DK fi_FI nl_NL et_EE",
    "central": "pl_PL cs_CZ hu_HU hr_HR sl_SI ro_RO",
    "turkish": "tr_TR",
    "baltic": "lt_LT lv_LV",
    "cyrillic": "ru_RU uk_UA bg_BG",
    "greek": "el_GR",
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def names(locale):
    provider = importlib.import_module("faker.providers.person." + locale).Provider
    for key in dir(provider):
        if ("first_names" in key or "last_names" in key) and isinstance(getattr(provider, key), (list, tuple, dict)):
            yield from getattr(provider, key)


def level(p):
    return DIGITS[min(35, round(-2 * math.log(p)))]


for group, locales in GROUPS.items():
    share, before, after = collections.Counter(), collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for locale in locales.split():
        seen = []
        for word in " ".join(set(names(locale))).replace("-", " ").lower().replace("ț", "ţ").replace("ș", "ş").split():
            word = "^" + word + "^"
            seen += [(c, word[i], word[i + 2]) for i, c in enumerate(word[1:-1]) if c.isalpha() and ord(c) > 127]
        for c, x, y in seen:
            w = 1 / len(seen)
            share[c] += w
            before[c][x] += w
            after[c][y] += w
    total = sum(share.values())
    for c in sorted(share):
        row = lambda k: "".join(x + level(n / share[c]) for x, n in sorted(k[c].items()) if x == "^" or x.isalpha())
        print(group, c, level(share[c] / total), row(before), row(after))
