// Writes the labels and tables of the WHATWG Encoding standard, which io.trawl.charset reads, from two npm packages:
// text-encoding@0.7.0 (Unlicense or Apache 2.0), and for labels that are younger than it whatwg-encoding@3.1.1 (MIT).
//   npm install text-encoding@0.7.0 whatwg-encoding@3.1.1 && node build/encoding-tables.mjs node_modules
import { readFileSync, writeFileSync } from 'node:fs'

const [modules] = process.argv.slice(2)
const source = `${modules}/text-encoding`
const folder = new URL('../common/src/main/resources/io/trawl/charset/', import.meta.url)
const scope = {}
new Function(readFileSync(`${source}/lib/encoding-indexes.js`, 'utf8')).call(scope)
const indexes = scope['encoding-indexes']

// GB18030-2022 has characters where earlier editions had places for private use; the package is older.
const gb18030of2022 = {
  7182: 0xFE10, 7183: 0xFE12, 7184: 0xFE11, 7185: 0xFE13, 7186: 0xFE14, 7187: 0xFE15, 7188: 0xFE16, 7201: 0xFE17, 7202: 0xFE18,
  7208: 0xFE19, 23775: 0x9FB4, 23783: 0x9FB5, 23788: 0x9FB6, 23789: 0x9FB7, 23795: 0x9FB8, 23812: 0x9FB9, 23829: 0x9FBA,
  23845: 0x9FBB,
}
for (const [pointer, character] of Object.entries(gb18030of2022)) indexes.gb18030[pointer] = character

// Each table: its name, the number of its entries, and three bytes for each: the code point, or 0. Ranges are pairs.
const out = []
const bytes = (n, size) => { for (let i = size - 1; i >= 0; i--) out.push(n >> 8 * i & 255) }
for (const [name, table] of Object.entries(indexes)) {
  const entries = name === 'gb18030-ranges' ? table.flat() : table
  bytes(name.length, 1)
  out.push(...Buffer.from(name, 'latin1'))
  bytes(entries.length, 3)
  for (const entry of entries) bytes(entry ?? 0, 3)
}
writeFileSync(new URL('indexes.bin', folder), Buffer.from(out))

const list = readFileSync(`${source}/lib/encoding.js`, 'utf8').match(/var encodings = (\[[\s\S]*?\n  \]);/)[1]
const encodings = new Map(new Function(`return ${list}`)().flatMap(group => group.encodings).map(({ name, labels }) => [name, labels]))
const younger = JSON.parse(readFileSync(`${modules}/whatwg-encoding/lib/labels-to-names.json`, 'utf8'))
for (const [label, name] of [...Object.entries(younger), ['replacement', 'replacement']]) {
  if (!encodings.get(name).includes(label)) encodings.get(name).push(label)
}
writeFileSync(new URL('labels.txt', folder), [...encodings].map(([name, labels]) => `${name}\t${labels.join(' ')}\n`).join(''))
