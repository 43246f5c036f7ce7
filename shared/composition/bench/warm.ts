/** Measures the CPU of composing again after a small change, with a memory: `node warm.ts`. */
import { compose, CompositionMemory, type SubgraphInput } from '@switchyard/composition'
import { chainOfEntities, manyTypes } from './graphs.ts'

const RUNS = 7

/** The graph with a field more in one of its subgraphs. */
function edited(subgraphs: readonly SubgraphInput[], at: number, edit: number): readonly SubgraphInput[] {
  return subgraphs.map((one, index) =>
    index === at ? { ...one, sdl: one.sdl.replace('field0(', `edited${edit}: Int field0(`) } : one,
  )
}

function measure(name: string, work: (run: number) => void): void {
  const times = Array.from({ length: RUNS }, (_, run) => {
    const before = process.cpuUsage()
    work(run)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
  console.log(
    `${name}: ${Math.min(...times).toFixed(1)} ms (first ${(times[0] ?? 0).toFixed(1)}), ${memory} MiB`,
  )
}

function composed(subgraphs: readonly SubgraphInput[], memory: CompositionMemory | null): void {
  const result = compose({ subgraphs }, memory)
  if (result.kind === 'failed') throw new Error(result.errors[0]?.message)
}

const large = manyTypes(12_000, 24)
const memory = new CompositionMemory()
measure('12,000 types, from nothing', () => composed(large, null))
composed(large, memory)
measure('12,000 types, one field changed', (run) => composed(edited(large, 3, run), memory))

const base = chainOfEntities(150)
const flags = Array.from({ length: 50 }, (_, flag) =>
  base.map((one, index) =>
    index === flag * 3
      ? {
          ...one,
          name: `${one.name}-next`,
          baseName: one.name,
          sdl: one.sdl.replace('field0(', 'flagged: Int field0('),
        }
      : one,
  ),
)
const ofFlags = new CompositionMemory()
const all = [base, ...flags]
measure('50 flags of 150 subgraphs, one base subgraph changed', (run) => {
  for (const one of all) composed(edited(one, 149, run), ofFlags)
})
