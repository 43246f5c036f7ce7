/**
 * Carries out every known attack on a router, and says what the attacker got and what somebody else noticed.
 * See README.md.
 *
 *   node infra/hunt/src/attacks/main.ts [--seconds 30] [--only <part of an attack's name>] [--types 1000]
 */
import { parseArgs } from 'node:util'
import { ATTACKS } from './all-attacks.ts'
import type { AttackReport } from './run-attack.ts'
import { PLATFORM_ATTACKS } from './platform-attacks.ts'
import { runAttack } from './run-attack.ts'
import { runPlatformAttack } from './run-platform-attack.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    types: { type: 'string', default: '1000' },
  },
})

/** Milliseconds within which 99 of 100 requests of somebody else are to be answered. */
const MAX_P99 = 100

console.log(
  'attack | attacker: requests, bytes, answers | somebody else: requests, failed, p50, p99, longest | router: resident before, most, after; CPU, CPU for each request of the attacker',
)
let isGood = true
for (const attack of ATTACKS) {
  if (!attack.name.includes(values.only)) continue
  const report = await runAttack(attack, { seconds: Number(values.seconds), types: Number(values.types) })
  judge(report)
}
for (const attack of PLATFORM_ATTACKS) {
  if (!attack.name.includes(values.only)) continue
  const report = await runPlatformAttack(attack, Number(values.seconds))
  judge(report)
  const { published } = report
  if (published.length > 0)
    console.log(
      `  somebody else published ${published.length} times; served within ${percentile(published, 50).toFixed(0)} ms, at most ${percentile(published, 100).toFixed(0)} ms`,
    )
}
process.exitCode = isGood ? 0 : 1

function judge(report: AttackReport): void {
  const { quiet, after } = report
  isGood &&= quiet.failures.length === 0 && percentile(quiet.times, 99) <= MAX_P99 && after !== null
  console.log(described(report))
}

function described(report: AttackReport): string {
  const { attack, tally, quiet, before, after, output } = report
  const answers = Object.entries(tally.answers).map(([answer, count]) => `${count} × ${answer}`)
  const failed = [...new Set(quiet.failures)].slice(0, 3).join('; ')
  const cpu = after === null ? 0 : after.cpu - before.cpu
  return [
    attack,
    `${tally.requests} requests, ${megabytes(tally.bytes)}, ${answers.join(', ')}`,
    `${quiet.requests} requests, ${quiet.failures.length} failed${failed === '' ? '' : ` (${failed})`}, ${[50, 99, 100].map((part) => `${percentile(quiet.times, part).toFixed(1)} ms`).join(', ')}`,
    after === null
      ? `the router ended: ${output}`
      : `${[before.resident, after.mostResident, after.resident].map(megabytes).join(', ')}; ${(cpu / 1000).toFixed(1)} s, ${(cpu / Math.max(1, tally.requests)).toFixed(2)} ms`,
  ].join(' | ')
}

/** Of times in ascending order. */
function percentile(times: readonly number[], part: number): number {
  return times[Math.max(0, Math.ceil((times.length * part) / 100) - 1)] ?? 0
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
