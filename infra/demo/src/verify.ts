/**
 * Does it really serve? One question to the base graph and through the flag, with answers known from the
 * shop's data.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { DemoError } from './settings.ts'
import { DISCOUNT_PERCENT, PRODUCTS } from './shop-data.ts'
import { FLAG, USERS } from './shop.ts'

export type Ask = {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly flagged: boolean
}

export const ASKS: readonly Ask[] = [
  { name: 'no flag', headers: {}, flagged: false },
  { name: 'flag in the header', headers: { 'X-Feature-Flag': FLAG }, flagged: true },
  { name: 'flag in the cookie', headers: { Cookie: `feature_flag=${FLAG}` }, flagged: true },
  { name: 'a user inside the rollout', headers: { 'X-User': USERS.inside }, flagged: true },
  { name: 'a user outside of it', headers: { 'X-User': USERS.outside }, flagged: false },
  { name: 'unknown flag', headers: { 'X-Feature-Flag': 'no-such-flag' }, flagged: false },
]

/** Touches all four subgraphs: keys, `@requires` (shipping) and `@provides` (username). */
export const QUERY =
  '{ product(upc: "stove") { name price inStock shippingEstimate reviews { rating author { username name } } } }'

export function expectedData(flagged: boolean): unknown {
  const stove = PRODUCTS.find(({ upc }) => upc === 'stove')
  if (stove === undefined) throw new DemoError('The shop sells no stove any more.')
  const { name, price, inStock, weight } = stove
  const asked = flagged ? Math.round((price * (100 - DISCOUNT_PERCENT)) / 100) : price
  const reviews = [{ rating: 5, author: { username: 'chika', name: 'Chika Obi' } }]
  return { product: { name, price: asked, inStock, shippingEstimate: Math.ceil(weight / 2), reviews } }
}

/** Asks until the answer is right: a router takes a moment to load a new configuration. */
export async function verify(routerUrl: string, ask: Ask, signal: AbortSignal): Promise<void> {
  const expected = expectedData(ask.flagged)
  let answer: unknown
  while (!signal.aborted) {
    answer = await post(routerUrl, ask.headers, signal)
    if (isDeepStrictEqual(answer, { data: expected })) return
    await sleep(50, undefined, { signal }).catch(() => undefined)
  }
  throw new DemoError(
    `With ${ask.name} the router was expected to answer\n  ${JSON.stringify({ data: expected })}\nbut it answered\n  ${JSON.stringify(answer)}`,
  )
}

/** Subscribes until the first event is right: a router takes a moment to load a new configuration. */
export async function verifySubscription(routerUrl: string, signal: AbortSignal): Promise<void> {
  const [{ name, price } = { name: '', price: 0 }] = PRODUCTS
  const expected = { data: { productOrdered: { name, price } } }
  let event: unknown
  while (!signal.aborted) {
    event = await firstEvent(routerUrl, signal).catch(String)
    if (isDeepStrictEqual(event, expected)) return
    await sleep(50, undefined, { signal }).catch(() => undefined)
  }
  throw new DemoError(
    `The first event was expected to be\n  ${JSON.stringify(expected)}\nbut it was\n  ${JSON.stringify(event)}`,
  )
}

async function firstEvent(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { productOrdered { name price } }' }),
    signal,
  })
  let text = ''
  // To leave the loop ends the subscription.
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const [, event] = /^data: (.+)\n\n/m.exec(text) ?? []
    if (event !== undefined) return JSON.parse(event)
  }
  return text
}

async function post(url: string, headers: Ask['headers'], signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: QUERY }),
      signal,
    })
    return await response.json()
  } catch (error) {
    return String(error)
  }
}
