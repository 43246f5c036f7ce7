/**
 * How Switchyard grows: measures it at several sizes on real servers, and writes the tables of docs/scale.md.
 *
 *     make scale                     everything, about ten minutes on two cores
 *     make scale ONLY=routers        one table; the others stay as they are
 */
import { readOptions } from '@switchyard/testkit'
import { measureFlags, measureSubgraphs, measureSupergraphs } from './graphs.ts'
import { measureNamespaces } from './namespaces.ts'
import { measureRouters } from './routers.ts'
import { type Table, writeTable } from './table.ts'

const MEASUREMENTS: Readonly<Record<string, () => Promise<Table>>> = {
  namespaces: measureNamespaces,
  subgraphs: measureSubgraphs,
  flags: measureFlags,
  supergraphs: measureSupergraphs,
  routers: measureRouters,
}

const USAGE = `Usage: node infra/scale/src/main.ts [--only <table>,…]

Measures how Switchyard grows, and writes the tables of docs/scale.md. Tables: ${Object.keys(MEASUREMENTS).join(', ')}.`
const values = readOptions(USAGE, { only: { type: 'string' } })
const names = values.only?.split(',') ?? Object.keys(MEASUREMENTS)
for (const name of names) {
  const measure = MEASUREMENTS[name]
  if (measure === undefined) {
    console.error(
      `error: there is no measurement "${name}": expected ${Object.keys(MEASUREMENTS).join(', ')}`,
    )
    process.exit(2)
  }
  console.log(`Measuring ${name} …`)
  const table = await measure()
  console.log(table.rows.map((row) => row.join('  ')).join('\n'))
  await writeTable(name, table)
}
