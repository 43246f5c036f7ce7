/**
 * Users with random headers and tokens, under random rules, at random times: nobody gets what is another
 * one's.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { ECHOED_HEADERS, type EchoSubgraph, startEchoSubgraph } from '../../support/echo-subgraph.ts'
import { newSigningKey, sign } from '../../support/token-issuer.ts'
import { settingsOf as takingTokens } from '../authentication/opened.ts'
import { post, routerOn } from '../../support/router.ts'

const QUERY = 'query ($upc: ID!) { product(upc: $upc) { name } }'

const header = fc.constantFrom(...ECHOED_HEADERS)
const rule = fc.oneof(
  fc.record({ propagate: header }),
  fc.record({ propagate: header, rename: header }),
  fc.record({ propagate: header, rename: header, default: fc.constantFrom('a', 'none') }),
  fc.record({ set: header, value: fc.constantFrom('a', 'router') }),
  fc.record({ propagate_matching: fc.constantFrom('x-*', '*', '*e*') }),
  fc.record({ propagate_matching: fc.constant('*'), except: fc.uniqueArray(header, { maxLength: 2 }) }),
  fc.record({ remove: header }),
)
const ofClaim = fc.oneof(
  fc.record({ set: header, from_claim: fc.constantFrom('sub', 'sub', 'team.name', 'none') }),
  fc.record({ set: header, from_claim: fc.constant('sub'), default: fc.constantFrom('a', 'nobody') }),
)
/** Rules for `subgraph`, or for all. */
const rules = fc.array(
  fc.record({ rule: fc.oneof(rule, ofClaim), subgraph: fc.constantFrom(null, 'products', 'reviews') }),
  {
    maxLength: 4,
  },
)
type Rules = typeof rules extends fc.Arbitrary<infer Generated> ? Generated : never

/** What users send, and when, in milliseconds from the start. */
const users = fc.array(
  fc.record({
    headers: fc.dictionary(fc.constantFrom(...ECHOED_HEADERS), fc.constantFrom('a', 'b', 'a, b')),
    upc: fc.constantFrom('1', '2', 'fails'),
    /** Of `CLAIMS`; null: the user has no token. */
    token: fc.constantFrom(null, 0, 1, 2),
    at: fc.constantFrom(0, 0, 0, 2, 5, 10),
  }),
  { minLength: 8, maxLength: 40 },
)
type User = (typeof users extends fc.Arbitrary<infer Generated> ? Generated : never)[number]

/** Those of each token. */
const CLAIMS = [
  { sub: 'ann', team: { name: 'red' } },
  { sub: 'ben', team: { name: 'red' } },
  // As another user might say it in a header.
  { sub: 'a' },
]

const stack = new AsyncDisposableStack()
let world: ConfigWorld
let products: EchoSubgraph
let keys: string
let tokens: readonly string[]
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  products = stack.use(await startEchoSubgraph())
  const urls = { products: products.url, reviews: products.url }
  const key = await newSigningKey('one')
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-keys-'))
  stack.defer(() => rm(folder, { recursive: true }))
  keys = join(folder, 'keys.json')
  await writeFile(keys, JSON.stringify({ keys: [key.publicJwk] }))
  tokens = await Promise.all(CLAIMS.map((claims) => sign(key, claims)))
  await world.publish({ revision: 1, base: buildArtifact('base', urls), flags: {} })
})
afterAll(() => stack.disposeAsync())

function settingsOf(forwarded: Rules, hasCookies: boolean): string {
  const request = (name: string | null) =>
    forwarded.filter(({ subgraph }) => subgraph === name).map((each) => each.rule)
  const subgraphs = { products: { request: request('products') }, reviews: { request: request('reviews') } }
  const response = [
    { propagate: 'x-echo', strategy: 'first' },
    ...(hasCookies ? [{ propagate: 'set-cookie', strategy: 'append' }] : []),
  ]
  const headers = [{ name: 'X-Token', prefix: '' }]
  return JSON.stringify({
    ...takingTokens({ jwks: [{ file: keys }], headers }),
    headers: { request: request(null), response, subgraphs },
  })
}

/** What the subgraph of products says to a user if it sees what the rules let it see. */
function expectedFor({ upc, headers, token }: User, forwarded: Rules): string {
  const seen = new Map<string, string>()
  const own = forwarded.filter(({ subgraph }) => subgraph !== 'reviews').map((each) => each.rule)
  /** Headers that say claims; those of clients by the same names are nothing. */
  const claimed = new Set<string>(own.flatMap((one) => ('from_claim' in one ? [one.set] : [])))
  // Those for all subgraphs come first.
  for (const subgraph of [null, 'products']) {
    for (const each of forwarded) {
      if (each.subgraph !== subgraph) continue
      if ('from_claim' in each.rule) {
        const { set, from_claim: path, default: otherwise }: Claimed = each.rule
        const value = claimOf(token, path) ?? otherwise
        if (value === undefined) seen.delete(set)
        else seen.set(set, value)
      } else if ('set' in each.rule) seen.set(each.rule.set, each.rule.value)
      else if ('remove' in each.rule) seen.delete(each.rule.remove)
      else if ('propagate_matching' in each.rule) {
        const { propagate_matching: pattern, except = [] }: Matching = each.rule
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
        for (const [name, value] of Object.entries(headers))
          if (name !== 'cookie' && expression.test(name) && !except.includes(name) && !claimed.has(name))
            seen.set(name, value)
      } else {
        const { propagate, rename = propagate, default: otherwise }: Propagated = each.rule
        const value = headers[propagate] ?? otherwise
        if (value !== undefined && !claimed.has(rename)) seen.set(rename, value)
      }
    }
  }
  return JSON.stringify([upc, ...ECHOED_HEADERS.map((name) => seen.get(name) ?? null)])
}

function claimOf(token: number | null, path: string): string | undefined {
  const claims = token === null ? undefined : CLAIMS[token]
  if (path === 'none') return undefined
  return path === 'sub' ? claims?.sub : claims?.team?.name
}

type Claimed = { readonly set: string; readonly from_claim: string; readonly default?: string }
type Matching = { readonly propagate_matching: string; readonly except?: readonly string[] }
type Propagated = { readonly propagate: string; readonly rename?: string; readonly default?: string }

describe.each([
  ['requests', (): string => QUERY],
  // Each is another document: requests share nothing, and fetches do.
  ['fetches', (index: number): string => `${QUERY}${' '.repeat(index)}`],
])('under any rules for headers, with shared %s', (_, queryOf) => {
  it('each user gets the data or the error, and the headers, that are meant for that user', async () => {
    let shared = 0
    const property = fc.asyncProperty(
      rules,
      users,
      fc.constantFrom(false, false, true),
      async (forwarded, all, hasCookies) => {
        await using router = await routerOn(world, { settings: settingsOf(forwarded, hasCookies) })
        await router.ready
        const before = products.calls()
        const replies = await Promise.all(
          all.map(async ({ headers, upc, at, token }, index) => {
            await new Promise((resolve) => setTimeout(resolve, at))
            const credentials = token === null ? {} : { 'x-token': tokens[token] ?? '' }
            const body = { query: queryOf(index), variables: { upc } }
            return post(router, body, { ...headers, ...credentials })
          }),
        )
        for (const [index, user] of all.entries()) {
          const { data, errors } = replies[index]?.json ?? {}
          const product = data?.['product'] as { name: string } | null
          expect(user.upc === 'fails' ? errors?.[0]?.message : product?.name).toBe(
            expectedFor(user, forwarded),
          )
          expect(replies[index]?.headers['x-echo']).toBe(expectedFor(user, forwarded))
        }
        // A cookie is given to one user only, whatever they have in common.
        const cookies = replies.flatMap(({ headers }) => headers['set-cookie'] ?? [])
        expect(cookies).toHaveLength(hasCookies ? all.length : 0)
        expect(new Set(cookies).size).toBe(cookies.length)
        shared += all.length - (products.calls() - before)
      },
    )
    // Drawn users have little in common at times, and then there are further draws.
    for (let draws = 0; draws < 4; draws++) {
      await fc.assert(property, { numRuns: 12 })
      if (shared > 20) break
    }
    expect(shared).toBeGreaterThan(20)
  })
})
