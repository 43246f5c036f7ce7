/** When results are told, and of which processes. */
import {
  type RouterDifferences,
  RouterDifferences as Message,
  type RolloutResults,
} from '@switchyard/contracts'
import { createMemoryAnnouncer } from '@switchyard/event-log'
import { FleetKey } from '@switchyard/service-kit'
import { describe, expect, it } from 'vitest'
import { describeValues } from '../../src/concerns/shadows/results/describe-value.ts'
import { ShadowResults } from '../../src/concerns/shadows/results/shadow-results.ts'
import { announceDifferences, DifferencesReport } from '../../src/shadows/differences-report.ts'
import { until } from '../support/router.ts'

const GRAPH = { namespace: 'default', graph: 'shop' }
const NEVER_MS = 1_000_000

function reported(rollouts: () => readonly string[] | null = () => ['compare']) {
  let now = 0
  let keeps = true
  const keepsValues = () => keeps
  const results = new ShadowResults({ describe: describeValues(keepsValues), keepsValues, now: () => now })
  const told: (readonly RolloutResults[])[] = []
  const report = new DifferencesReport({
    results,
    rollouts,
    tell: (all) => told.push(all),
    interval: NEVER_MS,
  })
  const settings = (values: { now?: number; keeps?: boolean }) => {
    now = values.now ?? now
    keeps = values.keeps ?? keeps
  }
  return { results, told, report, settings }
}

describe('results', () => {
  it('are told when they changed, and now and then while they have not, but never while there are none', () => {
    const { results, told, report } = reported()
    report.look()
    expect(told).toEqual([])
    results.of({ name: 'compare', flag: 'next' }).unanswerable('Q')
    for (let look = 0; look < 31; look++) report.look()
    expect(told).toHaveLength(2)
    results.of({ name: 'compare', flag: 'next' }).unanswerable('Q')
    report[Symbol.dispose]()
    expect(told.at(-1)).toMatchObject([{ rollout: 'compare', operations: [{ unanswerable: 2 }] }])
  })

  it('of rollouts that are gone, or have another flag, are forgotten', () => {
    let rollouts = ['compare', 'other']
    const { results, told, report } = reported(() => rollouts)
    results.of({ name: 'compare', flag: 'next' }).unanswerable('Q')
    results.of({ name: 'other', flag: 'next' }).unanswerable('Q')
    report.look()
    expect(told.at(-1)).toHaveLength(2)
    rollouts = ['compare']
    results.of({ name: 'compare', flag: 'second' }).unanswerable('R')
    report.look()
    expect(told.at(-1)).toMatchObject([{ flag: 'second', operations: [{ operation: 'R' }] }])
    rollouts = []
    report.look()
    expect(told.at(-1)).toEqual([])
    report[Symbol.dispose]()
  })

  it('have values for a day, and none once the settings do not say so', () => {
    const { results, settings } = reported()
    const side = { type: 'number', value: 5 }
    const difference = { path: 'a', cause: 'value', code: null, base: side, flag: side } as const
    results.of({ name: 'compare', flag: 'next' }).compared({
      operation: 'Q',
      comparison: { differences: [difference], isReordered: false },
      itself: null,
      baseMs: 1,
      flagMs: 1,
      at: 0,
    })
    const valueOf = () => results.all()[0]?.differences[0]?.base.value
    expect(valueOf()).toBe('5')
    settings({ now: 24 * 60 * 60_000 + 1 })
    expect(valueOf()).toBeUndefined()
    settings({ now: 0, keeps: false })
    expect(valueOf()).toBeUndefined()
  })

  it('are announced for each process of a router, signed one after the other', async () => {
    await using announcer = createMemoryAnnouncer()
    const heard: { readonly message: RouterDifferences; readonly isBelieved: boolean }[] = []
    const fleetKey = new FleetKey('k'.repeat(32))
    const verifier = fleetKey.verifier()
    announcer.subscribe('router.differences.>', (message, subject) => {
      const isBelieved = verifier.judge(subject, subject, message).disbelief === null
      heard.push({ message: Message.parse(message), isBelieved })
    })
    let graph: typeof GRAPH | null = null
    const tell = announceDifferences({ announcer, fleetKey, instance: 'r1', graph: () => graph })
    tell([])
    graph = GRAPH
    tell([], 'worker-1')
    tell([], 'worker-2')
    tell([])
    await until(() => heard.length === 3, 'three messages are heard')
    expect(heard.every(({ isBelieved }) => isBelieved)).toBe(true)
    expect(new Set(heard.map(({ message: { boot } }) => boot)).size).toBe(3)
  })
})
