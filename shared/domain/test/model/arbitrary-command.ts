/**
 * Commands over few names, so that they meet: some of them words of the language, some used for several kinds
 * of things.
 */
import * as fc from 'fast-check'
import type { Command } from '../../src/index.ts'
import { sha } from '../fold.ts'

const base = fc.constantFrom('a', 'b', '__proto__')
const feature = fc.constantFrom('f', 'g', 'constructor')
const subgraph = fc.oneof(
  { weight: 4, arbitrary: base },
  { weight: 4, arbitrary: feature },
  { weight: 1, arbitrary: fc.constant('x') },
)
const graph = fc.constantFrom('shop', 'depot', '__proto__')
const flag = fc.constantFrom('x', 'y', 'constructor')
const label = fc.constantFrom('t=1', 't=1', 't=1', 't=2', 'e=1')
const labels = fc.array(label, { maxLength: 2 })
const labelMatchers = fc.array(fc.constantFrom('t=1', 't=1', 't=2', 't=1,t=2', 't=2,t=1', 'e=1', 't=2,e=1'), {
  maxLength: 2,
})
const allowUnenforcedAuthorization = fc.boolean()
const publicUrl = fc.constantFrom(null, 'https://graph.example/', 'http://localhost:4000/graphql')
const routingUrl = fc.constantFrom('http://one/', 'http://two/')
const members = fc.oneof(
  { weight: 6, arbitrary: fc.uniqueArray(feature, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(subgraph, { maxLength: 4 }) },
)
const schema = fc.constantFrom(sha('1'), sha('2'))

const rollout = fc.constantFrom('r', 's', '__proto__')
const rolloutProperties = {
  percent: fc.constantFrom(0, 5, 12.34, 100),
  key: fc.constantFrom(['claim:sub'], ['claim:sub', 'address'], [], ['header:X-User']),
  where: fc.constantFrom([], [{ on: 'claim:plan', in: ['pro'] }]),
  mode: fc.constantFrom('serve', 'shadow'),
  expires: fc.constantFrom(null, '2027-01-01T00:00:00Z'),
  shadow: fc.constantFrom(null, { subgraphs: ['a'] }, { operations: ['Products'] }),
}
const plan = fc.constantFrom(
  { steps: [5, 50], everyMs: 60_000 },
  { steps: [5], everyMs: 60_000 },
  { steps: [1, 97], everyMs: 60_000, guards: { errors: { points: 1 } } },
  { steps: [1, 100], everyMs: 1000, guards: { p99: { ratio: 1.5 } }, forgeableKey: true },
)
const since = fc.constant(0)
const before = fc.constantFrom('r', 's', '__proto__', null)
const ROLLOUT_OPTIONS = [...Object.keys(rolloutProperties), 'before', 'salt']

const preview = fc.constantFrom('p', 'q', 'constructor')
const previewSubgraphs = fc.array(
  fc.record(
    {
      base: fc.oneof({ weight: 9, arbitrary: base }, { weight: 1, arbitrary: subgraph }),
      routingUrl: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('http://one.p.test/', 'http://two.p.test:4001/graphql') },
        { weight: 1, arbitrary: fc.constantFrom('http://p.test/', 'http://evil.test/', 'http://[::1]/') },
      ),
      schema: fc.constantFrom(sha('1'), sha('2')),
      bytes: fc.constantFrom(3, 9),
    },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 2 },
)
const MINUTE = 60_000
const previewNow = fc.constantFrom(0, MINUTE, 2 * MINUTE).map((later) => Date.UTC(2026, 10, 21) + later)
const ttlSeconds = fc.constantFrom(60, 120)
const freshSalt = fc.constantFrom('0123456789abcdef', 'fedcba9876543210')

function commandOf(
  weight: number,
  type: Command['type'],
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  optional: readonly string[] = [],
): { weight: number; arbitrary: fc.Arbitrary<Command> } {
  const all: Readonly<Record<string, fc.Arbitrary<unknown>>> = { type: fc.constant(type), ...fields }
  const requiredKeys = Object.keys(all).filter((key) => !optional.includes(key))
  const arbitrary = fc.record(all, { requiredKeys })
  return { weight, arbitrary: arbitrary as fc.Arbitrary<Command> }
}

const bytes = fc.constantFrom(3, 9)

/** Parts of a desired state: mostly of different names, members left out at random. */
function parts(
  name: fc.Arbitrary<string>,
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<unknown> {
  const part = fc.record({ name, ...fields }, { requiredKeys: ['name'] })
  const key = (item: unknown) => JSON.stringify((item as { name: string }).name)
  return fc.oneof(
    { weight: 9, arbitrary: fc.uniqueArray(part, { maxLength: 3, selector: key }) },
    { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }) },
  )
}
const publishedSchema = fc.record({ sha256: schema, bytes })
const desired = {
  graphs: parts(graph, { labelMatchers }),
  subgraphs: parts(fc.oneof({ weight: 9, arbitrary: base }, { weight: 1, arbitrary: subgraph }), {
    routingUrl,
    labels,
    schema: publishedSchema,
  }),
  featureSubgraphs: parts(fc.oneof({ weight: 9, arbitrary: feature }, { weight: 1, arbitrary: subgraph }), {
    base: fc.oneof({ weight: 9, arbitrary: base }, { weight: 1, arbitrary: subgraph }),
    routingUrl,
    schema: publishedSchema,
  }),
  featureFlags: parts(flag, { labels, featureSubgraphs: members, enabled: fc.boolean() }),
  rollouts: fc.option(
    parts(rollout, { graph: fc.constant('shop'), flag: fc.constantFrom('x', 'y'), ...rolloutProperties }),
    { nil: undefined, freq: 1 },
  ),
  prune: fc.boolean(),
}
/** A small state, which often is there already. */
const nothingDesired = {
  graphs: fc.constant([]),
  subgraphs: fc.constant([]),
  featureSubgraphs: fc.constant([]),
  prune: fc.constant(false),
}

export const arbitraryCommand: fc.Arbitrary<Command> = fc.oneof(
  commandOf(1, 'create-namespace', {}),
  commandOf(1, 'delete-namespace', {}),
  commandOf(
    6,
    'create-federated-graph',
    { name: graph, labelMatchers, allowUnenforcedAuthorization, publicUrl },
    ['allowUnenforcedAuthorization', 'publicUrl'],
  ),
  commandOf(
    4,
    'update-federated-graph',
    { name: graph, labelMatchers, allowUnenforcedAuthorization, publicUrl },
    ['labelMatchers', 'allowUnenforcedAuthorization', 'publicUrl'],
  ),
  commandOf(1, 'delete-federated-graph', { name: graph }),
  commandOf(2, 'pin-federated-graph', { name: graph, revision: fc.constantFrom(1, 2) }),
  commandOf(2, 'unpin-federated-graph', { name: graph }),
  commandOf(1, 'republish-federated-graph', { name: graph }),
  commandOf(4, 'publish-documents', {
    graph,
    name: fc.constantFrom('web', 'phone'),
    manifest: schema,
    bytes,
    documents: fc.constantFrom(1, 2),
    clients: fc.constantFrom(null, ['web'], ['web', 'kiosk'], ['kiosk', 'web'], ['web', 'web']),
  }),
  commandOf(2, 'delete-documents', { graph, name: fc.constantFrom('web', 'phone') }),
  commandOf(2, 'create-subgraph', { name: subgraph, routingUrl, labels }),
  commandOf(4, 'create-feature-subgraph', { name: subgraph, routingUrl, base: subgraph }),
  commandOf(8, 'publish-schema', { name: base, schema, bytes, routingUrl, labels }, ['routingUrl', 'labels']),
  commandOf(8, 'publish-schema', { name: feature, schema, bytes, routingUrl, base }, ['routingUrl', 'base']),
  commandOf(2, 'publish-schema', { name: subgraph, schema, bytes, routingUrl, labels, base: subgraph }, [
    'routingUrl',
    'labels',
    'base',
  ]),
  commandOf(4, 'update-subgraph', { name: subgraph, routingUrl, labels }, ['routingUrl', 'labels']),
  commandOf(2, 'delete-subgraph', { name: subgraph }),
  commandOf(8, 'create-feature-flag', {
    name: flag,
    labels,
    featureSubgraphs: members,
    enabled: fc.boolean(),
  }),
  commandOf(4, 'update-feature-flag', { name: flag, labels, featureSubgraphs: members }, [
    'labels',
    'featureSubgraphs',
  ]),
  commandOf(1, 'delete-feature-flag', { name: flag }),
  commandOf(4, 'enable-feature-flag', { name: flag }),
  commandOf(2, 'disable-feature-flag', { name: flag }),
  commandOf(3, 'promote-feature-flag', { name: flag }),
  commandOf(3, 'undo-promotion', { name: flag }),
  commandOf(
    6,
    'create-rollout',
    {
      name: rollout,
      graph,
      flag,
      freshSalt: fc.constant('0'),
      salt: fc.constant('s'),
      before,
      ...rolloutProperties,
    },
    ROLLOUT_OPTIONS,
  ),
  commandOf(2, 'update-rollout', { name: rollout, percent: rolloutProperties.percent }),
  commandOf(2, 'update-rollout', { name: rollout, key: rolloutProperties.key }),
  commandOf(3, 'update-rollout', { name: rollout, before, ...rolloutProperties }, ROLLOUT_OPTIONS),
  commandOf(2, 'abort-rollout', { name: rollout }),
  commandOf(2, 'resume-rollout', { name: rollout }),
  commandOf(1, 'complete-rollout', { name: rollout }),
  commandOf(1, 'delete-rollout', { name: rollout }),
  commandOf(4, 'ramp-rollout', { name: rollout, plan }),
  commandOf(4, 'advance-rollout', { name: rollout, since }, ['since']),
  commandOf(2, 'pause-rollout', { name: rollout, since }, ['since']),
  commandOf(3, 'end-ramp-of-rollout', { name: rollout, since }, ['since']),
  commandOf(1, 'set-preview-hosts', {
    hosts: fc.constantFrom([], ['*.p.test'], ['*.p.test'], ['*.p.test', 'p.test'], ['one.p.test']),
  }),
  commandOf(5, 'create-preview', {
    name: preview,
    subgraphs: previewSubgraphs,
    ttlSeconds,
    orUpdate: fc.boolean(),
    freshSalt,
    now: previewNow,
  }),
  commandOf(1, 'update-preview', { name: preview, now: previewNow }),
  commandOf(
    3,
    'update-preview',
    {
      name: preview,
      subgraphs: previewSubgraphs,
      without: fc.array(base, { maxLength: 1 }),
      ttlSeconds,
      now: previewNow,
    },
    ['subgraphs', 'without', 'ttlSeconds'],
  ),
  commandOf(1, 'delete-preview', { name: preview }),
  commandOf(2, 'expire-preview', {
    flag: fc.tuple(preview, freshSalt).map(([name, salt]) => `${name}-${salt}`),
    now: previewNow,
  }),
  commandOf(8, 'apply', desired),
  commandOf(1, 'apply', { ...nothingDesired, featureFlags: parts(flag, { enabled: fc.boolean() }) }),
)
