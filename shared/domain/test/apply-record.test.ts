import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RegistryEvent, RegistryRecord } from '@switchyard/contracts'
import {
  affectedGraphs,
  applyRecord,
  applySystemRecord,
  commandOutcome,
  compositionInputs,
  emptyNamespace,
  emptySystem,
  type NamespaceState,
  PersistentMap,
} from '../src/index.ts'
import { RandomRun } from '@switchyard/testkit/random-run'
import { contentOf, recordOf, sha } from './fold.ts'

const created: RegistryEvent = { type: 'subgraph.created', name: 'a', routingUrl: 'http://a', labels: [] }

describe('which records count', () => {
  const empty = emptyNamespace('default')
  const first = applyRecord(empty, recordOf(empty, [created], { commandId: 'one', commandHash: sha('1') }), 7)

  it('remembers what a command did, for its repetition', () => {
    expect(commandOutcome(first.state, 'one')).toMatchObject({
      sequence: 7,
      message: 'Subgraph "a" was created.',
      created: true,
      commandHash: sha('1'),
    })
    expect(commandOutcome(first.state, 'two')).toBeNull()
  })

  it('skips a record that lost a race, and expects the next append after it all the same', () => {
    const late = applyRecord(
      first.state,
      recordOf(empty, [{ ...created, name: 'b' }], { commandId: 'late' }),
      9,
    )
    expect(late.outcome).toEqual({ kind: 'skipped', reason: 'lost-race' })
    expect([late.state.lastApplied, late.state.lastSequence, late.state.subgraphs.has('b')]).toEqual([
      7,
      9,
      false,
    ])
    expect(commandOutcome(late.state, 'late')).toBeNull()
  })

  it('skips a command that was applied before', () => {
    const again = applyRecord(first.state, recordOf(first.state, [created], { commandId: 'one' }), 9)
    expect(again.outcome).toEqual({ kind: 'skipped', reason: 'repeated-command' })
  })

  it('skips a sequence that it has seen', () => {
    expect(applyRecord(first.state, recordOf(first.state, [created]), 7)).toEqual({
      state: first.state,
      outcome: { kind: 'skipped', reason: 'seen-before' },
    })
  })

  it('forgets a command 24 hours of log time later, not a moment before', () => {
    const at = (time: string, sequence: number) => {
      const record = recordOf(first.state, [{ ...created, name: 'b' }], { time, commandId: 'two' })
      return applyRecord(first.state, record, sequence).state
    }
    expect(commandOutcome(at('2026-11-22T08:00:00.000Z', 8), 'one')).not.toBeNull()
    const later = at('2026-11-22T08:00:00.001Z', 8)
    expect(commandOutcome(later, 'one')).toBeNull()
    expect(later.commands.has('one')).toBe(false)
  })

  it('remembers a command of a registry whose clock is days late', () => {
    const late = recordOf(first.state, [{ ...created, name: 'b' }], {
      commandId: 'late',
      time: '2026-11-18T08:00:00.000Z',
    })
    const { state } = applyRecord(first.state, late, 8)
    expect(commandOutcome(state, 'late')).toMatchObject({ sequence: 8 })
    expect(applyRecord(state, { ...late, after: 8 }, 9).outcome).toEqual({
      kind: 'skipped',
      reason: 'repeated-command',
    })
  })
})

const NAMES = ['a', 'b', 'c', 'd']
const name = fc.constantFrom(...NAMES)
const label = fc.constantFrom('t=1', 't=2', 'e=1')
const labels = fc.uniqueArray(label, { maxLength: 2 })
const event: fc.Arbitrary<RegistryEvent> = fc.oneof(
  fc.record({ type: fc.constant('federated-graph.created' as const), name, labelMatchers: labels }),
  fc.record({ type: fc.constant('federated-graph.updated' as const), name, labelMatchers: labels }),
  fc.record({ type: fc.constant('federated-graph.deleted' as const), name }),
  fc.record({ type: fc.constant('federated-graph.pinned' as const), name, revision: fc.constantFrom(1, 2) }),
  fc.record({ type: fc.constant('federated-graph.unpinned' as const), name }),
  fc.record({ type: fc.constant('federated-graph.republished' as const), name }),
  fc.record({
    type: fc.constant('subgraph.created' as const),
    name,
    routingUrl: fc.constant('http://a'),
    labels,
  }),
  fc.record({
    type: fc.constant('subgraph.schema-published' as const),
    name,
    schema: fc.constantFrom(sha('1'), sha('2')),
    bytes: fc.constant(9),
  }),
  fc.record({ type: fc.constant('subgraph.updated' as const), name, labels }),
  fc.record({
    type: fc.constant('subgraph.updated' as const),
    name,
    routingUrl: fc.constantFrom('http://a', 'http://b'),
  }),
  fc.record({ type: fc.constant('subgraph.deleted' as const), name }),
  fc.record({
    type: fc.constant('feature-subgraph.created' as const),
    name: fc.constantFrom('f', 'g'),
    routingUrl: fc.constant('http://f'),
    base: name,
  }),
  fc.record({
    type: fc.constant('subgraph.schema-published' as const),
    name: fc.constantFrom('f', 'g'),
    schema: fc.constantFrom(sha('1'), sha('2')),
    bytes: fc.constant(9),
  }),
  fc.record({
    type: fc.constant('feature-flag.created' as const),
    name,
    labels,
    featureSubgraphs: fc.subarray(['f', 'g'], { minLength: 1 }),
    enabled: fc.boolean(),
  }),
  fc.record({ type: fc.constant('feature-flag.updated' as const), name, labels }),
  fc.record({ type: fc.constant('feature-flag.enabled' as const), name }),
  fc.record({ type: fc.constant('feature-flag.disabled' as const), name }),
  fc.record({ type: fc.constant('feature-flag.deleted' as const), name }),
)

/** How an entry of the log came about: written in turn, by a writer that was behind, or a second time. */
const step = fc.record({
  events: fc.array(event, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('in-turn' as const, 'in-turn' as const, 'behind' as const, 'repeated' as const),
})

/** `SEED=… RUNS=… vitest run shared/domain/test/apply-record.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 150)

describe('any log', { timeout: RUN.timeout(60_000) }, () => {
  it('folds to the same state again, with lost races and repeated commands changing nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log: { record: RegistryRecord; sequence: number }[] = []
        let state = emptyNamespace('default')
        let onlyGood = emptyNamespace('default')
        for (const { events, kind } of steps) {
          const sequence = state.lastSequence + 1 + (events.length % 2)
          const first = log[0]
          const record =
            kind === 'repeated' && first !== undefined
              ? { ...recordOf(state, events), commandId: first.record.commandId }
              : recordOf(state, events, kind === 'behind' ? { after: state.lastApplied + 1000 } : {})
          log.push({ record, sequence })
          const applied = applyRecord(state, record, sequence)
          const isGood = kind === 'in-turn' || (kind === 'repeated' && first === undefined)
          // The first entry may itself have been skipped; its id is then free for another record.
          if (isGood) expect(applied.outcome.kind).toBe('applied')
          if (kind === 'behind') expect(applied.outcome.kind).toBe('skipped')
          if (applied.outcome.kind === 'applied') {
            onlyGood = applyRecord(onlyGood, record, sequence).state
          } else {
            expect(contentOf(applied.state)).toEqual(contentOf(state))
          }
          state = applied.state
        }
        const replayed = log.reduce(
          (current, { record, sequence }) => applyRecord(current, record, sequence).state,
          emptyNamespace('default'),
        )
        expect(contentOf(replayed)).toEqual(contentOf(state))
        expect(contentOf(onlyGood)).toEqual(contentOf(state))
      }),
      RUN.parameters,
    )
  })

  it('names every graph whose inputs change, and keeps flags and members consistent', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let state = emptyNamespace('default')
        for (const item of events) {
          const before = state
          state = applyRecord(state, recordOf(state, [item]), state.lastSequence + 1).state
          const affected = affectedGraphs(before, state)
          for (const graphName of new Set([...before.graphs.keys(), ...state.graphs.keys()])) {
            if (affected.includes(graphName)) continue
            expect(compositionInputs(state, graphName)).toEqual(compositionInputs(before, graphName))
          }
          expectConsistent(state)
        }
      }),
      RUN.parameters,
    )
  })
})

function expectConsistent(state: NamespaceState): void {
  for (const graphName of state.graphs.keys()) {
    for (const flag of compositionInputs(state, graphName)?.flags ?? []) {
      const definition = state.flags.get(flag.name)
      expect(definition?.enabled).toBe(true)
      const replaced = flag.subgraphs.filter((input) => input.baseName !== null)
      expect(replaced.length).toBeGreaterThan(0)
      for (const input of replaced) expect(definition?.featureSubgraphs).toContain(input.name)
    }
  }
}

describe('the persistent map', { timeout: RUN.timeout(60_000) }, () => {
  it('behaves like a map, and knows the keys in which two versions differ', () => {
    const key = fc.oneof(fc.constantFrom('constructor', '__proto__', ''), fc.string({ maxLength: 3 }))
    const changes = fc.array(fc.tuple(key, fc.option(fc.integer())), { maxLength: 80 })
    fc.assert(
      fc.property(changes, changes, (first, second) => {
        const model = new Map<string, number>()
        let map = PersistentMap.empty<number>()
        const apply = (list: typeof first) => {
          for (const [name, value] of list) {
            if (value === null) model.delete(name)
            else model.set(name, value)
            map = value === null ? map.delete(name) : map.set(name, value)
          }
        }
        apply(first)
        const modelBefore = new Map(model)
        const before = map
        apply(second)
        expect(new Map(map)).toEqual(model)
        expect(map.size).toBe(model.size)
        expect(new Map(before)).toEqual(modelBefore)
        const differing = new Set(
          [...model.keys(), ...modelBefore.keys()].filter((k) => model.get(k) !== modelBefore.get(k)),
        )
        expect(before.changedKeys(map)).toEqual(differing)
        expect(map.changedKeys(before)).toEqual(differing)
      }),
      RUN.parameters,
    )
  })

  it('keeps keys of equal hash apart', () => {
    const [one, two] = collidingKeys()
    const map = PersistentMap.empty<number>().set(one, 1).set(two, 2)
    expect([map.get(one), map.get(two), map.size]).toEqual([1, 2, 2])
    expect([map.delete(one).get(two), map.delete(one).has(one)]).toEqual([2, false])
  })
})

/**
 * Two short texts with the same 32-bit FNV-1a hash: among a million there is a pair, by the birthday rule.
 */
function collidingKeys(): readonly [string, string] {
  const seen = new Map<number, string>()
  for (let index = 0; index < 1_000_000; index += 1) {
    const text = index.toString(36)
    let hash = 0x811c9dc5
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    const other = seen.get(hash)
    if (other !== undefined) return [other, text]
    seen.set(hash, text)
  }
  throw new Error('no two texts have the same hash')
}

describe('the system log', () => {
  it('holds API keys until they are deleted and trace keys until they are retired', () => {
    const base = { v: 1 as const, actor: 'bootstrap', time: '2026-11-21T08:00:00.000Z' }
    const jwk = { kty: 'OKP' as const, crv: 'Ed25519' as const, x: 'abc', kid: 'k1' }
    const one = applySystemRecord(
      emptySystem(),
      {
        ...base,
        commandId: '1',
        after: 0,
        events: [
          { type: 'api-key.created', id: 'k', name: 'ci', sha256: sha('1'), scopes: ['read'] },
          { type: 'trace-key.created', jwk },
          { type: 'signing-key.created', jwk },
        ],
      },
      3,
    )
    expect([one.apiKeys.get('k')?.scopes, one.traceKeys.size, one.signingKeys.size]).toEqual([['read'], 1, 1])
    const stale = applySystemRecord(
      one,
      { ...base, commandId: '2', after: 0, events: [{ type: 'api-key.deleted', id: 'k' }] },
      4,
    )
    expect(stale.apiKeys.size).toBe(1)
    const two = applySystemRecord(
      stale,
      {
        ...base,
        commandId: '3',
        after: 3,
        events: [
          { type: 'api-key.deleted', id: 'k' },
          { type: 'trace-key.retired', kid: 'k1' },
          { type: 'signing-key.retired', kid: 'k1' },
        ],
      },
      5,
    )
    expect([two.apiKeys.size, two.traceKeys.size, two.signingKeys.size]).toEqual([0, 0, 0])
  })
})
