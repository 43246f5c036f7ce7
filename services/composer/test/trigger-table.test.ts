/**
 * Which events cause which compositions, and what of them is computed: everything else is reused, or does not
 * run.
 */
import type { CompositionRecord, RegistryEvent } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Composer } from '../src/composer.ts'
import { BROKEN, openBench, PRODUCTS, REVIEWS } from './setup.ts'
import type { Bench } from './setup.ts'

const GRAPHS = ['a', 'b', 'c']

let storage: Bench
let composer: Composer
/** A namespace of its own for each test. */
let bench: Bench
let rows = 0
let passes: { namespace: string; graph: string; computed: number }[] = []

beforeAll(async () => {
  storage = await openBench()
  composer = storage.start({ logger })
})
afterAll(async () => {
  await composer[Symbol.asyncDispose]()
  await storage[Symbol.asyncDispose]()
})
beforeEach(() => {
  bench = storage.in(`row-${++rows}`)
})

const logger = createLogger({
  name: 'composer',
  to: {
    write(line: string) {
      const entry = JSON.parse(line)
      if (entry.event === 'composition.completed') passes.push(entry)
    },
  },
})

/**
 * | graph `a` (team=a) | products, reviews | flags `next` (reviews-next), `wide` (products-next) |
 * | graph `b` (team=b) | products, stock | flag `wide` |
 *
 * `off` (reviews-alt) is disabled, `nowhere` (reviews-next) matches no graph, the drafts are not published.
 */
async function world(): Promise<readonly RegistryEvent[]> {
  return [
    { type: 'federated-graph.created', name: 'a', labelMatchers: ['team=a'] },
    { type: 'federated-graph.created', name: 'b', labelMatchers: ['team=b'] },
    subgraph('products', ['team=a', 'team=b']),
    subgraph('reviews', ['team=a']),
    subgraph('stock', ['team=b']),
    await bench.schema('products', PRODUCTS),
    await bench.schema('reviews', REVIEWS),
    await bench.schema('stock', product('inStock: Int')),
    feature('reviews-next', 'reviews'),
    feature('reviews-alt', 'reviews'),
    feature('products-next', 'products'),
    feature('products-draft', 'products'),
    feature('reviews-draft', 'reviews'),
    await bench.schema('reviews-next', product('stars: Int verdict: String')),
    await bench.schema('reviews-alt', product('stars: Float')),
    await bench.schema('products-next', PRODUCTS.replace('name: String', 'name: String price: Int')),
    flag('next', ['team=a'], ['reviews-next']),
    flag('wide', ['team=a', 'team=b'], ['products-next']),
    flag('off', ['team=a'], ['reviews-alt'], false),
    flag('nowhere', ['team=c'], ['reviews-next']),
  ]
}

type Row = {
  readonly event: string
  /** What was done before, and composed. */
  readonly after?: () => Promise<RegistryEvent[]> | RegistryEvent[]
  readonly events: () => Promise<RegistryEvent[]> | RegistryEvent[]
  /** By graph: the results of the one record that is written. Other graphs get none. */
  readonly expected: Readonly<Record<string, string>>
  /** How many results had to be computed, over all graphs. */
  readonly computed: number
}

const ROWS: readonly Row[] = [
  {
    event: 'a flag is created disabled',
    events: () => [flag('new', ['team=a'], ['reviews-alt'], false)],
    expected: {},
    computed: 0,
  },
  {
    event: 'a disabled flag is updated',
    events: () => [
      { type: 'feature-flag.updated', name: 'off', labels: ['team=b'], featureSubgraphs: ['reviews-next'] },
    ],
    expected: {},
    computed: 0,
  },
  {
    event: 'a disabled flag is deleted',
    events: () => [{ type: 'feature-flag.deleted', name: 'off' }],
    expected: {},
    computed: 0,
  },
  {
    event: 'a flag is created enabled that matches no graph',
    events: () => [flag('new', ['team=c'], ['reviews-alt'])],
    expected: {},
    computed: 0,
  },
  {
    event: 'a flag is created enabled of which a member replaces what is not in the graph',
    events: () => [flag('new', ['team=b'], ['products-next', 'reviews-next'])],
    expected: {},
    computed: 0,
  },
  {
    event: 'a flag is created enabled of which nothing is published',
    events: () => [flag('new', ['team=a'], ['reviews-draft'])],
    expected: {},
    computed: 0,
  },
  {
    event: 'a flag that applies nowhere is disabled',
    events: () => [{ type: 'feature-flag.disabled', name: 'nowhere' }],
    expected: {},
    computed: 0,
  },
  {
    event: 'a feature subgraph is created',
    events: () => [feature('reviews-new', 'reviews')],
    expected: {},
    computed: 0,
  },
  {
    event: 'a feature subgraph is published that is in no flag',
    events: async () => [await bench.schema('reviews-draft', product('stars: Int'))],
    expected: {},
    computed: 0,
  },
  {
    event: 'a feature subgraph is published that is in a disabled flag only',
    events: async () => [await bench.schema('reviews-alt', product('stars: Int more: Int'))],
    expected: {},
    computed: 0,
  },
  {
    event: 'a feature subgraph is updated that is in a disabled flag only',
    events: () => [moved('reviews-alt')],
    expected: {},
    computed: 0,
  },
  {
    event: 'a feature subgraph is deleted that is in a disabled flag only',
    events: () => [{ type: 'subgraph.deleted', name: 'reviews-alt' }],
    expected: {},
    computed: 0,
  },
  {
    event: 'a subgraph is published that matches no graph',
    events: async () => [subgraph('lost', ['team=c']), await bench.schema('lost', product('x: Int'))],
    expected: {},
    computed: 0,
  },

  {
    event: 'a flag is created enabled',
    events: () => [flag('new', ['team=a'], ['reviews-alt'])],
    expected: { a: 'base reused, new composed, next reused, wide reused' },
    computed: 1,
  },
  {
    event: 'a flag is created enabled with a member that is not published',
    events: () => [flag('new', ['team=a'], ['reviews-alt', 'products-draft'])],
    expected: { a: 'base reused, new without products-draft composed, next reused, wide reused' },
    computed: 1,
  },
  {
    event: 'a flag is created enabled that has what another one has',
    events: () => [flag('twin', ['team=a'], ['reviews-next'])],
    expected: { a: 'base reused, next reused, twin reused, wide reused' },
    computed: 0,
  },
  {
    event: 'two flags are created enabled that have the same',
    events: () => [flag('one', ['team=a'], ['reviews-alt']), flag('two', ['team=a'], ['reviews-alt'])],
    expected: { a: 'base reused, next reused, one composed, two composed, wide reused' },
    computed: 1,
  },
  {
    event: 'a flag is enabled',
    events: () => [{ type: 'feature-flag.enabled', name: 'off' }],
    expected: { a: 'base reused, next reused, off composed, wide reused' },
    computed: 1,
  },
  {
    event: 'a flag is enabled again',
    after: () => [{ type: 'feature-flag.disabled', name: 'next' }],
    events: () => [{ type: 'feature-flag.enabled', name: 'next' }],
    expected: { a: 'base reused, next reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a flag is disabled',
    events: () => [{ type: 'feature-flag.disabled', name: 'next' }],
    expected: { a: 'base reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a flag of two graphs is disabled',
    events: () => [{ type: 'feature-flag.disabled', name: 'wide' }],
    expected: { a: 'base reused, next reused', b: 'base reused' },
    computed: 0,
  },
  {
    event: 'a flag gets other members',
    events: () => [{ type: 'feature-flag.updated', name: 'next', featureSubgraphs: ['reviews-alt'] }],
    expected: { a: 'base reused, next composed, wide reused' },
    computed: 1,
  },
  {
    event: 'a flag gets labels with which it leaves a graph',
    events: () => [{ type: 'feature-flag.updated', name: 'wide', labels: ['team=a'] }],
    expected: { a: 'base reused, next reused, wide reused', b: 'base reused' },
    computed: 0,
  },
  {
    event: 'a flag gets labels with which it comes to a graph',
    events: () => [{ type: 'feature-flag.updated', name: 'nowhere', labels: ['team=a'] }],
    expected: { a: 'base reused, next reused, nowhere reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a flag is deleted while enabled',
    events: () => [{ type: 'feature-flag.deleted', name: 'next' }],
    expected: { a: 'base reused, wide reused' },
    computed: 0,
  },

  {
    event: 'a feature subgraph of an enabled flag is published',
    events: async () => [await bench.schema('reviews-next', product('stars: Int text: String'))],
    expected: { a: 'base reused, next composed, wide reused' },
    computed: 1,
  },
  {
    event: 'a feature subgraph of an enabled flag of two graphs is published',
    events: async () => [
      await bench.schema('products-next', PRODUCTS.replace('name: String', 'name: String weight: Int')),
    ],
    expected: { a: 'base reused, next reused, wide composed', b: 'base reused, wide composed' },
    computed: 2,
  },
  {
    event: 'the first schema of a feature subgraph of an enabled flag is published',
    after: () => [flag('new', ['team=a'], ['reviews-alt', 'products-draft'])],
    events: async () => [
      await bench.schema('products-draft', PRODUCTS.replace('name: String', 'name: String draft: Int')),
    ],
    expected: { a: 'base reused, new composed, next reused, wide reused' },
    computed: 1,
  },
  {
    event: 'a feature subgraph of an enabled flag gets another URL',
    events: () => [moved('reviews-next')],
    expected: { a: 'base reused, next composed, wide reused' },
    computed: 1,
  },
  {
    event: 'the only feature subgraph of an enabled flag is deleted',
    events: () => [{ type: 'subgraph.deleted', name: 'reviews-next' }],
    expected: { a: 'base reused, wide reused' },
    computed: 0,
  },
  {
    event: 'one of two feature subgraphs of an enabled flag is deleted',
    after: () => [flag('both', ['team=a'], ['products-next', 'reviews-alt'])],
    events: () => [{ type: 'subgraph.deleted', name: 'products-next' }],
    expected: { a: 'base reused, both composed, next reused', b: 'base reused' },
    computed: 1,
  },

  {
    event: 'a base subgraph is published: a flag that replaces it is reused',
    events: async () => [await bench.schema('reviews', product('stars: Int old: Int'))],
    expected: { a: 'base composed, next reused, wide composed' },
    computed: 2,
  },
  {
    event: 'a base subgraph of two graphs is published',
    events: async () => [
      await bench.schema('products', PRODUCTS.replace('name: String', 'name: String size: Int')),
    ],
    expected: { a: 'base composed, next composed, wide reused', b: 'base composed, wide reused' },
    computed: 3,
  },
  {
    event: 'a base subgraph gets the schema back that it had',
    after: async () => [await bench.schema('reviews', product('stars: Int old: Int'))],
    events: async () => [await bench.schema('reviews', REVIEWS)],
    expected: { a: 'base reused, next reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a base subgraph gets another URL',
    events: () => [moved('stock')],
    expected: { b: 'base composed, wide composed' },
    computed: 2,
  },
  {
    event: 'a base subgraph is relabelled from one graph to another',
    events: () => [{ type: 'subgraph.updated', name: 'reviews', labels: ['team=b'] }],
    expected: { a: 'base composed, wide composed', b: 'base composed, wide composed' },
    computed: 4,
  },
  {
    event: 'a base subgraph is deleted, and its feature subgraphs with it',
    events: () => [{ type: 'subgraph.deleted', name: 'reviews' }],
    expected: { a: 'base composed, wide composed' },
    computed: 2,
  },
  {
    event: 'the last base subgraphs are deleted',
    events: () => [
      { type: 'subgraph.deleted', name: 'products' },
      { type: 'subgraph.deleted', name: 'reviews' },
    ],
    expected: { a: 'base empty', b: 'base failed' },
    computed: 1,
  },

  {
    event: 'a graph is created from what another one is made of',
    events: () => [{ type: 'federated-graph.created', name: 'c', labelMatchers: ['team=a'] }],
    expected: { c: 'base reused, next reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a graph is created that nothing matches',
    events: () => [{ type: 'federated-graph.created', name: 'c', labelMatchers: ['team=z'] }],
    expected: { c: 'base empty' },
    computed: 0,
  },
  {
    event: 'the matchers of a graph are changed',
    events: () => [{ type: 'federated-graph.updated', name: 'a', labelMatchers: ['team=a,team=b'] }],
    expected: { a: 'base composed, next composed, wide composed' },
    computed: 3,
  },
  {
    event: 'a graph is pinned',
    events: () => [{ type: 'federated-graph.pinned', name: 'a', revision: 1 }],
    expected: { a: 'base reused, next reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a graph is released',
    after: () => [{ type: 'federated-graph.pinned', name: 'a', revision: 1 }],
    events: () => [{ type: 'federated-graph.unpinned', name: 'a' }],
    expected: { a: 'base reused, next reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a graph is deleted',
    events: () => [{ type: 'federated-graph.deleted', name: 'a' }],
    expected: { a: 'removed' },
    computed: 0,
  },
  {
    event: 'the namespace is deleted',
    events: () => [{ type: 'namespace.deleted' }],
    expected: { a: 'removed', b: 'removed' },
    computed: 0,
  },

  {
    event: 'a base subgraph is published that breaks base: a flag that replaces it composes',
    events: async () => [await bench.schema('reviews', BROKEN)],
    expected: { a: 'base failed, next reused, wide failed' },
    computed: 2,
  },
  {
    event: 'a flag is disabled while base is broken',
    after: async () => [await bench.schema('reviews', BROKEN)],
    events: () => [{ type: 'feature-flag.disabled', name: 'next' }],
    expected: { a: 'base still failed, wide still failed' },
    computed: 0,
  },
  {
    event: 'a flag is enabled while base is broken',
    after: async () => [await bench.schema('reviews', BROKEN)],
    events: () => [{ type: 'feature-flag.enabled', name: 'off' }],
    expected: { a: 'base still failed, next reused, off composed, wide still failed' },
    computed: 1,
  },
  {
    event: 'the base is mended',
    after: async () => [await bench.schema('reviews', BROKEN)],
    events: async () => [await bench.schema('reviews', REVIEWS)],
    expected: { a: 'base reused, next reused, wide reused' },
    computed: 0,
  },
  {
    event: 'a feature subgraph is published that breaks its flag alone',
    events: async () => [await bench.schema('reviews-next', BROKEN)],
    expected: { a: 'base reused, next failed, wide reused' },
    computed: 1,
  },
]

describe('what is composed when', () => {
  for (const { event, after, events, expected, computed } of ROWS) {
    it(event, async () => {
      await bench.command(await world())
      await composer.idle()
      if (after !== undefined) {
        await bench.command(await after())
        await composer.idle()
      }
      const before = new Map<string, number>()
      for (const graph of GRAPHS) before.set(graph, (await bench.records(graph)).length)
      passes = []
      const sequence = await bench.command(await events())
      await composer.idle()

      const written: Record<string, string> = {}
      for (const graph of GRAPHS) {
        const records = (await bench.records(graph)).slice(before.get(graph))
        expect(records.length, `records of ${graph}`).toBeLessThanOrEqual(1)
        const [record] = records
        if (record === undefined) continue
        expect(record.registrySequence).toBe(sequence)
        written[graph] = textOf(record)
      }
      expect(written).toEqual(expected)
      expect(passes.map(({ graph }) => graph).sort()).toEqual(Object.keys(expected).sort())
      expect(passes.reduce((sum, pass) => sum + pass.computed, 0)).toBe(computed)
    })
  }
})

describe('fifty flags on one graph', () => {
  it('cost one composition each, once: no toggle ever computes more, and none a second time', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`)
    await bench.command([
      { type: 'federated-graph.created', name: 'a', labelMatchers: [] },
      subgraph('products', []),
      subgraph('reviews', []),
      await bench.schema('products', PRODUCTS),
      await bench.schema('reviews', REVIEWS),
    ])
    for (const name of names) {
      const base = name.endsWith('0') ? 'products' : 'reviews'
      const sdl =
        base === 'products'
          ? PRODUCTS.replace('name:', `${name}: Int name:`)
          : product(`stars: Int ${name}: Int`)
      await bench.command([
        feature(`${name}-member`, base),
        await bench.schema(`${name}-member`, sdl),
        flag(name, [], [`${name}-member`], false),
      ])
    }
    await composer.idle()
    const enabled = new Set<string>()
    const seen = new Set<string>()
    // Coprime with 50, so that every flag is met in an order of its own, three times.
    for (let turn = 0; turn < 150; turn++) {
      const name = names[(turn * 37 + Math.floor(turn / 50)) % 50] ?? ''
      const on = !enabled.has(name)
      passes = []
      await bench.command([{ type: on ? 'feature-flag.enabled' : 'feature-flag.disabled', name }])
      await composer.idle()
      if (on) enabled.add(name)
      else enabled.delete(name)
      expect(passes.map(({ computed }) => computed)).toEqual([on && !seen.has(name) ? 1 : 0])
      if (on) seen.add(name)
    }
    const last = await bench.last('a')
    expect(last.featureFlags.map((entry) => entry.name)).toEqual([...enabled].sort())
    expect(seen.size).toBe(50)
  })
})

/** `base reused, next without a-draft composed`, by the name of the flag. */
function textOf(record: CompositionRecord): string {
  if (record.type === 'graph.removed') return 'removed'
  const statusOf = (result: (typeof record)['base']) =>
    result.status === 'failed' && result.unchanged ? 'still failed' : result.status
  return [
    `base ${statusOf(record.base)}`,
    ...record.featureFlags.map(({ name, unpublished, result }) =>
      [name, ...(unpublished.length === 0 ? [] : ['without', ...unpublished]), statusOf(result)].join(' '),
    ),
  ].join(', ')
}

function subgraph(name: string, labels: string[]): RegistryEvent {
  return { type: 'subgraph.created', name, routingUrl: urlOf(name), labels }
}

function feature(name: string, base: string): RegistryEvent {
  return { type: 'feature-subgraph.created', name, routingUrl: urlOf(name), base }
}

function flag(name: string, labels: string[], featureSubgraphs: string[], enabled = true): RegistryEvent {
  return { type: 'feature-flag.created', name, labels, featureSubgraphs, enabled }
}

function moved(name: string): RegistryEvent {
  return { type: 'subgraph.updated', name, routingUrl: urlOf(`${name}-moved`) }
}

function product(fields: string): string {
  return `type Product @key(fields: "id") { id: ID! ${fields} }`
}

/** Other URLs in every test: what one of them composed is new to the next. */
function urlOf(name: string): string {
  return `http://${name}.${bench.namespace}.test/graphql`
}
