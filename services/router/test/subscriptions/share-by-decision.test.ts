/**
 * Clients with different tokens whose events are completed once, and those whose events must not be: with
 * `subscriptions.share_by: decision`. A client that takes no shared results is completed for by itself, so it
 * shows what each one must get.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { until } from '../support/router.ts'
import { issueTokens } from '../support/issued-tokens.ts'
import { inSeconds } from '../support/token-issuer.ts'
import { type EventWorld, startEventWorld } from './support/event-world.ts'
import { type Reading, subscribe } from './support/read-events.ts'

const QUERY = { query: 'subscription { changed { upc price weight } }' }
/** Equal calls in flight are not shared, so that each completion is counted. */
const NO_SHARED_CALLS = 'subgraphs: { share_inflight: false }'
const WEIGHT = 'price: Int weight: Int'

/** A user: the claims of the token, or null if there is none. */
type User = Readonly<Record<string, unknown>> | null

type Case = {
  readonly name: string
  readonly users: readonly User[]
  /** The number of completions that are made for these users, and of results that differ. */
  readonly completions: number
  readonly results: number
  readonly shareBy?: 'token' | 'decision'
  readonly sections?: string
  readonly fields?: string
  readonly depot?: string
  readonly sources?: number
}

const rule = (subgraph: string, text: string) =>
  `headers: { subgraphs: { ${subgraph}: { request: [${text}] } } }`
const TENANT = '{ set: x-tenant, from_claim: tenant }'

const CASES: readonly Case[] = [
  {
    name: 'share if nothing reads where their tokens differ',
    users: [{ sub: 'ann' }, { sub: 'bob', jti: '7', tenant: 'b' }, { sub: 'cat', scope: 'w' }],
    completions: 1,
    results: 1,
  },
  {
    name: 'do not share by default',
    shareBy: 'token',
    users: [{ sub: 'ann' }, { sub: 'bob' }],
    completions: 2,
    results: 1,
  },
  {
    name: 'do not share if a rule for headers reads a claim in which they differ',
    sections: rule('stock', TENANT),
    users: [
      { sub: 'ann', tenant: 'a' },
      { sub: 'bob', tenant: 'b' },
      { sub: 'cat', tenant: 'a' },
      { sub: 'dan' },
    ],
    completions: 3,
    results: 3,
  },
  {
    name: 'share if the rule sends the same of different claims',
    sections: rule('stock', '{ set: x-tenant, from_claim: tenant, default: a }'),
    users: [{ sub: 'ann', tenant: 'a' }, { sub: 'bob' }, { sub: 'cat', tenant: { of: 'cat' } }],
    completions: 1,
    results: 1,
  },
  {
    name: 'do not share if the rule is for all subgraphs',
    sections: `headers: { request: [${TENANT}] }`,
    users: [{ tenant: 'a' }, { tenant: 'b' }],
    completions: 2,
    results: 2,
    sources: 2,
  },
  {
    name: 'do not share if only the subgraph that sends the events is told the claim',
    sections: rule('events', TENANT),
    users: [{ tenant: 'a' }, { tenant: 'b' }],
    completions: 2,
    results: 1,
    sources: 2,
  },
  {
    name: 'do not share if the rule is for another flag, since they may move',
    sections: `headers: { flags: { heavy: { request: [${TENANT}] } } }`,
    users: [{ tenant: 'a' }, { tenant: 'b' }],
    completions: 2,
    results: 1,
  },
  {
    name: 'do not share if their tokens are sent to a subgraph',
    sections: rule('stock', '{ propagate: authorization }'),
    users: [{ sub: 'ann' }, { sub: 'bob' }],
    completions: 2,
    results: 2,
  },
  {
    name: 'do not share with somebody without a token, also if no rule asks for one',
    users: [null, { sub: 'ann' }, null],
    completions: 2,
    results: 1,
  },
  {
    name: 'do not share if @authenticated hides a field from one of them',
    fields: 'price: Int weight: Int @federation__authenticated',
    users: [null, { sub: 'ann' }, { sub: 'bob' }],
    completions: 2,
    results: 2,
  },
  {
    name: 'share by the outcome of @requiresScopes, whatever other scopes they have',
    fields: 'price: Int weight: Int @federation__requiresScopes(scopes: [["w"]])',
    users: [{ scope: 'w' }, { scope: 'a w' }, { scope: 'a' }, {}],
    completions: 2,
    results: 2,
  },
  {
    name: 'share by the outcome of @policy',
    fields: 'price: Int weight: Int @federation__policy(policies: [["p"]])',
    sections: 'authorization: { policies: { p: { claim: groups, contains: p } } }',
    users: [{ groups: ['p'] }, { groups: ['q', 'p'] }, { groups: 'p' }],
    completions: 2,
    results: 2,
  },
  {
    name: 'share by each of several rules that meet in one operation',
    fields:
      'price: Int @federation__requiresScopes(scopes: [["a"]]) weight: Int @federation__requiresScopes(scopes: [["w"]])',
    users: [{ scope: 'a' }, { scope: 'w' }, { scope: 'a w' }, { scope: 'w a x' }],
    completions: 3,
    results: 3,
  },
  {
    name: 'do not share across the sides of a progressive override that a claim decides',
    fields: 'price: Int @federation__override(from: "depot", label: "percent(50)") weight: Int',
    depot: 'price: Int',
    sections: `progressive_override: { key: [{ claim: sub }] }\n${rule('depot', '{ set: x-tenant, value: b }')}`,
    users: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((sub) => ({ sub })),
    // Those of one side ask two subgraphs, which are two calls.
    completions: 3,
    results: 2,
  },
]

/** The price that a subgraph tells depends on everything that it is told of a user. */
function priceFor(upc: string, { headers }: IncomingMessage): number {
  const told = `${upc} ${String(headers['x-tenant'])} ${String(headers.authorization)}`
  return Number.parseInt(hash('sha256', told, 'hex').slice(0, 7), 16)
}

async function startWorld(
  stack: AsyncDisposableStack,
  authentication: string,
  { shareBy = 'decision', sections = '', fields = WEIGHT, depot }: Partial<Case>,
): Promise<EventWorld> {
  const settings = `${NO_SHARED_CALLS}\nauthentication: ${authentication}\n${sections}`
  const world = stack.use(await startEventWorld(`share_by: ${shareBy}`, settings))
  await world.publish(2, fields, {}, depot)
  const swaps = () => world.router.logs.filter(({ event }) => event === 'config.swapped')
  await until(() => swaps().length === 2, 'the second revision')
  return world
}

const firstOf = ({ events }: Reading): unknown => events[0]?.[1]

describe('clients with different tokens', () => {
  it.each(CASES)('$name', async ({ users, completions, results, sources = 1, ...given }) => {
    await using stack = new AsyncDisposableStack()
    const claims = Object.fromEntries(
      users.flatMap((user, index) => (user === null ? [] : [[String(index), user]])),
    )
    const tokens = stack.use(await issueTokens(claims))
    const world = await startWorld(stack, tokens.settings, given)
    world.stock.price = priceFor
    const subscribeAs = (index: number, headers = {}) =>
      subscribe(world.router, QUERY, { ...tokens.headersOf(String(index)), ...headers })
    const alone: Reading[] = []
    for (const index of users.keys()) alone.push(subscribeAs(index, { 'cache-control': 'no-cache' }))
    for (const reading of alone) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(sources)
    world.events.send({ changed: { upc: '7' } })
    for (const reading of alone) await reading.until(({ events }) => events.length === 1, 'the event')
    for (const reading of alone) reading.leave()
    await world.subscribed(0)
    world.stock.asked.length = 0
    const together = [...users.keys()].map((index) => subscribeAs(index))
    for (const reading of together) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(sources)
    world.events.send({ changed: { upc: '7' } })
    for (const reading of together) await reading.until(({ events }) => events.length === 1, 'the event')
    expect(together.map(firstOf)).toEqual(alone.map(firstOf))
    expect(new Set(together.map((reading) => JSON.stringify(firstOf(reading)))).size).toBe(results)
    expect(world.stock.asked).toHaveLength(completions)
  })

  it('share until the token of one expires, which ends nobody else', async () => {
    await using stack = new AsyncDisposableStack()
    const users = { ann: { sub: 'ann', exp: inSeconds(8) }, bob: { sub: 'bob' } }
    const tokens = stack.use(await issueTokens(users))
    const world = await startWorld(stack, tokens.settings, {})
    const [ann, bob] = [
      subscribe(world.router, QUERY, tokens.headersOf('ann')),
      subscribe(world.router, QUERY, tokens.headersOf('bob')),
    ]
    for (const reading of [ann, bob]) await reading.until(({ status }) => status === 200, 'the headers')
    await world.subscribed(1)
    // The completion for both is under way when the token of the first one expires.
    const gate = Promise.withResolvers<void>()
    world.stock.wait = () => gate.promise
    world.events.send({ changed: { upc: '7' } })
    await until(() => world.stock.asked.length === 1, 'the call')
    await ann.until(({ end }) => end === 'whole', 'the end')
    expect(ann.events).toMatchObject([
      ['next', { errors: [{ extensions: { code: 'TOKEN_INVALID' } }] }],
      ['complete', null],
    ])
    gate.resolve()
    await bob.until(({ events }) => events.length === 1, 'the event')
    world.events.send({ changed: { upc: '8' } })
    await bob.until(({ events }) => events.length === 2, 'another event')
    expect(bob.events.map(([, data]) => data)).toEqual(
      ['7', '8'].map((upc) => ({ data: { changed: { upc, price: Number(upc) * 10, weight: 1 } } })),
    )
    expect(world.stock.asked).toHaveLength(2)
    expect(bob.end).toBeNull()
  })
})
