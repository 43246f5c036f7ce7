/**
 * How Switchyard grows: measures it at several sizes on real servers, and writes the tables of docs/scale.md.
 *
 *     make scale                     everything, about half an hour on two cores
 *     make scale ONLY=routers        one table; the others stay as they are
 */
import { join } from 'node:path'
import { machine, readScenarios, REPOSITORY, tableText, writeMeasured } from '@switchyard/lab'
import { measureFlags, measureSubgraphs, measureSupergraphs } from './graphs.ts'
import { measureNamespaces } from './namespaces.ts'
import { measureRouters } from './routers.ts'
import { STUDIO_MEASUREMENTS } from './studio/measure-studio.ts'

const MEASUREMENTS = [
  { name: 'namespaces', measure: measureNamespaces },
  { name: 'subgraphs', measure: measureSubgraphs },
  { name: 'flags', measure: measureFlags },
  { name: 'supergraphs', measure: measureSupergraphs },
  { name: 'routers', measure: measureRouters },
  ...STUDIO_MEASUREMENTS,
]

const USAGE = `Usage: node infra/scale/src/main.ts [options]

Measures how Switchyard grows, and writes the tables of docs/scale.md.

  --only <part of a name>,…  only these tables
  --list                     names of all tables`
const { scenarios } = readScenarios(USAGE, MEASUREMENTS, {})
for (const { name, measure } of scenarios) {
  console.log(`Measuring ${name} …`)
  const table = tableText(await measure())
  console.log(table)
  await writeMeasured(join(REPOSITORY, 'docs/scale.md'), { [name]: [machine(), table] })
}
