// readers.mjs READER DATASET: for each column of a dataset a line with its name, how many values are not null, and three numbers that say
// what they are. READER sql prints the query whose answer is the same. DATASET may be an Aix file: the query is then about its games.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const [reader, dataset] = process.argv.slice(2)
const kinds = { bool: 'bool', string: 'text', bytes: 'bytes', fixed: 'bytes', 'list<int32>': 'list', 'map<string,string>': 'map' }
const kindOf = (type) => kinds[type] ?? (type.startsWith('float') ? 'float' : 'number')

// The columns of an Aix file, and what they are in games. The moves are not here: kifu has them as other bytes.
const tag = (name) => `map_extract(tags, '${name}')[1]`
const rating = (side) => `try_cast(${tag(side + 'RatingDiff')} AS smallint)`
const seconds = (first) => `CASE WHEN ply_count >= ${first} THEN list_transform(clocks_ms[${first}:-:2], c -> c // 1000) END`
// Mates are counted from the ends of the numbers of 16 bits there, from 32,000 in games. Aix has no value after the last move.
const mates = 'list_transform(list_filter(evals, e -> e IS NOT NULL), e -> CASE WHEN e >= 31000 THEN e + 768 WHEN e <= -31000 THEN e - 769 ELSE e END)'
const inGames = {
	lichess_id: ['text', 'site[-8:]'], white: ['text', 'first_player'], black: ['text', 'second_player'], white_rating: ['number', 'first_elo'],
	black_rating: ['number', 'second_elo'], white_rating_diff: ['number', rating('White')], black_rating_diff: ['number', rating('Black')],
	white_title: ['text', tag('WhiteTitle')], black_title: ['text', tag('BlackTitle')], ply_count: ['number', 'ply_count'], eco: ['text', 'opening'],
	opening: ['text', tag('Opening')], time_initial: ['number', 'base_ms // 1000'], time_increment: ['number', 'increment_ms // 1000'], termination: ['text', 'termination'],
	result: ['text', "CASE result WHEN 'first' THEN '1-0' WHEN 'second' THEN '0-1' WHEN 'draw' THEN '1/2-1/2' ELSE '*' END"],
	clocks_white: ['list', seconds(1)], clocks_black: ['list', seconds(2)], evals: ['list', mates],
	utc_timestamp: ['number', `epoch_ms(try_cast(date || ' ' || coalesce(${tag('UTCTime')}, '00:00:00') AS timestamp))`],
}

let columns, files
if (dataset.endsWith('.parquet')) {
	columns = Object.entries(inGames).map(([name, [kind, from]]) => ({ name, kind, from }))
	files = [dataset]
} else {
	const manifest = JSON.parse(readFileSync(join(dataset, 'manifest.json')))
	columns = manifest.columns.map((c) => ({ name: c.name, kind: kindOf(c.type), from: `"${c.name}"` }))
	const card = join(dataset, 'README.md') // of kifu publish --as hf: names the parts by a pattern
	const pattern = existsSync(card) && /^ +path: (\S+)\*(\S+)$/m.exec(readFileSync(card, 'utf8'))
	const parts = pattern ? readdirSync(dataset).filter((f) => f.startsWith(pattern[1]) && f.endsWith(pattern[2])) : manifest.parts.map((p) => p.name)
	files = parts.map((name) => join(dataset, name))
}

// In SQL: bytes of texts, entries of lists and maps, with sums of 32 bits of a checksum or of the items; of numbers the least, the greatest and the sum.
// Floats are whole numbers of millionths.
const sum = (x) => `coalesce(sum(${x}), 0)`
const checksum = (x) => sum(`('0x' || md5(${x})[1:8])::bigint`)
const scaled = (x) => `round(${x}::double * 1000000)::bigint`
const joined = (x) => `coalesce(array_to_string(${x}, '|'), '')`
const entries = (x) => `${joined(`map_keys(${x})`)} || '=' || ${joined(`map_values(${x})`)}`
const numbers = (x) => [`coalesce(min(${x}), 0)`, `coalesce(max(${x}), 0)`, sum(x)]
const sums = {
	bool: (x) => [`count_if(${x})`, '0', '0'],
	text: (x) => [sum(`octet_length(encode(${x}))`), checksum(x), '0'],
	bytes: (x) => [sum(`octet_length(${x})`), checksum(`hex(${x})`), '0'],
	list: (x) => [sum(`len(${x})`), sum(`list_sum(${x})`), '0'],
	map: (x) => [sum(`cardinality(${x})`), checksum(entries(x)), '0'],
	number: numbers,
	float: (x) => numbers(scaled(x)),
}
const sql = (table, column) => columns.map((c) => {
	const x = column(c)
	const [a, b, s] = sums[c.kind](x)
	return `SELECT '${c.name}' AS name, count(${x}) AS n, (${a})::varchar AS a, (${b})::varchar AS b, (${s})::varchar AS s FROM ${table}`
}).join(' UNION ALL ')

// In JavaScript: the same of values one by one.
const digests = {}
for (const c of columns) digests[c.name] = { kind: c.kind, n: 0, a: 0n, b: 0n, s: 0n }
const millionths = (x) => BigInt(Math.round(Math.abs(x) * 1e6)) * (x < 0 ? -1n : 1n)
const crc = (text) => BigInt(createHash('md5').update(text).digest().readUInt32BE())
// Readers have maps as objects, as maps, or as lists of keys with values.
const pairs = (m) => (Symbol.iterator in m ? [...m].map((e) => (Array.isArray(e) ? e : [e.key, e.value])) : Object.entries(m))
function add(name, v) {
	if (v === null || v === undefined) return
	const d = digests[name]
	switch (d.kind) {
		case 'bool': d.a += v ? 1n : 0n; break
		case 'text': d.a += BigInt(Buffer.byteLength(v)); d.b += crc(v); break
		case 'bytes': d.a += BigInt(v.length); d.b += crc(Buffer.from(v).toString('hex').toUpperCase()); break
		case 'list': for (const item of v) { d.a++; d.b += BigInt(item ?? 0) } break
		case 'map': {
			const all = pairs(v)
			d.a += BigInt(all.length)
			d.b += crc(all.map((e) => e[0]).join('|') + '=' + all.map((e) => e[1]).join('|'))
			break
		}
		default: {
			const x = d.kind === 'float' ? millionths(v) : BigInt(v instanceof Date ? v.getTime() : v)
			if (d.n === 0 || x < d.a) d.a = x
			if (d.n === 0 || x > d.b) d.b = x
			d.s += x
		}
	}
	d.n++
}

const read = {
	async duckdb() {
		const { DuckDBInstance } = await import('@duckdb/node-api')
		const db = await (await DuckDBInstance.create()).connect()
		const table = `read_parquet([${files.map((f) => `'${f}'`)}])`
		const rows = (await db.runAndReadAll(sql(table, (c) => (c.name === 'utc_timestamp' ? `epoch_ms("${c.name}")` : `"${c.name}"`)))).getRows()
		for (const [name, n, a, b, s] of rows) Object.assign(digests[name], { n, a, b, s })
	},
	async polars() {
		const pl = (await import('nodejs-polars')).default
		for (const file of files) {
			const table = pl.readParquet(file)
			for (const c of columns) {
				const all = pl.col(c.name) // bytes are handed to JavaScript only as lists
				const values = table.select(c.kind === 'bytes' ? all.cast(pl.List(pl.UInt8)) : all).getColumn(c.name)
				for (const v of values.toArray()) add(c.name, v)
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
	console.log(sql('t', (c) => c.from))
} else {
	await read[reader]()
	for (const c of columns) console.log([c.name, digests[c.name].n, digests[c.name].a, digests[c.name].b, digests[c.name].s].join())
}
