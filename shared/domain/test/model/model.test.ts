/**
 * Random runs of the domain beside the model, with everything thrown in that an append-only log can do to its
 * readers.
 */
import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import type { RegistryEvent, RegistryRecord } from '@switchyard/contracts'
import {
  applyEvents,
  applyRecord,
  type Command,
  commandWarnings,
  compositionInputs,
  decide,
  type Decision,
  emptyNamespace,
  type NamespaceState,
  snapshotOf,
  stateOfSnapshot,
} from '../../src/index.ts'
import { RandomRun } from '@switchyard/testkit/random-run'
import { contentOf, feature, flag, graph, publish, recordOf, sha } from '../fold.ts'
import { arbitraryCommand } from './arbitrary-command.ts'
import { type Answer, type Content, Model, type Promoted } from './model.ts'

type LogEntry = { readonly record: RegistryRecord; readonly sequence: number }

/** What is measured: a log, and the state that a registry has after folding it. */
class Registry {
  readonly log: LogEntry[] = []
  /** After every entry; the last one is now. */
  readonly states: NamespaceState[]
  now = Date.parse('2026-11-21T08:00:00.000Z')
  /** When each command was applied: what a registry may not apply again within 24 hours. */
  readonly appliedAt = new Map<string, number>()
  readonly seen: Map<string, number>

  constructor(namespace: string, seen: Map<string, number>) {
    this.states = [emptyNamespace(namespace)]
    this.seen = seen
  }

  get state(): NamespaceState {
    return this.states.at(-1) as NamespaceState
  }

  count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  /** Some entry; undefined while there is none. */
  entryAt(at: number): LogEntry | undefined {
    return this.log[at % Math.max(1, this.log.length)]
  }

  append(events: readonly RegistryEvent[], more: Partial<RegistryRecord> = {}, gap = 1) {
    const time = new Date(this.now).toISOString()
    const record = recordOf(this.state, events, { commandId: `c${this.log.length}`, time, ...more })
    const sequence = this.state.lastSequence + gap
    this.log.push({ record, sequence })
    const { state, outcome } = applyRecord(this.state, record, sequence)
    this.states.push(state)
    if (outcome.kind === 'applied') this.appliedAt.set(record.commandId, this.now)
    return outcome
  }

  isRemembered(commandId: string): boolean {
    const at = this.appliedAt.get(commandId)
    return at !== undefined && this.state.logTime - at <= 24 * 60 * 60 * 1000
  }
}

/** May happen at any time. */
abstract class Step implements fc.Command<Model, Registry> {
  check(): boolean {
    return true
  }
  abstract run(model: Model, registry: Registry): void
  abstract toString(): string
}

class Ask extends Step {
  readonly command: Command
  readonly gap: number
  readonly pause: number
  constructor(command: Command, gap: number, pause: number) {
    super()
    this.command = command
    this.gap = gap
    this.pause = pause
  }
  run(model: Model, registry: Registry): void {
    registry.now += this.pause
    const decision = decide(registry.state, this.command)
    const answer = model.execute(this.command)
    expectSameVerdict(decision, answer)
    registry.count(`${this.command.type}: ${answer.verdict}`)
    expectSnapshotDecides(registry.state, this.command, decision)
    if (decision.kind === 'events') {
      const outcome = registry.append(decision.events, {}, this.gap)
      expect(outcome).toMatchObject({
        kind: 'applied',
        message: decision.message,
        created: decision.created,
        affectedGraphs: answer.affected,
      })
      for (const warning of commandWarnings(registry.state, this.command, answer.affected)) {
        expect(warning).toMatch(/^[A-Z"].*\.$/s)
      }
      if (answer.affected.length > 0) registry.count(`${this.command.type} affects graphs`)
    }
    expectUndone(registry, decision)
    expectSameState(registry.state, model)
  }
  toString(): string {
    return JSON.stringify(this.command)
  }
}

/** Undoing a promotion at once brings back the state of before, and what a graph is composed of. */
function expectUndone({ state: after, states }: Registry, decision: Decision): void {
  const before = states.at(-2)
  if (decision.kind !== 'events' || before === undefined) return
  const launch = decision.events.find(({ type }) => type === 'feature-flag.launched')
  if (launch?.type !== 'feature-flag.launched') return
  const undone = decide(after, { type: 'undo-promotion', name: launch.name })
  if (undone.kind !== 'events') throw new Error('a promotion could not be undone at once')
  const content = (state: NamespaceState) => {
    const { sequence: _later, featureFlags, ...rest } = snapshotOf(state)
    // A promotion takes the place of an earlier one, of which nothing is left to undo.
    return { ...rest, featureFlags: featureFlags.map(({ launched: _earlier, ...flag }) => flag) }
  }
  const restored = applyEvents(after, undone.events)
  expect(content(restored)).toEqual(content(before))
  expect(restored.flags.get(launch.name)?.launched).toBeNull()
  for (const graph of before.graphs.keys())
    expect(compositionInputs(restored, graph)).toEqual(compositionInputs(before, graph))
  expect(decide(after, { type: 'promote-feature-flag', name: launch.name }).kind).toBe('unchanged')
}

/** A command beside an entry of the log, whichever there is. */
abstract class CommandAt extends Step {
  readonly at: number
  readonly command: Command
  constructor(at: number, command: Command) {
    super()
    this.at = at
    this.command = command
  }
}

/** A record of the log is appended once more: the broker's, or a writer's retry. */
class Duplicate extends Step {
  readonly at: number
  constructor(at: number) {
    super()
    this.at = at
  }
  run(model: Model, registry: Registry): void {
    const entry = registry.entryAt(this.at)
    if (entry === undefined) return
    const { commandId, time, after } = entry.record
    const outcome = registry.append(entry.record.events, { commandId, time, after })
    expect(outcome.kind).toBe('skipped')
    const redelivered = applyRecord(registry.state, entry.record, entry.sequence)
    expect(redelivered).toEqual({
      state: registry.state,
      outcome: { kind: 'skipped', reason: 'seen-before' },
    })
    registry.count('duplicate')
    expectSameState(registry.state, model)
  }
  toString(): string {
    return `record ${this.at} again`
  }
}

/** Another command under an id that was used. It counts only when the id is a day old. */
class ReusedId extends CommandAt {
  run(model: Model, registry: Registry): void {
    const entry = registry.entryAt(this.at)
    const decision = decide(registry.state, this.command)
    if (entry === undefined || decision.kind !== 'events') return
    const { commandId } = entry.record
    const isRemembered = registry.isRemembered(commandId)
    const outcome = registry.append(decision.events, { commandId })
    if (isRemembered) expect(outcome).toEqual({ kind: 'skipped', reason: 'repeated-command' })
    else
      expect(outcome).toMatchObject({ kind: 'applied', affectedGraphs: model.execute(this.command).affected })
    registry.count(isRemembered ? 'reused id' : 'forgotten id')
    expectSameState(registry.state, model)
  }
  toString(): string {
    return `${JSON.stringify(this.command)} under the id of record ${this.at}`
  }
}

/** A writer that had not read on decides on an old state, and the server lets its record through. */
class LostRace extends CommandAt {
  run(model: Model, registry: Registry): void {
    const old = registry.states[this.at % registry.states.length] as NamespaceState
    const decision = decide(old, this.command)
    if (decision.kind !== 'events' || old.lastApplied === registry.state.lastApplied) return
    const outcome = registry.append(decision.events, { after: old.lastApplied })
    expect(outcome).toEqual({ kind: 'skipped', reason: 'lost-race' })
    registry.count('lost race')
    expectSameState(registry.state, model)
  }
  toString(): string {
    return `${JSON.stringify(this.command)} decided at ${this.at}`
  }
}

function expectSameVerdict(decision: Decision, answer: Answer): void {
  if (decision.kind !== 'refused') {
    expect(decision.kind === 'events' ? 'accepted' : 'unchanged').toBe(answer.verdict)
    return
  }
  expect(decision.problem.code).toBe(answer.verdict)
  expect(decision.problem.problems?.length ?? 0).toBe(answer.faults)
}

/** What somebody far away works out from a snapshot is what the registry would decide. */
function expectSnapshotDecides(state: NamespaceState, command: Command, decision: Decision): void {
  if (!state.exists) return
  const restored = stateOfSnapshot(snapshotOf(state))
  expect(snapshotOf(restored)).toEqual(snapshotOf(state))
  expect(decide(restored, command)).toEqual(decision)
}

function expectSameState(state: NamespaceState, model: Model): void {
  expect(state.exists).toBe(model.exists)
  const { graphs, subgraphs, featureFlags, rollouts, previews, previewHosts } = snapshotOf(state)
  expect(graphs).toEqual(
    listed(model.graphs, ({ matchers, pin, allowsUnenforced, publicUrl, manifests }) => ({
      labelMatchers: [...matchers].sort(),
      pinnedRevision: pin,
      allowUnenforcedAuthorization: allowsUnenforced,
      publicUrl,
      documents: listed(manifests, ({ text: manifest, bytes, documents, clients }) => ({
        manifest,
        bytes,
        documents,
        clients: clients === null ? null : [...clients],
      })),
    })),
  )
  expect(subgraphs).toEqual(
    listed(model.subgraphs, ({ base, url, labels, schema, bytes }) => ({
      routingUrl: url,
      labels: [...labels].sort(),
      base,
      schema: schema === null ? null : { sha256: schema, bytes },
    })),
  )
  expect(featureFlags).toEqual(
    listed(model.flags, ({ labels, members, enabled, launched }) => ({
      labels: [...labels].sort(),
      featureSubgraphs: [...members].sort(),
      enabled,
      ...(launched === null
        ? {}
        : { launched: { sequence: expect.any(Number), promoted: launched.map(promotedOf) } }),
    })),
  )
  const places = new Map<string, number>()
  const ranked = [...model.rollouts].map(([name, rollout]) => {
    const place = places.get(rollout.graph) ?? 0
    places.set(rollout.graph, place + 1)
    return [name, { ...rollout, place }] as const
  })
  expect(rollouts).toEqual(
    listed(new Map(ranked), ({ where, key, ramp, shadow, ...rollout }) => ({
      ...rollout,
      ramp:
        ramp === null
          ? null
          : {
              ...ramp.plan,
              step: ramp.step,
              state: ramp.state,
              begun: ramp.begun,
              attempt: ramp.attempt,
              since: expect.any(Number),
              sinceTime: expect.any(Number),
              judgement: null,
              emergency: null,
            },
      where: JSON.parse(where),
      key: JSON.parse(key),
      shadow: JSON.parse(shadow),
    })),
  )
  expect(previews).toEqual(
    listed(model.previews, ({ flag: name, subgraphs: replaced, expires }) => ({
      flag: name,
      subgraphs: [...replaced.values()].sort((left, right) => (left.base < right.base ? -1 : 1)),
      expires: new Date(expires).toISOString(),
    })),
  )
  expect(previewHosts.toSorted()).toEqual([...model.previewHosts].sort())
  for (const graph of model.graphs.keys()) {
    expect(inputsText(state, graph)).toBe(model.inputs(graph))
  }
}

function promotedOf({ subgraph, member, before, after }: Promoted) {
  const content = ({ url, ...rest }: Content) => ({ ...rest, routingUrl: url })
  return { subgraph, featureSubgraph: member, before: content(before), after: content(after) }
}

function listed<Item>(items: ReadonlyMap<string, Item>, view: (item: Item) => object): unknown[] {
  return [...items]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, item]) => ({ name, ...view(item) }))
}

/** In the words of the model. */
function inputsText(state: NamespaceState, graph: string): string {
  const inputs = compositionInputs(state, graph)
  if (inputs === null) return 'no such graph'
  type Input = (typeof inputs.base)[number]
  const text = ({ name, routingUrl, schema, baseName, preview }: Input) =>
    [name, routingUrl, schema, baseName ?? [], preview ? 'preview' : []].flat()
  const sorted = (list: readonly Input[]) =>
    list.map(text).sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  const flags = inputs.flags.map(({ name, subgraphs }) => [name, sorted(subgraphs)])
  const previews = inputs.previews.map(({ name, subgraphs, expires }) => [name, sorted(subgraphs), expires])
  return JSON.stringify([
    sorted(inputs.base),
    flags,
    previews.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)),
    inputs.pinnedRevision,
    inputs.allowUnenforcedAuthorization,
    inputs.documents.map(({ name }) => name),
  ])
}

function replay(namespace: string, log: readonly LogEntry[]): NamespaceState {
  return log.reduce(
    (state, { record, sequence }) => applyRecord(state, record, sequence).state,
    emptyNamespace(namespace),
  )
}

const HOUR = 60 * 60 * 1000
const at = fc.nat(200)
const ask = fc
  .tuple(arbitraryCommand, fc.constantFrom(1, 1, 3), fc.constantFrom(0, 1, HOUR, 9 * HOUR))
  .map((parts) => new Ask(...parts))
const anything = fc.commands(
  [
    ask,
    ask,
    ask,
    ask,
    ask,
    ask,
    at.map((entry) => new Duplicate(entry)),
    fc.tuple(at, arbitraryCommand).map((parts) => new ReusedId(...parts)),
    fc.tuple(at, arbitraryCommand).map((parts) => new LostRace(...parts)),
  ],
  { maxCommands: 80, size: 'max' },
)

/** Mostly from a namespace with something in it: flags need many things in place before they do anything. */
const furnished: readonly Command[] = [
  { type: 'create-namespace' },
  graph('shop', 't=1'),
  graph('depot', 't=1,t=2'),
  { ...publish('a', '1'), routingUrl: 'http://one/', labels: ['t=1'] },
  { ...publish('b', '1'), routingUrl: 'http://one/', labels: ['t=1', 't=2'] },
  feature('f', 'a'),
  feature('g', 'b'),
  publish('f', '2'),
  flag('x', ['f'], { labels: ['t=1'], enabled: true }),
  flag('y', ['f', 'g'], { labels: ['t=1', 't=2'] }),
  {
    type: 'create-rollout',
    name: 's',
    graph: 'shop',
    flag: 'x',
    freshSalt: '0',
    percent: 5,
    key: ['address'],
  },
  { type: 'ramp-rollout', name: 's', plan: { steps: [5, 50], everyMs: 60_000 } },
  { type: 'create-rollout', name: 'r', graph: 'shop', flag: 'y', freshSalt: '0', key: ['address'] },
  { type: 'ramp-rollout', name: 'r', plan: { steps: [5], everyMs: 60_000 } },
  { type: 'set-preview-hosts', hosts: ['*.p.test'] },
  {
    type: 'create-preview',
    name: 'p',
    subgraphs: [{ base: 'a', routingUrl: 'http://one.p.test/', schema: sha('2'), bytes: 3 }],
    ttlSeconds: 120,
    orUpdate: false,
    freshSalt: '0123456789abcdef',
    now: Date.UTC(2026, 10, 21),
  },
  {
    type: 'publish-documents',
    graph: 'shop',
    name: 'web',
    manifest: sha('1'),
    bytes: 3,
    documents: 1,
    clients: null,
  },
] as readonly Command[]
const promotion: Command = { type: 'promote-feature-flag', name: 'x' }
const start = fc.oneof(
  { weight: 1, arbitrary: fc.constant<readonly Command[]>([]) },
  { weight: 3, arbitrary: fc.constant(furnished) },
  { weight: 1, arbitrary: fc.constant([...furnished, promotion]) },
)

/** `SEED=… RUNS=… vitest run shared/domain/test/model/model.test.ts` repeats or lengthens a run. */
const RUN = new RandomRun(import.meta.url, 450, 650)

describe('the domain and a plain model of the product rules', () => {
  // Two thousand runs are some 15 s of CPU, which a machine with other work stretches.
  it('accept and refuse the same, hold the same state, affect the same graphs, and replay to it', {
    timeout: RUN.timeout(240_000),
  }, () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(fc.constantFrom('default', 'team'), start, anything, (namespace, first, commands) => {
        const registry = new Registry(namespace, seen)
        const model = new Model(namespace)
        for (const command of first) new Ask(command, 1, 0).run(model, registry)
        fc.modelRun(() => ({ model, real: registry }), commands)
        expect(contentOf(replay(namespace, registry.log))).toEqual(contentOf(registry.state))
      }),
      RUN.parameters,
    )
    console.log(
      [...seen]
        .sort()
        .map((e) => e.join(' '))
        .join('\n'),
    )
    const missing = EVERY_OUTCOME.filter((outcome) => !seen.has(outcome))
    expect(missing, JSON.stringify([...seen], null, 1)).toEqual([])
  })
})

const EVERY_OUTCOME = [
  'create-namespace: accepted',
  'create-namespace: ALREADY_EXISTS',
  'delete-namespace: accepted',
  'delete-namespace: NAMESPACE_PROTECTED',
  'create-federated-graph: accepted',
  'create-federated-graph: ALREADY_EXISTS',
  ...['update-federated-graph', 'pin-federated-graph', 'unpin-federated-graph'].flatMap((type) => [
    `${type}: accepted`,
    `${type}: unchanged`,
    `${type}: NOT_FOUND`,
  ]),
  'delete-federated-graph: accepted',
  'republish-federated-graph: accepted',
  'republish-federated-graph: NOT_FOUND',
  'delete-federated-graph: NOT_FOUND',
  ...['accepted', 'unchanged', 'NOT_FOUND'].map((verdict) => `publish-documents: ${verdict}`),
  'delete-documents: accepted',
  'delete-documents: NOT_FOUND',
  'create-subgraph: accepted',
  'create-subgraph: ALREADY_EXISTS',
  'create-feature-subgraph: accepted',
  'create-feature-subgraph: ALREADY_EXISTS',
  'create-feature-subgraph: BASE_SUBGRAPH_NOT_FOUND',
  ...['accepted', 'unchanged', 'NOT_FOUND', 'INVALID_REQUEST', 'FEATURE_SUBGRAPH_EXPECTED'].map(
    (verdict) => `publish-schema: ${verdict}`,
  ),
  'publish-schema: BASE_SUBGRAPH_NOT_FOUND',
  ...['accepted', 'unchanged', 'NOT_FOUND', 'INVALID_REQUEST'].map(
    (verdict) => `update-subgraph: ${verdict}`,
  ),
  'delete-subgraph: accepted',
  'delete-subgraph: NOT_FOUND',
  'create-feature-flag: accepted',
  'create-feature-flag: ALREADY_EXISTS',
  'create-feature-flag: FEATURE_FLAG_INVALID',
  ...['accepted', 'unchanged', 'NOT_FOUND', 'FEATURE_FLAG_INVALID'].map(
    (verdict) => `update-feature-flag: ${verdict}`,
  ),
  'delete-feature-flag: accepted',
  'delete-feature-flag: NOT_FOUND',
  ...['accepted', 'unchanged', 'NOT_FOUND', 'FEATURE_FLAG_INVALID'].map(
    (verdict) => `promote-feature-flag: ${verdict}`,
  ),
  ...['accepted', 'unchanged', 'NOT_FOUND', 'UNDO_NOT_POSSIBLE'].map(
    (verdict) => `undo-promotion: ${verdict}`,
  ),
  ...['accepted', 'ALREADY_EXISTS', 'NOT_FOUND', 'ROLLOUT_INVALID'].map(
    (verdict) => `create-rollout: ${verdict}`,
  ),
  ...['accepted', 'unchanged', 'NOT_FOUND', 'ROLLOUT_INVALID'].map((verdict) => `update-rollout: ${verdict}`),
  ...['abort-rollout', 'resume-rollout', 'complete-rollout', 'delete-rollout'].flatMap((type) => [
    `${type}: accepted`,
    `${type}: NOT_FOUND`,
  ]),
  'ramp-rollout: accepted',
  'ramp-rollout: unchanged',
  'ramp-rollout: ROLLOUT_INVALID',
  ...['advance-rollout', 'pause-rollout', 'end-ramp-of-rollout'].flatMap((type) => [
    `${type}: accepted`,
    `${type}: RAMP_MOVED_ON`,
  ]),
  'resume-rollout: unchanged',
  'set-preview-hosts: accepted',
  'set-preview-hosts: unchanged',
  ...['accepted', 'ALREADY_EXISTS', 'PREVIEW_INVALID'].map((verdict) => `create-preview: ${verdict}`),
  ...['accepted', 'unchanged', 'NOT_FOUND', 'PREVIEW_INVALID'].map((verdict) => `update-preview: ${verdict}`),
  'delete-preview: accepted',
  'delete-preview: NOT_FOUND',
  'expire-preview: accepted',
  'expire-preview: unchanged',
  ...['enable-feature-flag', 'disable-feature-flag'].flatMap((type) => [
    `${type}: accepted`,
    `${type}: unchanged`,
    `${type}: NOT_FOUND`,
  ]),
  'apply: accepted',
  'apply: unchanged',
  'apply: DESIRED_STATE_INVALID',
  ...[
    'apply',
    'publish-documents',
    'delete-documents',
    'publish-schema',
    'update-subgraph',
    'delete-subgraph',
    'create-feature-flag',
    'update-feature-flag',
    'delete-feature-flag',
    'enable-feature-flag',
    'disable-feature-flag',
    'promote-feature-flag',
    'undo-promotion',
    'create-preview',
    'update-preview',
    'delete-preview',
    'expire-preview',
    'delete-namespace',
  ].map((type) => `${type} affects graphs`),
  'duplicate',
  'reused id',
  'forgotten id',
  'lost race',
]
