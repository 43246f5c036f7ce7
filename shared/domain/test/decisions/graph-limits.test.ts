/** A graph names no more than its records hold, whatever its flags and rollouts come to. */
import {
  CompositionRecord,
  ConfigRecord,
  type Manifest,
  MAX_RECORD_BYTES,
  type RecordedResult,
} from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import {
  type Command,
  compositionInputs,
  decide,
  emptyNamespace,
  manifestRollouts,
  type NamespaceState,
} from '../../src/index.ts'
import { fold, refusal, run, sha } from '../fold.ts'

const HASH = sha('f')
/** Values of an audience with as many bytes as their characters can have, and with marks that are escaped. */
const VALUE = '"本'.repeat(90)

const withFlag = run(
  emptyNamespace('default'),
  { type: 'create-federated-graph', name: 'shop', labelMatchers: [] },
  { type: 'publish-schema', name: 'a', schema: sha('1'), bytes: 1, routingUrl: 'http://a', labels: [] },
  { type: 'create-feature-subgraph', name: 'f', routingUrl: 'http://f', base: 'a' },
  { type: 'publish-schema', name: 'f', schema: sha('2'), bytes: 1 },
)

function nameOf(index: number): string {
  return `flag-${String(index).padStart(4, '0')}`
}

function withFlags(state: NamespaceState, count: number): NamespaceState {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'feature-flag.created' as const,
    name: nameOf(index),
    labels: [],
    featureSubgraphs: ['f'],
    enabled: true,
  }))
  return fold(state, ...events)
}

/** Creates flags one by one until one is refused. */
function untilFull(state: NamespaceState): NamespaceState {
  let full = state
  for (let index = state.flags.size; ; index += 1) {
    const command = flagNamed(nameOf(index))
    if (decide(full, command).kind === 'refused') return full
    if (index > 3000) throw new Error('no flag was refused')
    full = run(full, command)
  }
}

function flagNamed(name: string): Command {
  return { type: 'create-feature-flag', name, labels: [], featureSubgraphs: ['f'], enabled: true }
}

function rolloutWith(name: string, values: number): Command {
  return {
    type: 'create-rollout',
    name,
    graph: 'shop',
    flag: nameOf(0),
    percent: 5,
    key: ['claim:sub'],
    where: [{ on: 'claim:plan', in: Array.from({ length: values }, (_, index) => `${index}${VALUE}`) }],
    freshSalt: '1',
  }
}

/** The graph with as many rollouts as their own limit allows. */
function withRollouts(state: NamespaceState): NamespaceState {
  return Array.from({ length: 9 }, (_, index) => rolloutWith(`r${index}`, 22)).reduce(
    (one, command) => run(one, command),
    state,
  )
}

/** The records of a graph of which every flag fails, or is served in pieces, at their largest. */
function recordsOf(state: NamespaceState): readonly (CompositionRecord | ConfigRecord)[] {
  const flags = compositionInputs(state, 'shop')?.flags ?? []
  const failed: RecordedResult = {
    status: 'failed',
    inputHash: HASH,
    unchanged: false,
    errors: [],
    errorCount: 1_000_000,
    errorsBlob: HASH,
    hints: [],
  }
  const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const manifest: Manifest = {
    formatVersion: 1,
    graph: { namespace: 'default', name: 'shop' },
    epoch: 1_800_000_000_000,
    revision: 1_000_000,
    createdAt: '2026-01-01T00:00:00.000Z',
    registrySequence: 1_000_000,
    base: { artifact: HASH, pieces: HASH },
    featureFlags: Object.fromEntries(flags.map(({ name }) => [name, { artifact: HASH, pieces: HASH }])),
    rollouts: manifestRollouts(state, 'shop'),
    traceKeys: { keys: [] },
  }
  return [
    CompositionRecord.parse({
      v: 1,
      type: 'composition.completed',
      namespace: 'default',
      graph: 'shop',
      registrySequence: 1_000_000,
      traceparent: trace,
      base: failed,
      featureFlags: flags.map(({ name, unpublished }) => ({ name, unpublished, result: failed })),
      pinnedRevision: null,
    }),
    ConfigRecord.parse({
      v: 1,
      type: 'config.published',
      epoch: 1_800_000_000_000,
      revision: 1_000_000,
      manifest: JSON.stringify(manifest),
      signature: 's'.repeat(4096),
      cause: {
        compositionSequence: 1_000_000,
        registrySequence: 1_000_000,
        reason: 'composition',
        traceparent: trace,
      },
    }),
  ]
}

function bytesOf(record: unknown): number {
  return Buffer.byteLength(JSON.stringify(record))
}

describe('a graph', () => {
  it('has no more feature flags than its records hold, and hundreds of them', () => {
    const full = untilFull(withFlags(withFlag, 600))
    for (const record of recordsOf(full)) expect(bytesOf(record)).toBeLessThan(MAX_RECORD_BYTES)
    expect(full.flags.size).toBeGreaterThan(700)
    expect(refusal(decide(full, flagNamed('one-more')))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      detail: expect.stringMatching(
        /^Federated graph "shop" would name more feature flags, .*: up to \d{6} bytes, and the limit is 249856\. Nothing was changed\./,
      ),
    })
    // One that is off is in no record.
    const off = { ...flagNamed('one-more'), enabled: false } as Command
    const enable: Command = { type: 'enable-feature-flag', name: 'one-more' }
    expect(refusal(decide(run(full, off), enable)).code).toBe('LIMIT_EXCEEDED')
    const freed = run(full, off, { type: 'disable-feature-flag', name: nameOf(0) })
    expect(decide(freed, enable).kind).toBe('events')
  })

  it('has fewer where it has large rollouts, in bytes and not in characters', () => {
    const full = untilFull(withFlags(withRollouts(withFlags(withFlag, 1)), 1))
    for (const record of recordsOf(full)) expect(bytesOf(record)).toBeLessThan(MAX_RECORD_BYTES)
    expect(full.flags.size).toBeLessThan(600)
    expect(refusal(decide(full, rolloutWith('more', 2))).code).toBe('LIMIT_EXCEEDED')
  })

  it('that is full is changed in all ways that need no more room', () => {
    const full = untilFull(withRollouts(withFlags(withFlag, 1)))
    const plan = { steps: [10, 99.99], everyMs: 60_000, stop: { errors: { percent: 99.99 } } }
    const commands: Command[] = [
      { type: 'update-rollout', name: 'r0', percent: 33.33 },
      { type: 'ramp-rollout', name: 'r1', plan },
      { type: 'advance-rollout', name: 'r1' },
      { type: 'pause-rollout', name: 'r1' },
      { type: 'abort-rollout', name: 'r1' },
      { type: 'complete-rollout', name: 'r2' },
      { type: 'resume-rollout', name: 'r1' },
      { type: 'publish-schema', name: 'f', schema: sha('3'), bytes: 1 },
      { type: 'delete-rollout', name: 'r3' },
      { type: 'delete-feature-flag', name: nameOf(1) },
    ]
    const changed = run(full, ...commands)
    expect(changed.rollouts.get('r2')?.status).toBe('completed')
    expect(decide(changed, flagNamed('one-more')).kind).toBe('events')
  })

  it('that is larger than that, from before, may only get smaller', () => {
    const before = withFlags(withFlag, 2000)
    expect(refusal(decide(before, flagNamed('one-more'))).code).toBe('LIMIT_EXCEEDED')
    expect(decide(before, { type: 'disable-feature-flag', name: nameOf(0) }).kind).toBe('events')
    expect(decide(before, { type: 'publish-schema', name: 'f', schema: sha('3'), bytes: 1 }).kind).toBe(
      'events',
    )
  })
})
