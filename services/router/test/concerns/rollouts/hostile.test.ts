/** Requests that are made to cost much, on rollouts that are as large as a manifest may have them. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type ManifestRollout, MAX_ROLLOUTS_LENGTH, MAX_ROLLOUTS_PER_GRAPH } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { RolloutCompiler } from '../../../src/concerns/rollouts/compile-rollouts.ts'
import { RolloutEvents } from '../../../src/concerns/rollouts/events.ts'
import { decisionOf } from '../../../src/concerns/rollouts/stage.ts'
import { rollout } from '../../support/rollouts.ts'

/** As much as a request may have in its headers. */
const HEADERS = 16 * 1024
const DECISIONS = 50
/** Milliseconds of CPU of one decision; it takes one at most. */
const MOST_MS = 10

const NO_VISITORS = { visitors: null, areVisitorsTold: false }
const compiler = new RolloutCompiler(new RolloutEvents(createLogger({ name: 'test', level: 'silent' })))

/** Fifty rollouts whose conditions all hold, but for the last one of each, within the limits of all. */
function largest(
  conditionOf: (number: number) => ManifestRollout['where'][number],
  key: readonly string[],
): readonly ManifestRollout[] {
  const of = (index: number, conditions: number) =>
    rollout({
      name: `r${index}`,
      key: [...key],
      where: Array.from({ length: conditions }, (_, number) => conditionOf(index * 10 + number)),
    })
  let rollouts: readonly ManifestRollout[] = []
  for (let conditions = 1; conditions <= 10; conditions++) {
    const all = Array.from({ length: MAX_ROLLOUTS_PER_GRAPH }, (_, index) => of(index, conditions))
    if (JSON.stringify(all).length > MAX_ROLLOUTS_LENGTH) break
    rollouts = all
  }
  expect(JSON.stringify(rollouts).length).toBeGreaterThan(MAX_ROLLOUTS_LENGTH / 3)
  return rollouts
}

function millisecondsOf(
  rollouts: readonly ManifestRollout[],
  headers: Record<string, string>,
  claims: Record<string, unknown> = {},
): number {
  const table = { rollouts: compiler.compile({ rollouts, featureFlags: { has: () => true } }) }
  const parts = { generations: { table }, config: { flags: { cookie: true } }, ...NO_VISITORS }
  const request = new IncomingMessage(new Socket())
  request.headers = headers
  const named = { name: headers['x-client'] ?? 'ios', version: headers['x-version'] ?? '1' }
  const exchange = { request, client: '2001:db8:0:1', named, identity: { claims, key: 'k' }, decision: null }
  const before = process.cpuUsage()
  for (let count = 0; count < DECISIONS; count++) {
    expect(decisionOf(exchange, parts).choice.from).toBe('none')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / DECISIONS
}

const filled = (text: string, size = HEADERS) => text.repeat(Math.ceil(size / text.length)).slice(0, size)

describe('a decision is bounded', () => {
  it.each<[string, readonly ManifestRollout[], Record<string, string>, Record<string, unknown>]>([
    [
      'cookies of many names, and a header full of them',
      largest((number) => ({ on: `cookie:a${number}`, not: { exists: true } }), ['cookie:key']),
      { cookie: filled('a1 ; a=b') },
      {},
    ],
    [
      'blanks between names of cookies',
      largest((number) => ({ on: `cookie:a${number}`, not: { equals: 'b' } }), ['cookie:key']),
      { cookie: `a1${filled(' ')}` },
      {},
    ],
    [
      'keys of 8 KiB',
      largest(() => ({ on: 'header:x-a', exists: true }), ['header:x-a', 'header:x-b']),
      { 'x-a': filled('é', 8192), 'x-b': filled(' ', 8192) },
      {},
    ],
    [
      'long texts, which begin as they are to begin',
      largest(() => ({ on: 'header:x-a', not: { ends_with: filled('b', 60) } }), ['header:key']),
      { 'x-a': filled('b', HEADERS - 1).concat('a') },
      {},
    ],
    [
      'versions that nearly are versions',
      largest(() => ({ on: 'client_version', not: { semver: '>=1.0.0-0 <2 || 5.x || ^7' } }), ['header:key']),
      { 'x-version': filled('1.2.3-a.b.c-', 128) },
      {},
    ],
    [
      'claims that are long lists',
      largest(() => ({ on: 'claim:roles', not: { starts_with: 'admin-of-everything' } }), ['header:key']),
      {},
      { roles: Array.from({ length: 4000 }, (_, number) => `role-${number}`) },
    ],
    [
      'networks',
      largest(
        (number) => ({
          on: 'address',
          not: { in: [`2001:db8:${number}:2::/64`, `10.0.${number % 256}.0/24`] },
        }),
        ['header:key'],
      ),
      {},
      {},
    ],
  ])('%s', (_, rollouts, headers, claims) => {
    expect(millisecondsOf(rollouts, headers, claims)).toBeLessThan(MOST_MS)
  })
})
