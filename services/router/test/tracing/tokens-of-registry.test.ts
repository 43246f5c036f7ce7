/** From the command that makes a key to the gate of a router, through everything in between. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openDirectoryConfigStore } from '@switchyard/config-store'
import { loadSigningKey, publicJwks } from '@switchyard/config-distribution'
import { CreatedTraceKey, RouterList, TraceKeyList, TraceToken } from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { startStandalone } from '@switchyard/standalone'
import { temporaryDirectory } from '@switchyard/testkit/temporary-directory'
import { parseTrace } from '@switchyard/request-trace'
import { PATIENTLY } from '@switchyard/testkit'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createConfigStoreSource } from '../../src/generations/follow/config-store-source.ts'
import { createManifestVerifier } from '../../src/generations/verify/verify-manifest.ts'
import { createTraceGate, type TraceVerdict } from '../../src/tracing/trace-gate.ts'

const GRAPH = { namespace: 'default', graph: 'shop' }
const TOKENS = 'graphs/default/shop/trace-tokens'
const SETTINGS = { enabled: true, devMode: false, forceUnauthenticated: false, vendor: 'VENDOR' }

async function createFolder(): Promise<string> {
  const folder = await temporaryDirectory()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  return folder.path
}

async function start(folder?: string) {
  const dataDir = folder ?? (await createFolder())
  const logger = createLogger({ name: 'test', level: 'silent' })
  const standalone = await startStandalone({ dataDir, logger, registryPort: 0, routerPort: 0, graph: GRAPH })
  onTestFinished(() => standalone[Symbol.asyncDispose]())
  const key = (await readFile(standalone.apiKeyFile, 'utf8')).trim()
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${standalone.registryUrl}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  /** What the router itself answers to who asks for a trace with a token. */
  const ask = async (token: string) => {
    const reply = await fetch(standalone.routerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vendor-trace': 'true', 'x-vendor-token': token },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
    return { status: reply.status, json: Object(await reply.json()) }
  }
  const world = { folder: dataDir, send, ask, stop: () => standalone[Symbol.asyncDispose]() }
  if (folder !== undefined) return world
  await send('POST', 'graphs/default', { name: 'shop' })
  const sdl = 'type Query { hello: String }'
  await send('PUT', 'subgraphs/default/orders/schema', { sdl, routingUrl: 'http://127.0.0.1:9/graphql' })
  return world
}

type World = Awaited<ReturnType<typeof start>>

/** What the router of the process serves, read as it reads it: from the config store, with its key. */
async function served({ folder, send }: World) {
  const store = await openDirectoryConfigStore({ directory: join(folder, 'config-store') })
  onTestFinished(() => store[Symbol.asyncDispose]())
  const verifier = createManifestVerifier(publicJwks(await loadSigningKey(join(folder, 'signing-key.json'))))
  const source = createConfigStoreSource(store, verifier)
  const stored = await source.read(GRAPH)
  if (stored === null) throw new Error('nothing was published')
  const { routers } = RouterList.parse(await send('GET', 'routers'))
  const offer = await source.offer(GRAPH, stored)
  expect(routers.map(({ revision, state }) => [revision, state])).toEqual([
    [offer.version.revision, 'serving'],
  ])
  return offer
}

async function admitted(world: World, token: string): Promise<TraceVerdict> {
  const { traceKeys, traceAudience } = await served(world)
  return createTraceGate(SETTINGS).admit({
    headers: { 'x-vendor-trace': 'true', 'x-vendor-token': token },
    search: '',
    keys: traceKeys,
    audience: traceAudience,
  })
}

it('a token opens the gate as soon as it is handed out, through a rotation and until its key is retired', async () => {
  const world = await start()
  const { send } = world
  expect(TraceKeyList.parse(await send('GET', 'trace-keys'))).toEqual({ traceKeys: [], warnings: [] })
  // The first key is made for it; the answer waits until the router has it.
  const first = TraceToken.parse(await send('POST', TOKENS, {}))
  expect(first.warnings).toEqual([])
  expect(await admitted(world, first.token)).toMatchObject({ kind: 'trace' })
  const traced = await world.ask(first.token)
  expect(traced.json.data).toEqual({ __typename: 'Query' })
  expect(parseTrace(traced.json).composition.reason).toBe('none')
  expect((await world.ask(first.token.slice(0, -8))).status).toBe(401)

  const fresh = CreatedTraceKey.parse(await send('POST', 'trace-keys', {}))
  const second = await vi.waitFor(async () => {
    const token = TraceToken.parse(await send('POST', TOKENS, { exclude: ['output'] }))
    expect(token.kid).toBe(fresh.kid)
    return token
  }, PATIENTLY)
  expect(await admitted(world, second.token)).toMatchObject({
    kind: 'trace',
    arguments: { output: false, input: true },
  })
  expect(await admitted(world, first.token)).toMatchObject({ kind: 'trace' })

  await send('DELETE', `trace-keys/${first.kid}`, {})
  await vi.waitFor(async () => expect((await served(world)).traceKeys.keys).toHaveLength(1), PATIENTLY)
  expect(await admitted(world, first.token)).toMatchObject({ kind: 'refused' })
  expect(await admitted(world, second.token)).toMatchObject({ kind: 'trace' })
})

it('the key that was made for the first token is there after a restart', async () => {
  const world = await start()
  const { kid, token } = TraceToken.parse(await world.send('POST', TOKENS, {}))
  await world.stop()
  const again = await start(world.folder)
  expect(TraceToken.parse(await again.send('POST', TOKENS, {}))).toMatchObject({ kid, warnings: [] })
  expect(await admitted(again, token)).toMatchObject({ kind: 'trace' })
  expect((await stat(join(world.folder, 'trace-keys.json'))).mode & 0o777).toBe(0o600)
})
