/**
 * Faults one after the other, on as few set-ups as possible: one that something is wrong with afterwards is
 * not used any more.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '@switchyard/lab'
import type { Fault } from '../fault.ts'
import { World } from '../world/world.ts'
import { runFault } from './run-fault.ts'
import type { Row } from './table.ts'

const LOGS = join(REPOSITORY, '.cache/faults')

/** Carries out faults. Yields how each ended. */
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
        world ??= await World.start(fault.world ?? 'plain')
        row = { fault, kind: 'done', outcome: await runFault(fault, world) }
      } catch (error) {
        row = {
          fault,
          kind: 'broken',
          reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }
      }
      if (world !== null && !isGood(row)) await keepLogs(fault, world)
      yield row
      if (!isGood(row)) {
        await world?.[Symbol.asyncDispose]()
        world = null
      }
    }
  } finally {
    await world?.[Symbol.asyncDispose]()
  }
}

export function isGood(row: Row): boolean {
  return row.kind === 'skipped' || (row.kind === 'done' && row.outcome.complaints.length === 0)
}

/** Writes the output of all programs to a file, which shows why a condition did not hold. */
async function keepLogs({ name }: Fault, world: World): Promise<void> {
  const file = join(LOGS, `${name.replaceAll(/[^a-zA-Z0-9]+/g, '-')}.log`)
  await mkdir(LOGS, { recursive: true })
  await writeFile(file, world.system.report(64 * 1024))
  console.log(`What the programs wrote is in ${file}.`)
}

export function describeRow(row: Row): string {
  if (row.kind !== 'done') return `${row.fault.name}: ${row.kind}: ${row.reason}`
  const { asked, written, healedAfter, complaints } = row.outcome
  const commands = [...written.publishes, ...written.toggles]
  const delayed = commands.filter(({ refusals }) => refusals.length > 0)
  const longest = Math.max(0, ...commands.map(({ milliseconds }) => milliseconds))
  return [
    `${row.fault.name}: ${asked.total} queries, ${asked.failed} failed, longest ${Math.round(asked.longest ?? 0)} ms`,
    `${commands.length} commands, ${delayed.length} delayed (${[...new Set(delayed.flatMap(({ refusals }) => refusals))].join(', ')})`,
    `longest ${(longest / 1000).toFixed(1)} s, healed after ${(healedAfter / 1000).toFixed(1)} s`,
    ...complaints.map((complaint) => `  WRONG: ${complaint}`),
  ].join('; ')
}
