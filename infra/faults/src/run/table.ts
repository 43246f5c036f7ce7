/** The table of docs/faults.md, between its two markers. The prose around it is written by hand. */
import { join } from 'node:path'
import { markers, REPOSITORY, tableText, withMeasured, writeMeasured } from '@switchyard/lab'
import type { Acknowledged } from './commands.ts'
import { machineFacts } from './machine.ts'
import type { Fault } from '../fault.ts'
import type { Outcome } from './run-fault.ts'

export const FILE: string = join(REPOSITORY, 'docs/faults.md')
const NAME = 'written by make faults'
export const [BEGIN, END] = markers(NAME)

const HEAD = [
  'fault',
  'what is done',
  'queries: failed of all, longest',
  'commands: delayed of all, longest',
  'acknowledged and lost',
  'healed after',
  'what happens, and why',
]

export type Row = { readonly fault: Fault } & (
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }
)

/** Writes the table of faults. `planned` is the number of faults of the run. */
export async function writeTable(rows: readonly Row[], planned: number): Promise<void> {
  const ended = rows.length < planned ? ` The run ended after ${rows.length} of ${planned} faults.` : ''
  await writeMeasured(FILE, { [NAME]: partsOf(rows, `${machineFacts()}${ended}`) })
}

/** The page with a new table in it. Throws when the markers are not there. */
export function withTable(page: string, rows: readonly Row[], facts: string): string {
  return withMeasured(page, NAME, partsOf(rows, facts))
}

function partsOf(rows: readonly Row[], facts: string): readonly string[] {
  return [facts, tableText({ head: HEAD, rows: rows.map(cellsOf) })]
}

function cellsOf(row: Row): readonly string[] {
  const { name, done, why } = row.fault
  if (row.kind === 'skipped') return [name, done, '–', '–', '–', '–', `**skipped**: ${row.reason}. ${why}`]
  if (row.kind === 'broken')
    return [name, done, '–', '–', '–', '–', `**did not run**: ${row.reason.split('\n')[0] ?? ''}`]
  const { outcome } = row
  return [
    name,
    done,
    queriesOf(outcome),
    commandsOf([...outcome.written.publishes, ...outcome.written.toggles]),
    outcome.losses.length === 0 ? 'nothing' : `**${outcome.losses.join('; ')}**`,
    seconds(outcome.healedAfter),
    outcome.complaints.length === 0 ? why : `**WRONG: ${outcome.complaints.join('; ')}** ${why}`,
  ]
}

/** Failures by their kind; the details of each are of no use to a reader of the table. */
function queriesOf({ asked }: Outcome): string {
  const kinds = new Map<string, number>()
  for (const [text, count] of asked.failures) {
    const kind = text.split(':')[0] ?? text
    kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  }
  const told = [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')
  return `${asked.failed} of ${asked.total}${told === '' ? '' : ` (${told})`}, ${seconds(asked.longest ?? 0)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Describes the commands that were acknowledged only at a later attempt, with the failures before it. */
function commandsOf(commands: readonly Acknowledged[]): string {
  const delayed = commands.filter(({ refusals }) => refusals.length > 0)
  const told = [...new Set(delayed.flatMap(({ refusals }) => refusals))].map((code) =>
    code.includes(' ') ? code : `\`${code}\``,
  )
  const longest = Math.max(0, ...commands.map(({ milliseconds }) => milliseconds))
  const why = told.length === 0 ? '' : ` (${told.join(', ')})`
  return `${delayed.length} of ${commands.length}${why}, ${seconds(longest)}`
}
