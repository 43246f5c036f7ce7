/** Traces as people save them: responses of a shop on two days. */
import { parseTrace, type Trace, type TraceNode } from '@switchyard/request-trace'

type FetchFacts = {
  readonly source: string
  readonly path?: string
  readonly dependsOn?: readonly number[]
  /** Milliseconds. */
  readonly at: number
  readonly took: number
  readonly query: string
  readonly data: object
}

const PRODUCTS = [
  { __typename: 'Product', upc: '1', name: 'Table' },
  { __typename: 'Product', upc: '2', name: 'Couch' },
]
const catalogue = (took: number): FetchFacts => ({
  source: 'products',
  at: 2,
  took,
  query: '{products{__typename upc name}}',
  data: { products: PRODUCTS },
})
const reviews = (at: number, took: number, selection: string): FetchFacts => ({
  source: 'reviews',
  path: 'products.@',
  dependsOn: [0],
  at,
  took,
  query: `query($r0:[_Any!]!){_entities(representations:$r0){...on Product{${selection}}}}`,
  data: { _entities: PRODUCTS.map(({ upc }) => ({ reviews: [{ stars: Number(upc) }] })) },
})
const prices = (at: number, took: number): FetchFacts => ({
  source: 'prices',
  path: 'products.@',
  dependsOn: [0],
  at,
  took,
  query: 'query($r0:[_Any!]!){_entities(representations:$r0){...on Product{price}}}',
  data: { _entities: PRODUCTS.map(({ upc }) => ({ price: 100 * Number(upc) })) },
})

/** The base graph, whose reviews are slow. */
export function monday(): Trace {
  return traceOf([catalogue(21), reviews(24, 74, 'reviews{stars}')], null)
}

/** The flag, with quicker reviews of which less is asked, and prices from a subgraph of their own. */
export function tuesday(): Trace {
  return traceOf([catalogue(24), reviews(27, 38, 'reviews(first:3){stars}'), prices(27, 11)], 'prices')
}

/** The text of a response that has the trace. */
export function responseWith(trace: Trace, price: number): string {
  const products = PRODUCTS.map(({ name }) => ({ name, price }))
  return JSON.stringify({ data: { products }, extensions: { trace } })
}

function traceOf(fetches: readonly FetchFacts[], flag: string | null): Trace {
  return parseTrace({
    version: '1',
    info: {
      trace_start_time: '2026-03-14T09:26:53.589Z',
      trace_start_unix: 1_773_480_413,
      parse_stats: phase(40, 180),
      planner_stats: phase(220, 1_450),
    },
    composition: {
      feature_flag: flag,
      reason: flag === null ? 'none' : 'header',
      artifact: (flag === null ? '9f3c1e7a' : '03718fbc').repeat(8),
      revision: 42,
    },
    fetches: { kind: 'Sequence', children: fetches.map(nodeOf) },
    request: {
      method: 'POST',
      url: 'http://router.example:4000/graphql',
      headers: { 'content-type': 'application/json', authorization: '[redacted]' },
      body: {
        query: 'query ProductList { products { name price reviews { stars } } }',
        operationName: 'ProductList',
        variables: null,
      },
    },
  })
}

/** Makes the times of a phase from microseconds. */
function phase(at: number, took: number) {
  return { ...duration('', took / 1_000), ...duration('_since_start', at / 1_000) }
}

function nodeOf({ source, path = '', dependsOn, at, took, query, data }: FetchFacts): TraceNode {
  const body = { data }
  return {
    kind: 'Single',
    fetch: {
      kind: path === '' ? 'Single' : 'BatchEntity',
      path,
      source_id: source,
      source_name: source,
      ...(dependsOn === undefined ? {} : { depends_on: [...dependsOn] }),
      trace: {
        single_flight_used: false,
        single_flight_shared_response: false,
        load_skipped: false,
        input: {
          method: 'POST',
          url: `http://${source}.internal:4001/graphql`,
          headers: {},
          body: { query },
        },
        output: { body, status_code: 200, headers: {}, body_size: JSON.stringify(body).length },
        ...duration('_since_start', at),
        ...duration('_load', took),
      },
    },
  }
}

/** Makes the two members of a duration in milliseconds. */
function duration(name: string, milliseconds: number) {
  return {
    [`duration${name}_nanoseconds`]: Math.round(milliseconds * 1_000_000),
    [`duration${name}_pretty`]: `${milliseconds}ms`,
  }
}
