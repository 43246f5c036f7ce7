/** The table of the drill in docs/faults.md. */
import { markers, tableText, withMeasured, writeMeasured } from '@switchyard/lab'
import { machineFacts } from '../run/machine.ts'
import { FILE } from '../run/table.ts'
import type { StepResult } from './run-drill.ts'

const NAME = 'written by make drill'
export const MARKERS = markers(NAME)

const HEAD = [
  'step',
  'what is done, and why clients do not notice it',
  'requests',
  'lost on the wire of the killed router',
  'other failures',
  'slowest answer',
]

/** Writes the page of a drill. `planned` is the number of steps of the run. */
export async function writeDrill(results: readonly StepResult[], planned: number): Promise<void> {
  const ended = results.length < planned ? ` The run ended after ${results.length} of ${planned} steps.` : ''
  await writeMeasured(FILE, { [NAME]: partsOf(results, `${machineFacts('make drill')}${ended}`) })
}

/** The page with a new table of the drill in it. Throws when the markers are not there. */
export function withDrill(page: string, results: readonly StepResult[], facts: string): string {
  return withMeasured(page, NAME, partsOf(results, facts))
}

function partsOf(results: readonly StepResult[], facts: string): readonly string[] {
  return [facts, tableText({ head: HEAD, rows: results.map(cellsOf) })]
}

function cellsOf({ step, requests, lost, wrong, longest }: StepResult): readonly string[] {
  const others = wrong.length === 0 ? 'none' : `**${wrong.length}: ${wrong[0]}**`
  return [
    step.name,
    step.told,
    String(requests),
    String(lost.length),
    others,
    `${(longest / 1000).toFixed(1)} s`,
  ]
}
