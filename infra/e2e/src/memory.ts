/** Measures the memory that programs hold after their garbage was collected. */
import { waitFor } from '@switchyard/testkit'
import { fileURLToPath } from 'node:url'
import type { Constellation } from './constellation.ts'
import type { ServiceProgram } from '@switchyard/lab'

/** The memory of a program in megabytes. */
export type Memory = { readonly heap: number; readonly arrayBuffers: number; readonly resident: number }

/** Environment of programs that can be measured. */
export const MEASURABLE = {
  NODE_OPTIONS: `--expose-gc --import=${fileURLToPath(new URL('memory-probe.ts', import.meta.url))}`,
}

/** Returns the memory of each program by its name. The constellation has to be started with MEASURABLE. */
export async function measureMemory({ programs }: Constellation): Promise<ReadonlyMap<string, Memory>> {
  const measured = new Map<string, Memory>()
  for (const program of programs.values()) measured.set(program.name, await measure(program))
  return measured
}

async function measure(program: ServiceProgram): Promise<Memory> {
  const measurements = () => program.events.filter(({ event }) => event === 'memory.measured')
  const before = measurements().length
  process.kill(program.pid, 'SIGUSR2')
  await waitFor(`${program.name} to tell its memory`, () => measurements().length > before)
  const last = measurements().at(-1)
  const megabytes = (name: string) => Number(last?.[name]) / 2 ** 20
  return {
    heap: megabytes('heapUsed'),
    arrayBuffers: megabytes('arrayBuffers'),
    resident: megabytes('rss'),
  }
}
