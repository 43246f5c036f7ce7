/** Faults one after the other, on as few set-ups as possible: one that something is wrong with afterwards is not used any more. */
import type { Fault } from '../fault.ts'
import { startWorld, type World } from '../world/world.ts'
import { type Outcome, runFault } from './run-fault.ts'
import { writeTable } from './table.ts'

export type Row = { readonly fault: Fault } & (
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }
)

/** True when everything held. */
export async function runFaults(
  faults: readonly Fault[],
  { writes }: { readonly writes: boolean },
): Promise<boolean> {
  const rows: Row[] = []
  for await (const row of carryOut(faults)) {
    rows.push(row)
    console.log(describeRow(row))
  }
  if (writes) await writeTable(rows)
  return rows.every(
    (row) => row.kind === 'skipped' || (row.kind === 'done' && row.outcome.complaints.length === 0),
  )
}

export async function* carryOut(faults: readonly Fault[]): AsyncGenerator<Row> {
  let world: World | null = null
  try {
    for (const fault of faults) {
      const reason = fault.missing?.() ?? null
      if (reason !== null) {
        yield { fault, kind: 'skipped', reason }
        continue
      }
      if (world !== null && world.kind !== (fault.world ?? 'plain')) {
        await world[Symbol.asyncDispose]()
        world = null
      }
      let row: Row
      try {
        world ??= await startWorld(fault.world ?? 'plain')
        row = { fault, kind: 'done', outcome: await runFault(fault, world) }
      } catch (error) {
        const report = process.env['FAULTS_REPORT'] === undefined ? '' : `\n${world?.system.report() ?? ''}`
        row = {
          fault,
          kind: 'broken',
          reason: `${error instanceof Error ? error.stack : String(error)}${report}`,
        }
      }
      yield row
      if (row.kind === 'broken' || row.outcome.complaints.length > 0) {
        await world?.[Symbol.asyncDispose]()
        world = null
      }
    }
  } finally {
    await world?.[Symbol.asyncDispose]()
  }
}

export function describeRow(row: Row): string {
  if (row.kind !== 'done') return `${row.fault.name}: ${row.kind}: ${row.reason}`
  const { asked, written, healedAfter, complaints } = row.outcome
  const commands = [...written.publishes, ...written.toggles]
  const delayed = commands.filter(({ refusals }) => refusals.length > 0)
  const longest = Math.max(0, ...commands.map(({ milliseconds }) => milliseconds))
  return [
    `${row.fault.name}: ${asked.total} queries, ${[...asked.failed.values()].reduce((a, b) => a + b, 0)} failed`,
    `${commands.length} commands, ${delayed.length} delayed (${[...new Set(delayed.flatMap(({ refusals }) => refusals))].join(', ')})`,
    `longest ${(longest / 1000).toFixed(1)} s, healed after ${(healedAfter / 1000).toFixed(1)} s`,
    ...complaints.map((complaint) => `  WRONG: ${complaint}`),
  ].join('; ')
}
