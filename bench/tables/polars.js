// Prints, of each file named, rows, missing values and sums of its columns as Polars
// (npm's nodejs-polars) reads it: NAME COLUMN ROWS NULLS SUM, texts with the sum of their lengths.
const fs = require('fs');
const path = require('path');
const pl = require('nodejs-polars');

const readers = {
  '.arrow': file => pl.readIPCStream(fs.readFileSync(file)),
  '.parquet': file => pl.readParquet(file),
};
for (const file of process.argv.slice(2)) {
  const table = readers[path.extname(file)](file);
  for (const name of table.columns) {
    const values = table.getColumn(name).toArray();
    let sum = 0;
    let nulls = 0;
    for (const v of values) {
      if (v === null) nulls++;
      else sum += typeof v === 'string' ? v.length : Number(v);
    }
    console.log(path.extname(file).slice(1), name, values.length, nulls, sum);
  }
}
