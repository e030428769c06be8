// Reads a published table by icebird, a reader of Iceberg that has nothing from kifu or
// iceberg-go, and prints its rows as a count, sums of the numbers, and the last row:
//
//	npm install icebird@0.3.1 && node read.mjs DIR|s3://BUCKET/PREFIX
//
// icebird fetches URLs: files are served to it here, and objects by the server that S3 names. Version 0.3.1 takes Avro's deflate for
// gzip, so that manifests are unpacked before it sees them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateRawSync } from 'node:zlib'

const folder = join(process.env.ICEBIRD ?? process.cwd(), 'node_modules', 'icebird')
const exported = JSON.parse(readFileSync(join(folder, 'package.json'))).exports['.']
const { icebergRead } = await import(pathToFileURL(join(folder, exported.import ?? exported)))

const bare = globalThis.fetch

async function bytes(url) {
  const object = /^https:\/\/([^/.]+)\.s3\.amazonaws\.com\/(.*)$/.exec(url)
  if (!object) return readFileSync(url)
  const answer = await bare(`${process.env.S3}/${object[1]}/${object[2]}`)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

globalThis.fetch = async (url, init = {}) => {
  let data = await bytes(String(url))
  if (String(url).endsWith('.avro')) data = unpacked(data)
  const length = data.length
  const range = /bytes=(\d*)-(\d*)/.exec(new Headers(init.headers).get('range') ?? '')
  if (range) {
    data = range[1] === '' ? data.subarray(length - Number(range[2])) : data.subarray(Number(range[1]), range[2] === '' ? length : Number(range[2]) + 1)
  }
  if (init.method === 'HEAD') data = Buffer.alloc(0)
  return new Response(data, { status: range ? 206 : 200, headers: { 'content-length': String(init.method === 'HEAD' ? length : data.length) } })
}

// unpacked returns an Avro container with the codec null.
function unpacked(data) {
  let at = 4
  const long = () => {
    let n = 0n, shift = 0n
    for (;; shift += 7n) {
      const b = BigInt(data[at++])
      n |= (b & 127n) << shift
      if (b < 128n) return Number((n >> 1n) ^ -(n & 1n))
    }
  }
  const bytes = () => { const n = long(); at += n; return data.subarray(at - n, at) }
  const number = (v) => {
    const out = []
    for (v *= 2; ; v = Math.floor(v / 128)) {
      if (v < 128) { out.push(v); return Buffer.from(out) }
      out.push(v % 128 + 128)
    }
  }
  const text = (b) => [number(b.length), b]
  const meta = []
  for (let n = long(); n !== 0; n = long()) {
    if (n < 0) { long(); n = -n }
    for (; n > 0; n--) {
      const key = bytes(), value = bytes()
      meta.push([key, key.toString() === 'avro.codec' ? Buffer.from('null') : value])
    }
  }
  const sync = data.subarray(at, at += 16)
  const out = [data.subarray(0, 4), number(meta.length), ...meta.flatMap(([k, v]) => [...text(k), ...text(v)]), number(0), sync]
  while (at < data.length) {
    const count = long(), block = inflateRawSync(bytes())
    at += 16
    out.push(number(count), ...text(block), sync)
  }
  return Buffer.concat(out)
}

const rows = await icebergRead({ tableUrl: process.argv[2] })
const sums = {}
for (const row of rows) {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'number' || typeof value === 'bigint') sums[name] = (sums[name] ?? 0) + Number(value)
  }
}
const plain = (_, v) => typeof v === 'bigint' ? Number(v) : v
console.log(JSON.stringify({ rows: rows.length, sums, last: rows.at(-1) }, plain))
