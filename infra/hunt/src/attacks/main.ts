/**
 * Carries out every known attack on a router, and says what the attacker got and what somebody else noticed.
 * See README.md.
 *
 *   node infra/hunt/src/attacks/main.ts [--seconds 30] [--only <part of an attack's name>] [--types 1000]
 *     [--settings FILE] [--node-options '--max-old-space-size=1024']
 */
import { readFileSync } from 'node:fs'
import { readScenarios } from '@switchyard/lab'
import { ATTACKS } from './all-attacks.ts'
import { CUT_INPUT } from './cut-input.ts'
import { FORMS } from './forms.ts'
import { inMb } from './memory-limits.ts'
import { SUBSCRIPTIONS } from './subscriptions.ts'
import { PLATFORM_ATTACKS } from './platform-attacks.ts'
import { runAttack } from './run-attack.ts'
import { runPlatformAttack } from './run-platform-attack.ts'
import type { AttackReport } from './under-attack.ts'

const USAGE = `Usage: node infra/hunt/src/attacks/main.ts [options]

Carries out known attacks on a router while somebody else goes on asking; see infra/hunt/README.md.

  --seconds <number>       of each attack (default: 30)
  --only <part of a name>  only these attacks
  --list                   names of all attacks
  --types <number>         types of the graph (default: 1000)
  --settings <file>        settings of the router
  --node-options <text>    options of its Node.js, such as --max-old-space-size=1024`
const { values, scenarios } = readScenarios(USAGE, [...ATTACKS, ...PLATFORM_ATTACKS], {
  seconds: { type: 'string', default: '30' },
  types: { type: 'string', default: '1000' },
  settings: { type: 'string' },
  'node-options': { type: 'string', default: '' },
})

/** Milliseconds within which 99 of 100 requests of somebody else are to be answered. */
const MAX_P99 = 100
/**
 * Milliseconds of CPU that one turn of the router's event loop may take during an attack by how input is cut.
 */
const MAX_TURN = 50
/** Milliseconds after an attack within which memory has to go back. */
const REST_MS = 30_000

console.log(
  'attack | attacker: requests, bytes, answers | somebody else: requests, failed, p50, p99, longest | attacked program: resident before, most, after, later (limits: growth, kept); CPU, CPU for each request of the attacker; longest turn',
)
let isGood = true
for (const attack of ATTACKS.filter((known) => scenarios.includes(known))) {
  const report = await runAttack(attack, {
    seconds: Number(values.seconds),
    types: Number(values.types),
    settings: values.settings === undefined ? '' : readFileSync(values.settings, 'utf8'),
    nodeOptions: values['node-options'],
    restMs: REST_MS,
  })
  judge(report, [...CUT_INPUT, ...SUBSCRIPTIONS, ...FORMS].includes(attack))
}
for (const attack of PLATFORM_ATTACKS.filter((known) => scenarios.includes(known))) {
  const report = await runPlatformAttack(attack, { seconds: Number(values.seconds), restMs: REST_MS })
  judge(report, attack.isCut === true)
  const { published } = report
  if (published.length > 0)
    console.log(
      `  somebody else published ${published.length} times; served within ${percentile(published, 50).toFixed(0)} ms, at most ${percentile(published, 100).toFixed(0)} ms`,
    )
}
process.exitCode = isGood ? 0 : 1

/** Judges a report. `isCut` is true for an attack that lies in how its input is cut. */
function judge(report: AttackReport, isCut: boolean): void {
  const { quiet, after } = report
  isGood &&= quiet.failures.length === 0 && percentile(quiet.times, 99) <= MAX_P99 && after !== null
  isGood &&= report.memoryFault === null
  if (isCut) isGood &&= (report.longestTurn ?? 0) <= MAX_TURN
  console.log(described(report))
  if (report.memoryFault !== null) console.log(`  ${report.memoryFault}`)
}

function described(report: AttackReport): string {
  const { attack, tally, quiet, before, after, residentLater, longestTurn, memory, output } = report
  const answers = Object.entries(tally.answers).map(([answer, count]) => `${count} × ${answer}`)
  const failed = [...new Set(quiet.failures)].slice(0, 3).join('; ')
  const cpu = after === null ? 0 : after.cpuMs - before.cpuMs
  return [
    attack,
    `${tally.requests} requests, ${inMb(tally.bytes)}, ${answers.join(', ')}`,
    `${quiet.requests} requests, ${quiet.failures.length} failed${failed === '' ? '' : ` (${failed})`}, ${[50, 99, 100].map((part) => `${percentile(quiet.times, part).toFixed(1)} ms`).join(', ')}`,
    after === null
      ? `the router ended: ${output}`
      : [
          `${[before.resident, after.mostResident, after.resident, residentLater]
            .map((bytes) => (bytes === null ? '–' : inMb(bytes)))
            .join(', ')} (${inMb(memory.growth)}, ${inMb(memory.kept)})`,
          `${(cpu / 1000).toFixed(1)} s, ${(cpu / Math.max(1, tally.requests)).toFixed(2)} ms`,
          longestTurn === null ? '–' : `${longestTurn.toFixed(0)} ms`,
        ].join('; '),
  ].join(' | ')
}

/** Returns a percentile of times that are in ascending order. */
function percentile(times: readonly number[], part: number): number {
  return times[Math.max(0, Math.ceil((times.length * part) / 100) - 1)] ?? 0
}
