/**
 * Simulates ramps, and prints the tables of docs/guards.md: `node simulate.ts [--write]`. It takes about
 * six minutes. `--write` puts them into the page. The numbers are the same on every machine.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { alphaTable, detectionTable, goingOnTable, keptTable } from './tables.ts'

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const page = new URL('../../../docs/guards.md', import.meta.url)

const tables = { alpha: alphaTable, kept: keptTable, detection: detectionTable, 'going-on': goingOnTable }
for (const [name, table] of Object.entries(tables)) {
  const text = table()
  console.log(`${name}\n\n${text}\n`)
  if (values.write) writeFileSync(page, withTable(readFileSync(page, 'utf8'), name, text))
}

function withTable(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`docs/guards.md lacks ${begin} and ${end}.`)
  return `${before}${begin}\n\n${table}\n\n${end}${after}`
}
