/** The table of the drill in docs/faults.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { machineFacts } from '../run/machine.ts'
import { FILE, lineOf, withTextBetween } from '../run/table.ts'
import type { StepResult } from './run-drill.ts'

export const MARKERS = [
  '<!-- written by make drill: begin -->',
  '<!-- written by make drill: end -->',
] as const

const HEAD = `| step | what is done, and why clients do not notice it | requests | lost on the wire of the killed router | other failures | slowest answer |
|---|---|---|---|---|---|`

/** Writes the page of a drill. `planned` is the number of steps of the run. */
export async function writeDrill(results: readonly StepResult[], planned: number): Promise<void> {
  const ended = results.length < planned ? ` The run ended after ${results.length} of ${planned} steps.` : ''
  const facts = `${machineFacts('make drill')}${ended}`
  await writeFile(FILE, withDrill(await readFile(FILE, 'utf8'), results, facts))
}

/** The page with a new table of the drill in it. Throws when the markers are not there. */
export function withDrill(page: string, results: readonly StepResult[], facts: string): string {
  const rows = results.map((result) => lineOf(cellsOf(result)))
  return withTextBetween(page, MARKERS, `${facts}\n\n${HEAD}\n${rows.join('\n')}`)
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
