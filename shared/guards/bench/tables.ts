/** The tables of docs/guards.md. */
import { alphaOf, parseGuards, type Tested, testedBy } from '../src/index.ts'
import {
  ADDED,
  BASELINES,
  DETECTION_SECONDS,
  DETECTION_USERS,
  detectionSeconds,
  exceedances,
  goingOn,
  HANGING,
  HEALTHY_RAMP,
  KEPT,
  type Kept,
  keptRamps,
  type Regression,
  within,
} from './campaigns.ts'
import { STEPS } from './simulate-ramp.ts'
import { type Population, populationOf } from './world.ts'

const HEALTHY_RAMPS = 1000
const OTHER_RAMPS = 300
/** Ramps with many requests a second take long to simulate. */
const LARGE_RAMPS = 60
const WATCHED_STEPS = 300
const DETECTION_RUNS = 100
const GOING_ON_RAMPS = 10

/** Returns the levels of the tests, for some guards and numbers of steps. */
export function alphaTable(): string {
  const guards = ['errors=+1pt', 'errors=+1pt,p99=1.3x', 'errors=+1pt,p50=1.2x,p99=1.3x', 'p99=1.3x']
  const columns: readonly Tested[] = ['errors', 'errors-by-operation', 'p50', 'p99']
  const rows = guards.flatMap((text) =>
    [3, 5].map((steps) => {
      const parsed = parseGuards(text)
      const levels = columns.map((tested) => {
        if (!testedBy(parsed).includes(tested)) return ''
        return percent(alphaOf(tested, parsed, { steps, begun: 1, attempt: 1 }), 4)
      })
      return [`\`${text}\``, String(steps), ...levels]
    }),
  )
  return table(['guards', 'guarded steps', ...columns], rows)
}

/** Returns how often ramps were aborted that keep their guards. */
export function keptTable(): string {
  return table(
    ['ramps', 'guards', 'aborted', 'lower bounds beyond the limit (10 % allowed)'],
    KEPT.map(keptRow),
  )
}

/** Returns the row of one kind of ramps. */
export function keptRow(kept: Kept): readonly string[] {
  const ramps =
    kept === HEALTHY_RAMP ? HEALTHY_RAMPS : kept.requestsPerSecond === undefined ? OTHER_RAMPS : LARGE_RAMPS
  const { aborted } = keptRamps(kept, ramps)
  const shares = [...exceedances(kept, WATCHED_STEPS)].map(
    ([tested, share]) => `${tested} ${percent(share, 1)}`,
  )
  return [kept.name, `\`${kept.guards}\``, `${aborted} of ${ramps}`, shares.join(', ')]
}

/** Returns how soon regressions were found. */
export function detectionTable(): string {
  const population = populationOf(DETECTION_USERS, 2)
  const head = ['baseline', 'rise', 'nothing hangs together', 'the baseline does', 'the rise does, too']
  const rows = BASELINES.flatMap((baseline) =>
    ADDED.map((added) => [
      percent(baseline, 1),
      `${Math.round(added * 100)} points`,
      ...HANGING.map((hanging) => detectionCell({ baseline, added, hanging }, population)),
    ]),
  )
  return table(head, rows)
}

/** Returns in how many seconds half of the runs, and 95 % of them, found a regression. */
export function detectionCell(regression: Regression, population: Population): string {
  const seconds = detectionSeconds(regression, DETECTION_RUNS, population)
  const [median, most] = [within(0.5, seconds), within(0.95, seconds)]
  const found = seconds.filter((second) => second <= DETECTION_SECONDS).length / seconds.length
  if (most <= DETECTION_SECONDS) return `${median} s, ${most} s`
  return `${median <= DETECTION_SECONDS ? `${median} s, ` : ''}found in ${percent(found, 0)}`
}

/** Returns how often healthy steps go on. */
export function goingOnTable(): string {
  const cases = [
    [0.001, 'errors=+0.5pt'],
    [0.001, 'errors=+0.5pt,p99=1.3x'],
    [0.01, 'errors=+1pt,p99=1.5x'],
    [0.05, 'errors=+1pt,p99=1.5x'],
    [0.05, 'errors=+3pt,p99=1.5x'],
  ] as const
  const rows = cases.map(([baseline, guards]) => [
    percent(baseline, 1),
    `\`${guards}\``,
    ...goingOn(baseline, guards, GOING_ON_RAMPS).map((share) => percent(share, 0)),
  ])
  return table(['baseline', 'guards', ...STEPS.map((share) => percent(share, 0))], rows)
}

function percent(share: number, decimals: number): string {
  return `${Number((share * 100).toFixed(decimals))} %`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
