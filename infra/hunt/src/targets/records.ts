/** Entries of the logs, which whoever may publish to a stream can put there. */
import { RECORD_KINDS, type RecordKind } from '../stages/record-kinds.ts'
import { openStage } from './stage.ts'
import type { Target } from './target.ts'
import { textTarget } from './text-target.ts'

/** The largest message of NATS by default, in bytes. */
const MAX_RECORD = 1024 * 1024

const SHA = 'a'.repeat(64)
const envelope = {
  v: 1,
  commandId: 'c1',
  actor: 'bootstrap',
  time: '2026-01-02T03:04:05.000Z',
  after: 0,
}
const labels = ['team=web', 'tier=1']
const subgraph = (name: string) => [
  { type: 'subgraph.created', name, routingUrl: 'http://localhost:1/graphql', labels },
  { type: 'subgraph.schema-published', name, schema: SHA, bytes: 100 },
]
const message = {
  code: 'FIELD_TYPE_MISMATCH',
  message: 'Types differ.',
  subgraphs: ['a', 'b'],
  locations: [{ subgraph: 'a', line: 1, column: 2, length: 3, label: 'Int here' }],
  operation: '{ a }',
  path: [{ coordinate: 'Query.a', subgraph: null }],
  reasons: [{ subgraph: 'a', target: null, reason: 'no key' }],
}
const composed = { status: 'composed', inputHash: SHA, artifact: SHA, hints: [message] }
const manifest = {
  formatVersion: 1,
  graph: { namespace: 'default', name: 'shop' },
  epoch: 1,
  revision: 1,
  createdAt: '2026-01-02T03:04:05.000Z',
  registrySequence: 10,
  base: { artifact: SHA },
  featureFlags: { a: { artifact: SHA } },
  traceKeys: { keys: [] },
}

/** Records as they stand in one of the logs. */
const TYPICAL: Readonly<Record<RecordKind, Readonly<Record<string, unknown>>>> = {
  namespace: {
    'a graph with subgraphs': {
      ...envelope,
      events: [
        { type: 'namespace.created' },
        { type: 'federated-graph.created', name: 'shop', labelMatchers: ['team=web,tier=1'] },
        ...subgraph('products'),
        ...subgraph('reviews'),
      ],
    },
    'a flag': {
      ...envelope,
      events: [
        { type: 'namespace.created' },
        { type: 'federated-graph.created', name: 'shop', labelMatchers: ['team=web,tier=1'] },
        ...subgraph('products'),
        {
          type: 'feature-subgraph.created',
          name: 'next',
          routingUrl: 'http://localhost:2/',
          base: 'products',
        },
        { type: 'subgraph.schema-published', name: 'next', schema: SHA, bytes: 100 },
        { type: 'feature-flag.created', name: 'f', labels, featureSubgraphs: ['next'], enabled: true },
        { type: 'feature-flag.disabled', name: 'f' },
        { type: 'federated-graph.pinned', name: 'shop', revision: 1 },
        { type: 'subgraph.deleted', name: 'products' },
      ],
    },
  },
  system: {
    'an API key': {
      ...envelope,
      events: [
        { type: 'api-key.created', id: 'i', name: 'n', sha256: SHA, scopes: ['read', 'publish:default'] },
      ],
    },
    'a record of a newer version': { v: 2, what: [1, 2, 3] },
    'not json': 'not json',
  },
  composition: {
    'a composition': {
      v: 1,
      type: 'composition.completed',
      namespace: 'default',
      graph: 'shop',
      registrySequence: 7,
      base: composed,
      featureFlags: [
        {
          name: 'f',
          unpublished: ['x'],
          result: {
            status: 'failed',
            inputHash: SHA,
            unchanged: false,
            errors: [message],
            errorCount: 1,
            hints: [],
          },
        },
      ],
      pinnedRevision: null,
    },
  },
  config: {
    'a config': {
      v: 1,
      type: 'config.published',
      epoch: 1,
      revision: 1,
      cause: { registrySequence: 1, compositionSequence: 2, reason: 'composition' },
      manifest: JSON.stringify(manifest),
      signature: 'a..b',
    },
  },
}

/** The first line of an input says what the record is read as. */
const SEEDS = Object.fromEntries(
  RECORD_KINDS.flatMap((kind) =>
    Object.entries(TYPICAL[kind]).map(([name, value]) => [name, `${kind}\n${JSON.stringify(value)}`]),
  ),
)

export const RECORDS: Target = textTarget({
  name: 'records',
  judgesTimes: true,
  seeds: SEEDS,
  words: ['shop', 'products', 'next', 'team', 'web', 'a'.repeat(5000), 'f', SHA, '__proto__', 'constructor'],
  maxLength: MAX_RECORD,
  bytesOf: (text) => Buffer.from(text).subarray(0, MAX_RECORD),
  open: () => openStage(new URL('../stages/read-record.ts', import.meta.url)),
})
