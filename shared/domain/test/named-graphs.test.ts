import { describe, expect, it } from 'vitest'
import { applyEvents, type Command, emptyNamespace, namedGraphs } from '../src/index.ts'

const SCHEMA = `sha256:${'a'.repeat(64)}`
const STATE = applyEvents(emptyNamespace('default'), [
  { type: 'federated-graph.created', name: 'shop', labelMatchers: ['team=web'] },
  { type: 'federated-graph.created', name: 'depot', labelMatchers: ['team=depot'] },
  { type: 'subgraph.created', name: 'orders', routingUrl: 'http://orders.test/', labels: ['team=web'] },
  { type: 'subgraph.created', name: 'stock', routingUrl: 'http://stock.test/', labels: ['team=depot'] },
  { type: 'feature-subgraph.created', name: 'orders-next', routingUrl: 'http://next.test/', base: 'orders' },
  ...['orders', 'stock', 'orders-next'].map((name) => ({
    type: 'subgraph.schema-published' as const,
    name,
    schema: SCHEMA,
    bytes: 1,
  })),
  {
    type: 'feature-flag.created',
    name: 'new',
    labels: ['team=web'],
    featureSubgraphs: ['orders-next'],
    enabled: true,
  },
])

const publish = (name: string): Command => ({ type: 'publish-schema', name, schema: SCHEMA, bytes: 1 })

describe('the graphs that a command names', () => {
  it.each<[string, Command, readonly string[]]>([
    ['a graph', { type: 'pin-federated-graph', name: 'depot', revision: 1 }, ['depot']],
    ['the graph of documents', { type: 'delete-documents', graph: 'shop', name: 'web' }, ['shop']],
    ['those of a subgraph', publish('stock'), ['depot']],
    ['those of the flags of a feature subgraph', publish('orders-next'), ['shop']],
    ['those of a flag', { type: 'enable-feature-flag', name: 'new' }, ['shop']],
    ['none of a namespace', { type: 'create-namespace' }, []],
    ['none of what is not there', publish('nobody'), []],
    [
      'all that a desired state names',
      {
        type: 'apply',
        graphs: [{ name: 'depot' }, { name: 'gone' }],
        subgraphs: [],
        featureSubgraphs: [],
        featureFlags: [{ name: 'new' }],
        prune: false,
      },
      ['depot', 'shop'],
    ],
  ])('are %s', (_, command, expected) => {
    expect(namedGraphs(STATE, command)).toEqual(expected)
  })
})
