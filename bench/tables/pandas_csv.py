"""Prints of a CSV file what polars.js does of others, as pandas reads it."""
import sys

import pandas

table = pandas.read_csv(sys.argv[1])
for name in table.columns:
    column = table[name].dropna()
    total = column.str.len().sum() if column.dtype == object else column.astype(float).sum()
    print("pandas-csv", name, len(table), table[name].isna().sum(), total)
