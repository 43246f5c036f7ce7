/** The requests of each scenario, and the set-up of the gateway and its subgraphs meanwhile. */

/** How a gateway and its subgraphs are set up. Scenarios with equal set-ups share one start. */
export type SetUp = {
  /** Types of the schema that no question names. */
  readonly extraTypes: number
  readonly flags: number
  readonly workers: number
  /** Milliseconds that a subgraph takes to answer. */
  readonly latency: number
}

export type Scenario = {
  /** Stands in tables, and is what `--only` compares with. */
  readonly id: string
  readonly title: string
  readonly query: string
  /** Every request has another Authorization, which is forwarded: nothing may be shared between users. */
  readonly distinct: boolean
  readonly connections: number
  readonly setUp: SetUp
  /** An ability that only some gateways have. Gateways without it are left out. */
  readonly needs?: 'deferred' | 'traced' | 'flags' | 'workers'
  /** Part of a series in which one thing grows. */
  readonly growth?: { readonly of: string; readonly size: number }
}

/** One worker, no flag, and a schema as small as it can be. */
export const PLAIN: SetUp = { extraTypes: 0, flags: 0, workers: 1, latency: 0 }
const CONNECTIONS = 50

const SMALL = '{ films(first: 1) { id title } }'
const TWO_HOPS = '{ films(first: 5) { title reviews(first: 3) { stars text author { name } } } }'
/** About 90 kB of answer, from all four subgraphs. */
const HEAVY = `{
  films(first: 40) {
    id title year director { id name born reviews(first: 2) { id stars text } }
    price seats isClassic
    reviews(first: 5) { id stars text author { id name born } film { id title year price } }
  }
  people(first: 15) {
    id name born knownFor { id title price seats reviews(first: 2) { id text author { name } } }
  }
}`
const DEFERRED = `{
  films(first: 5) { title ... @defer { reviews(first: 3) { stars text author { name } } } }
}`

/** Everything that is measured, in the order of the tables. */
export const SCENARIOS: readonly Scenario[] = [
  plain('small', 'small query, one subgraph', SMALL),
  plain('two-hops', 'two hops, 3 calls', TWO_HOPS),
  plain('heavy', 'heavy query, no request like another', HEAVY),
  { ...plain('heavy-same', 'heavy query, all requests the same', HEAVY), distinct: false },
  { ...plain('deferred', 'two hops, the second one deferred', DEFERRED), needs: 'deferred' },
  { ...plain('traced', 'two hops, traced', TWO_HOPS), needs: 'traced' },
  { ...plain('latency', 'two hops, subgraphs take 4 ms', TWO_HOPS), setUp: { ...PLAIN, latency: 4 } },
  ...[1, 2].map(
    (workers): Scenario => ({
      ...plain(`workers-${workers}`, `heavy query, ${workers} worker${workers === 1 ? '' : 's'}`, HEAVY),
      setUp: { ...PLAIN, workers },
      needs: 'workers',
    }),
  ),
  ...series('answer', 'kB of answer', [1, 10, 100, 1000], (size) => ({
    query: `{ films(first: 1) { summary(size: ${size * 1000}) } }`,
  })),
  ...series('entities', 'entities', [10, 100, 1000, 10_000], (size) => ({
    query: `{ films(first: ${size}) { price } }`,
    connections: size > 1000 ? 5 : CONNECTIONS,
  })),
  ...series('connections', 'connections', [1, 10, 100, 1000], (size) => ({ connections: size })),
  ...series('types', 'types in the schema', [10, 200, 2000], (size) => ({
    setUp: { ...PLAIN, extraTypes: size },
  })),
  ...series('flags', 'flags in use', [0, 10, 50, 100], (size) => ({
    setUp: { ...PLAIN, flags: size },
    needs: 'flags',
  })),
]

function plain(id: string, title: string, query: string): Scenario {
  return { id, title, query, distinct: true, connections: CONNECTIONS, setUp: PLAIN }
}

function series(
  id: string,
  of: string,
  sizes: readonly number[],
  differenceOf: (size: number) => Partial<Scenario>,
): readonly Scenario[] {
  return sizes.map((size) => ({
    ...plain(`${id}-${size}`, `${size} ${of}`, TWO_HOPS),
    ...differenceOf(size),
    growth: { of, size },
  }))
}

/** Growth is looked at in Switchyard alone, which can do everything. */
export function isAsked(
  gateway: { readonly can: readonly Scenario['needs'][] },
  scenario: Scenario,
): boolean {
  if (scenario.growth !== undefined) return GROWTH_NEEDS.every((need) => gateway.can.includes(need))
  return scenario.needs === undefined || gateway.can.includes(scenario.needs)
}

const GROWTH_NEEDS = ['flags', 'workers'] as const

/** Returns the scenarios whose id begins with one of `beginnings`, or all for an empty list. */
export function scenariosNamed(beginnings: readonly string[]): readonly Scenario[] {
  if (beginnings.length === 0) return SCENARIOS
  return SCENARIOS.filter(({ id }) => beginnings.some((beginning) => id.startsWith(beginning)))
}
