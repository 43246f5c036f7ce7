/** What a client says of itself over a WebSocket: headers, feature flags, and tokens that end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsOf } from '../../concerns/authentication/opened.ts'
import { until } from '../../support/router.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'
import {
  inSeconds,
  type KeyServer,
  newSigningKey,
  sign,
  type SigningKey,
  startKeyServer,
} from '../../support/token-issuer.ts'
import { Talk } from './talk.ts'

const stack = new AsyncDisposableStack()
let keys: KeyServer
let key: SigningKey
let started: ShopRouter

beforeAll(async () => {
  key = await newSigningKey('a')
  keys = stack.use(await startKeyServer(key.publicJwk))
  const jwt = { refresh_interval: '1s', refresh_cooldown: '1s', clock_tolerance: '0s' }
  const settings = JSON.stringify({
    ...settingsOf({ jwks: [{ url: keys.url }] }, jwt, true),
    subscriptions: { enabled: true, connection_init: { headers: ['Authorization', 'x-a'] } },
    headers: { request: [{ propagate: 'x-a' }, { propagate: 'x-b' }] },
  })
  started = stack.use(await startShopRouter({ settings }))
})
afterAll(() => stack.disposeAsync())

const bearer = async (claims: Record<string, unknown> = {}) => `Bearer ${await sign(key, claims)}`

async function headerSeen(talk: Talk, name: string): Promise<unknown> {
  const id = `see ${name}`
  talk.subscribe(id, `{ header(name: "${name}") }`)
  const { payload } = await talk.hear('next', id)
  return (payload as { data: { header: unknown } }).data.header
}

describe('connection_init', () => {
  it('brings headers that the settings list, and no others', async () => {
    const init = { authorization: await bearer(), 'X-A': 'one', 'x-b': 'two', headers: { cookie: 'a=b' } }
    await using talk = await Talk.ready(started.router.graphqlUrl, init)
    expect([await headerSeen(talk, 'x-a'), await headerSeen(talk, 'x-b')]).toEqual(['one', null])
  })
  it('brings them in its member "headers" as well, and those of the handshake win', async () => {
    const init = { headers: { Authorization: await bearer(), 'x-a': 'payload' } }
    await using talk = await Talk.ready(started.router.graphqlUrl, init, { 'x-a': 'handshake', 'x-b': 'b' })
    expect([await headerSeen(talk, 'x-a'), await headerSeen(talk, 'x-b')]).toEqual(['handshake', 'b'])
  })
  it.each([[{ 'x-a': 1 }], [{ 'x-a': 'a\r\nb: c' }], [{ 'x-a': 'a', headers: { 'X-A': 'b' } }]])(
    'with %j is refused: 4400',
    async (init) => {
      await using talk = await Talk.open(started.router.graphqlUrl)
      talk.say({ type: 'connection_init', payload: init })
      expect(await talk.closed).toEqual({
        code: 4400,
        reason: 'Invalid connection_init: x-a is no value of a header',
      })
    },
  )
  it.each([
    ['without a token', {}, 'needs a token'],
    ['with a token that is none', { authorization: 'Bearer x' }, 'no signed JSON Web Token'],
  ])('%s closes with 4403', async (_, payload, reason) => {
    await using talk = await Talk.open(started.router.graphqlUrl)
    talk.say({ type: 'connection_init', payload })
    const closed = await talk.closed
    expect(closed.code).toBe(4403)
    expect(closed.reason).toContain(reason)
  })
})

describe('a token', () => {
  it('that expires closes the WebSocket with 4403, though nothing is said on it', async () => {
    const init = { authorization: await bearer({ exp: inSeconds(2) }) }
    await using talk = await Talk.ready(started.router.graphqlUrl, init)
    expect((await talk.closed).code).toBe(4403)
  })
  it('whose key is rotated closes the WebSocket with the next operation', async () => {
    await using talk = await Talk.ready(started.router.graphqlUrl, { authorization: await bearer() })
    const other = await newSigningKey('b')
    keys.publish(other.publicJwk)
    try {
      const closed = talk.closed.then(({ code }) => code)
      let operations = 0
      const code = await until(async () => {
        if (talk.ws.readyState === talk.ws.OPEN) talk.subscribe(String(operations++), '{ version }')
        return Promise.race([closed, Promise.resolve(null)])
      }, 'the end of the WebSocket')
      expect(code).toBe(4403)
    } finally {
      keys.publish(key.publicJwk)
    }
  })
})
