/** What a router says and keeps about tracing before anybody asks for a trace. */
import { describe, expect, it } from 'vitest'
import { createConfigStoreSource } from '../../src/generations/follow/config-store-source.ts'
import { verifyArtifacts } from '../../src/generations/verify/verify-artifacts.ts'
import { createManifestVerifier } from '../../src/generations/verify/verify-manifest.ts'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH } from '../support/config-world.ts'
import { routerOn, send, until } from '../support/router.ts'
import { newTestKey } from './trace-tokens.ts'

const WARN = 'warn'

/** Warnings of a router's start, by event. */
async function warningsAt(settings: string): Promise<Map<unknown, string[]>> {
  await using world = await ConfigWorld.create()
  await using router = await routerOn(world, { settings })
  await until(() => router.logs.some(({ event }) => event === 'router.listening'), 'the router listens')
  const warnings = router.logs.filter(({ event, level }) => level === WARN && /tracing/.test(String(event)))
  const texts = new Map<unknown, string[]>()
  for (const { event, msg = '' } of warnings) texts.set(event, [...(texts.get(event) ?? []), msg])
  return texts
}

describe('at its start a router', () => {
  it('warns once that tracing is active, and of nothing else', async () => {
    expect(await warningsAt('')).toEqual(
      new Map([
        [
          'router.tracing-active',
          [expect.stringMatching(/X-VENDOR-Trace with a valid token in X-VENDOR-Token/)],
        ],
      ]),
    )
  })

  it('warns that nobody needs a token in dev mode', async () => {
    const warnings = await warningsAt('{ dev_mode: true, tracing: { vendor: acme } }')
    expect(warnings).toEqual(
      new Map([
        [
          'router.tracing-active',
          [expect.stringMatching(/whoever sends X-acme-Trace gets .* without a token/)],
        ],
      ]),
    )
  })

  it('warns loudly, once, of what can leak when traces are forced open', async () => {
    const warnings = await warningsAt('engine: { force_unauthenticated_request_tracing: true }')
    expect([...warnings.keys()]).toEqual(['router.tracing-active', 'router.tracing-forced'])
    const [text = '', ...more] = warnings.get('router.tracing-forced') ?? []
    expect(more).toEqual([])
    for (const leak of [
      'DANGER',
      'ANYBODY',
      'subgraph URLs',
      'credentials',
      'raw subgraph answers',
      'query plans',
      'timing',
    ])
      expect(text).toContain(leak)
  })

  it('does not warn of tracing that is switched off', async () => {
    expect(await warningsAt('engine: { enable_request_tracing: false }')).toEqual(new Map())
    expect(await warningsAt('{ dev_mode: true, engine: { enable_request_tracing: false } }')).toEqual(
      new Map(),
    )
  })

  it('still warns of the forced opening that has no effect', async () => {
    const settings = 'engine: { enable_request_tracing: false, force_unauthenticated_request_tracing: true }'
    expect(await warningsAt(settings)).toEqual(
      new Map([['router.tracing-forced', [expect.stringContaining('has no effect')]]]),
    )
  })
})

describe('a router', () => {
  it('lets pages of allowed origins send the trace and the token header, by the operator’s name', async () => {
    await using world = await ConfigWorld.create()
    const settings = '{ cors: { origins: ["https://a.example"] }, tracing: { vendor: acme } }'
    await using router = await routerOn(world, { settings })
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' }
    const reply = await send(router.graphqlUrl, { method: 'OPTIONS', headers })
    const allowed = String(reply.headers['access-control-allow-headers']).split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['X-acme-Trace', 'X-acme-Token']))
    expect(allowed).not.toContain('X-VENDOR-Token')
  })

  it('answers a token of a megabyte with 431 before anything looks at it', async () => {
    await using world = await ConfigWorld.create()
    await using router = await routerOn(world)
    const headers = { 'x-vendor-trace': 'true', 'x-vendor-token': 'x'.repeat(1024 * 1024) }
    const reply = await send(router.graphqlUrl, { headers })
    expect([reply.status, reply.json.errors?.[0]?.extensions['code']]).toEqual([431, 'HEADERS_TOO_LARGE'])
  })

  it('has the keys of trace tokens from the signed manifest, from the newest and from no other', async () => {
    await using world = await ConfigWorld.create()
    const base = buildArtifact('base', { products: 'http://a.test/', reviews: 'http://b.test/' })
    const [one, two] = [await newTestKey('k1'), await newTestKey('k2')]
    const source = createConfigStoreSource(world.store, createManifestVerifier(world.keys))
    const keysNow = async () => {
      const stored = await source.read(GRAPH)
      if (stored === null) throw new Error('nothing was published')
      const offer = await source.offer(GRAPH, stored)
      const config = await verifyArtifacts({ ...offer, base: base.sha256 })
      return config.traceKeys.keys.map(({ kid }) => kid)
    }
    await world.publish({ revision: 1, base, traceKeys: { keys: [one.publicJwk] } })
    expect(await keysNow()).toEqual(['k1'])
    await world.publish({ revision: 2, base, traceKeys: { keys: [one.publicJwk, two.publicJwk] } })
    expect(await keysNow()).toEqual(['k1', 'k2'])
    await world.publish({ revision: 3, base, traceKeys: { keys: [two.publicJwk] } })
    expect(await keysNow()).toEqual(['k2'])
    const planted = (text: string) => text.replace('"kid":"k2"', '"kid":"k3"')
    await world.publish({ revision: 4, base, traceKeys: { keys: [two.publicJwk] }, tamper: planted })
    await expect(keysNow()).rejects.toMatchObject({ code: 'MANIFEST_SIGNATURE_INVALID' })
  })
})
