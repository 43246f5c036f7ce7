import { readFile } from 'node:fs/promises'
import { importJWK, decodeProtectedHeader, jwtVerify } from 'jose'
import { MAX_TRACE_TOKEN_LENGTH } from '@switchyard/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beat, type Client, problemOf, refusal } from '../harness.ts'
import {
  announced,
  askToken,
  createKey,
  openTraceWorld,
  retireKey,
  statesOf,
  TOKENS,
  type TraceWorld,
} from './support.ts'

const NOW = Date.parse('2026-11-21T08:00:00.400Z')
const HOUR_MS = 60 * 60 * 1000

let world: TraceWorld
let client: Client
beforeEach(async () => {
  world = await openTraceWorld()
  client = await world.start({ now: () => NOW })
  await client.post('/v1/graphs/default?wait=0', { name: 'shop' })
})
afterEach(() => world[Symbol.asyncDispose]())

async function claimsOf(token: string): Promise<Record<string, unknown>> {
  const { kid } = decodeProtectedHeader(token)
  const jwk = (await announced(world)).find((key) => key.kid === kid)
  if (jwk === undefined) throw new Error('nobody announced the key of the token')
  const options = { algorithms: ['EdDSA'], currentDate: new Date(NOW) }
  return (await jwtVerify(token, await importJWK(jwk, 'EdDSA'), options)).payload
}

describe('a trace token', () => {
  it('is signed for one graph, for ten minutes, with an id of its own', async () => {
    const { kid } = await createKey(client)
    const one = await askToken(client)
    const two = await askToken(client)
    expect(one).toMatchObject({ kid, expiresAt: '2026-11-21T08:10:00.000Z' })
    expect(decodeProtectedHeader(one.token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid })
    const iat = Math.floor(NOW / 1000)
    const claims = await claimsOf(one.token)
    expect(claims).toEqual({ aud: 'default/shop', iat, exp: iat + 600, jti: expect.any(String) })
    expect((await claimsOf(two.token))['jti']).not.toBe(claims['jti'])
  })

  it('carries the time and the exclusions that were asked for, and fits what routers look at', async () => {
    await createKey(client)
    const exclude = ['output', 'input', 'output']
    const { token, expiresAt } = await askToken(client, { ttl: 86_400, exclude })
    expect(expiresAt).toBe('2026-11-22T08:00:00.000Z')
    expect((await claimsOf(token))['exclude']).toEqual(['input', 'output'])
    expect(token.length).toBeLessThan(MAX_TRACE_TOKEN_LENGTH)
  })

  it.each([
    { ttl: 0 },
    { ttl: -5 },
    { ttl: 86_401 },
    { ttl: 1.5 },
    { ttl: '10m' },
    { ttl: null },
    { exclude: ['everything'] },
    { exclude: 'output' },
    { aud: 'default/other' },
    [],
  ])('is not given for %j', async (body) => {
    await createKey(client)
    expect(refusal(await client.post(TOKENS, body))).toEqual([400, 'INVALID_REQUEST'])
  })

  it('is not given for a graph or a namespace that does not exist', async () => {
    await createKey(client)
    for (const path of ['default/other', 'other/shop', 'default/constructor']) {
      const reply = await client.post(`/v1/graphs/${path}/trace-tokens`, {})
      expect(refusal(reply)).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('is not given by a registry that has no key for it, which says what to do', async () => {
    expect(problemOf(await client.post(TOKENS, {}))).toMatchObject({
      code: 'TRACE_KEY_UNAVAILABLE',
      detail: expect.stringContaining('trace-key create'),
    })
    await createKey(client)
    const other = await world.start({ keyFile: `${world.folder}/another.json` })
    expect(refusal(await other.post(TOKENS, {}))).toEqual([409, 'TRACE_KEY_UNAVAILABLE'])
    expect(await statesOf(other)).toEqual([expect.stringMatching(/^cannot-sign /)])
  })

  it('makes the first key where that is allowed, once for all who ask at the same time', async () => {
    const traceKeys = { file: world.file, createFirst: true, routersWaitMs: 50 }
    const ready = await world.start({ traceKeys })
    expect(await announced(world)).toEqual([])
    const tokens = await Promise.all([1, 2, 3].map(() => askToken(ready)))
    expect(new Set(tokens.map(({ kid }) => kid)).size).toBe(1)
    expect(await announced(world)).toHaveLength(1)
  })

  it('is told in the log, all of it but the token', async () => {
    const { kid } = await createKey(client)
    const { token, expiresAt } = await askToken(client, { exclude: ['output'] })
    expect(world.logs).toContainEqual(
      expect.objectContaining({
        event: 'registry.trace-token.issued',
        actor: 'bootstrap',
        namespace: 'default',
        graph: 'shop',
        kid,
        expiresAt,
        exclude: ['output'],
        jti: (await claimsOf(token))['jti'],
      }),
    )
    expect(JSON.stringify(world.logs)).not.toContain(token.slice(-40))
  })
})

describe('during a rotation', () => {
  const serving = (revision: number, instance = 'router-1') =>
    beat(world.storage.announcer, { instance, epoch: 1, revision })

  it('tokens have the old key until every router serves the new one, then the new one', async () => {
    const old = await createKey(client)
    await world.publish(1, await announced(world))
    serving(1)
    serving(1, 'router-2')
    expect(await askToken(client)).toMatchObject({ kid: old.kid, warnings: [] })

    const fresh = await createKey(client)
    expect((await askToken(client)).kid).toBe(old.kid)
    await world.publish(2, await announced(world))
    serving(2)
    expect((await askToken(client)).kid).toBe(old.kid)
    serving(2, 'router-2')
    expect(await askToken(client)).toMatchObject({ kid: fresh.kid, warnings: [] })
  })

  it('a token waits for routers that are about to learn the only key', async () => {
    const patient = await world.start({
      now: () => NOW,
      traceKeys: { file: world.file, createFirst: false, routersWaitMs: 60_000 },
    })
    await world.publish(1, [])
    serving(1)
    const { kid } = await createKey(patient)
    const token = askToken(patient)
    await world.publish(2, await announced(world))
    serving(2)
    expect(await token).toMatchObject({ kid, warnings: [] })
  })

  it('a token that routers do not believe yet says so', async () => {
    await createKey(client)
    expect((await askToken(client)).warnings).toEqual([expect.stringContaining('no configuration yet')])
    await world.publish(1, [])
    serving(1)
    expect((await askToken(client)).warnings).toEqual([
      expect.stringContaining('No configuration of the graph'),
    ])
    await world.publish(2, await announced(world))
    serving(1, 'router-2')
    serving(2)
    expect((await askToken(client)).warnings).toEqual([
      expect.stringContaining('1 of 2 routers do not serve revision 2 yet'),
    ])
  })

  it('the old key is in use until the last token that it signed after all expires', async () => {
    let now = NOW
    const moving = await world.start({ now: () => now })
    const old = await createKey(moving)
    await world.publish(1, await announced(world))
    serving(1)
    await createKey(moving)
    now += HOUR_MS
    expect((await askToken(moving, { ttl: 86_400 })).kid).toBe(old.kid)
    now += 23.5 * HOUR_MS
    const { warnings } = await retireKey(moving, old.kid)
    expect(warnings).toEqual([expect.stringContaining('2026-11-22T09:00:00.000Z')])
  })

  it('a key that was retired signs nothing from that moment on, at every registry', async () => {
    const other = await world.start({ now: () => NOW })
    const old = await createKey(client)
    const copy = await readFile(world.file, 'utf8')
    const fresh = await createKey(client)
    await world.publish(1, await announced(world))
    serving(1)
    expect((await askToken(other)).kid).toBe(fresh.kid)
    await retireKey(client, fresh.kid)
    expect((await askToken(other)).kid).toBe(old.kid)
    expect(copy).toContain(old.kid)
  })
})
