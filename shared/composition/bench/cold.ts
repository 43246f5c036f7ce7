/** Measures the CPU that a composition takes with an empty memory in a warm process: `node cold.ts`. */
import { compose, type SubgraphInput } from '@switchyard/composition'
import { chainOfEntities, manyTypes } from './graphs.ts'

const GRAPHS: Readonly<Record<string, () => readonly SubgraphInput[]>> = {
  '150 subgraphs, a chain of entities': () => chainOfEntities(150),
  '1,000 subgraphs, a chain of entities': () => chainOfEntities(1000),
  '20,000 types in 20 subgraphs': () => manyTypes(20_000, 20),
  '10,000 types in 200 subgraphs': () => manyTypes(10_000, 200),
}
const [, , wanted = '', runs = '5'] = process.argv

for (const [name, make] of Object.entries(GRAPHS)) {
  if (!name.includes(wanted)) continue
  const subgraphs = make()
  const times = Array.from({ length: Number(runs) }, () => {
    const before = process.cpuUsage()
    const result = compose({ subgraphs })
    const { user, system } = process.cpuUsage(before)
    if (result.kind === 'failed') throw new Error(result.errors[0]?.message)
    return (user + system) / 1000
  })
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
  console.log(
    `${name}: ${Math.round(Math.min(...times))} ms (first ${Math.round(times[0] ?? 0)}), ${memory} MiB`,
  )
}
