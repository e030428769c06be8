// readers.mjs READER DATASET: for each column of a dataset a line with its name, how many values are not null, and two numbers that say
// what they are. READER sql prints the query whose answer is the same.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [reader, dataset] = process.argv.slice(2)
const { columns, parts } = JSON.parse(readFileSync(join(dataset, 'manifest.json')))
const files = parts.map((p) => join(dataset, p.name))
const kinds = { bool: 'bool', string: 'text', bytes: 'bytes', fixed: 'bytes', 'list<int32>': 'list', 'map<string,string>': 'map' }
const kindOf = (c) => kinds[c.type] ?? (c.type.startsWith('float') ? 'float' : 'number')

// In SQL: sums of bytes and items, least and greatest numbers. Floats are printed as whole numbers of millionths.
const scaled = (x) => `round(${x}::double * 1000000)::bigint`
const sums = {
	bool: (n) => [`count_if(${n})`, '0'],
	text: (n) => [`coalesce(sum(octet_length(encode(${n}))), 0)`, '0'],
	bytes: (n) => [`coalesce(sum(octet_length(${n})), 0)`, '0'],
	list: (n) => [`coalesce(sum(len(${n})), 0)`, '0'],
	map: (n) => [`coalesce(sum(cardinality(${n})), 0)`, '0'],
	number: (n) => [`coalesce(min(${n}), 0)`, `coalesce(max(${n}), 0)`],
	float: (n) => [`coalesce(${scaled(`min(${n})`)}, 0)`, `coalesce(${scaled(`max(${n})`)}, 0)`],
}
const sql = (from) => columns.map((c) => {
	const [a, b] = sums[kindOf(c)](`"${c.name}"`)
	return `SELECT '${c.name}' AS name, count("${c.name}") AS n, (${a})::varchar AS a, (${b})::varchar AS b FROM ${from}`
}).join(' UNION ALL ')

// In JavaScript: the same of values one by one.
const digests = {}
for (const c of columns) digests[c.name] = { kind: kindOf(c), n: 0, a: 0n, b: 0n }
const millionths = (x) => BigInt(Math.round(Math.abs(x) * 1e6)) * (x < 0 ? -1n : 1n)
const items = (v) => v.size ?? v.length ?? Object.keys(v).length
const utf8 = new TextEncoder()
function add(name, v) {
	if (v === null || v === undefined) return
	const d = digests[name]
	switch (d.kind) {
		case 'bool': d.a += v ? 1n : 0n; break
		case 'text': d.a += BigInt(utf8.encode(v).length); break
		case 'bytes': d.a += BigInt(v.length); break
		case 'list': case 'map': d.a += BigInt(items(v)); break
		default: {
			const x = d.kind === 'float' ? millionths(v) : BigInt(v)
			if (d.n === 0 || x < d.a) d.a = x
			if (d.n === 0 || x > d.b) d.b = x
		}
	}
	d.n++
}

// Polars does not hand bytes and maps over to JavaScript.
const handed = (c) => reader !== 'polars' || !['bytes', 'map'].includes(kindOf(c))

const read = {
	async duckdb() {
		const { DuckDBInstance } = await import('@duckdb/node-api')
		const db = await (await DuckDBInstance.create()).connect()
		const rows = (await db.runAndReadAll(sql(`read_parquet([${files.map((f) => `'${f}'`)}])`))).getRows()
		for (const [name, n, a, b] of rows) Object.assign(digests[name], { n, a, b })
	},
	async polars() {
		const pl = (await import('nodejs-polars')).default
		for (const file of files) {
			const table = pl.readParquet(file)
			for (const c of columns) {
				if (handed(c)) for (const v of table.getColumn(c.name).toArray()) add(c.name, v)
			}
		}
	},
	async hyparquet() {
		const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet')
		const { compressors } = await import('hyparquet-compressors')
		for (const file of files) {
			for (const row of await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors, utf8: false })) {
				for (const c of columns) add(c.name, row[c.name])
			}
		}
	},
	async wasm() {
		const { readParquet } = await import('parquet-wasm/node')
		const { tableFromIPC } = await import('apache-arrow')
		for (const file of files) {
			const table = tableFromIPC(readParquet(readFileSync(file)).intoIPCStream())
			for (const c of columns) for (const v of table.getChild(c.name)) add(c.name, v)
		}
	},
}

if (reader === 'sql') {
	console.log(sql('t'))
} else {
	await read[reader]()
	for (const c of columns.filter(handed)) console.log([c.name, digests[c.name].n, digests[c.name].a, digests[c.name].b].join())
}
