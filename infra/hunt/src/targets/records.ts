/** Entries of the logs, which whoever may publish to a stream can put there. */
import { isJson, jsonTree, numberedJson, printJson, withJsonText } from '../input/json-tree.ts'
import { type Grammar, type Input, stuffed } from '../input/mutations.ts'
import { isTree } from '../input/tree.ts'
import { RECORD_KINDS, type RecordKind } from '../stages/record-kinds.ts'
import { openStage } from './stage.ts'
import type { Hunted } from './target.ts'
import { vocabularyOf } from './vocabulary.ts'

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
const labels = [
  { key: 'team', value: 'web' },
  { key: 'tier', value: '1' },
]
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
        { type: 'federated-graph.created', name: 'shop', labelMatchers: [labels] },
        ...subgraph('products'),
        ...subgraph('reviews'),
      ],
    },
    'a flag': {
      ...envelope,
      events: [
        { type: 'namespace.created' },
        { type: 'federated-graph.created', name: 'shop', labelMatchers: [labels] },
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

const seeds: readonly Input[] = RECORD_KINDS.flatMap((record) =>
  Object.entries(TYPICAL[record]).map(([seed, value]) => ({
    tree: { kind: 'Record', record, body: jsonTree(value) },
    stuffing: [],
    seed,
  })),
)

const categoryOf = (kind: string) => (isJson(kind) ? 'json' : kind.toLowerCase())

const grammar: Grammar = {
  categoryOf,
  lists: { members: 'jsonmember', items: 'json' },
  vocabulary: vocabularyOf(
    seeds.map(({ tree }) => tree),
    categoryOf,
  ),
  words: ['shop', 'products', 'next', 'team', 'web', 'a'.repeat(5000), 'f', SHA, '__proto__', 'constructor'],
  numbered: numberedJson,
  withText: withJsonText,
}

export const RECORDS: Hunted = {
  name: 'records',
  judgesTimes: true,
  share: 41,
  grammar,
  seeds,
  bytesOf({ tree: { record, body }, stuffing }) {
    if (!isTree(body)) throw new TypeError('This is no record.')
    const text = stuffed(printJson(body, MAX_RECORD), stuffing, MAX_RECORD)
    return Buffer.from(`${String(record)}\n${text}`).subarray(0, MAX_RECORD)
  },
  open: () => openStage(new URL('../stages/read-record.ts', import.meta.url)),
}
