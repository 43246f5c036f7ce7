/** Measures what rollouts cost a request: the choice of its composition, without HTTP. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { ManifestRollout } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { RolloutCompiler } from '../src/concerns/rollouts/compile-rollouts.ts'
import { RolloutEvents } from '../src/concerns/rollouts/events.ts'
import { decisionOf } from '../src/concerns/rollouts/stage.ts'
import { benchOptions } from './bench-options.ts'

const { decisions, rounds } = benchOptions({ decisions: 200_000, rounds: 7 })

const compiler = new RolloutCompiler(new RolloutEvents(createLogger({ name: 'bench', level: 'silent' })))
const NO_VISITORS = { visitors: null, areVisitorsTold: false }
const FLAGS = { has: () => true }
const SALT = 'new-catalogue-5f1c0a9e7b3d2846'

type Conditions = ManifestRollout['where']

/** Ten rollouts of three conditions, of which the last one alone is for the request. */
function ten(whereOf: (isLast: boolean) => Conditions): readonly ManifestRollout[] {
  return Array.from({ length: 10 }, (_, index) => ({
    name: `rollout-${index}`,
    flag: `flag-${index}`,
    mode: 'serve',
    where: whereOf(index === 9),
    percent: 5,
    key: ['claim:sub', 'cookie:visitor'],
    salt: SALT,
  }))
}

const org = (isLast: boolean) => ({ on: 'claim:org', equals: isLast ? 'acme' : 'other' }) as const
const CASES: readonly (readonly [string, readonly ManifestRollout[]])[] = [
  ['no rollouts', []],
  [
    'claims and headers',
    ten((isLast) => [
      { on: 'claim:plan', in: ['pro', 'team'] },
      { on: 'header:x-region', not: { equals: 'us' } },
      org(isLast),
    ]),
  ],
  [
    'a list of roles, a cookie',
    ten((isLast) => [
      { on: 'claim:roles', equals: 'editor' },
      { on: 'cookie:theme', starts_with: 'd' },
      org(isLast),
    ]),
  ],
  [
    'version and address',
    ten((isLast) => [
      { on: 'client_version', semver: '>=2.1.0 <3' },
      { on: 'address', in: ['192.0.2.0/24', '10.0.0.0/8', '2001:db8::/32'] },
      org(isLast),
    ]),
  ],
]

const request = new IncomingMessage(new Socket())
request.headers = {
  host: 'shop.example',
  accept: 'application/json',
  'content-type': 'application/json',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  cookie: 'theme=dark; session=0123456789abcdef; visitor=7b3d2846',
  'x-region': 'eu',
}
const claims = { sub: 'user-123456', plan: 'pro', org: 'acme', roles: ['reader', 'editor'] }
const exchange = {
  request,
  client: '192.0.2.7',
  named: { name: 'ios', version: '2.3.4' },
  identity: { claims, key: 'k' },
  decision: null,
}

/** Microseconds of CPU of one choice, the median of the rounds. */
function measure(rollouts: readonly ManifestRollout[]): number {
  const table = { rollouts: compiler.compile({ rollouts, featureFlags: FLAGS }) }
  const parts = { generations: { table }, config: { flags: { cookie: true } }, ...NO_VISITORS }
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    for (let count = 0; count < decisions; count++) decisionOf(exchange, parts)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / decisions
  })
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

for (const [name, rollouts] of CASES)
  process.stdout.write(`${name.padEnd(28)}${measure(rollouts).toFixed(3)} µs\n`)
