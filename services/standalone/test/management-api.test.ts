/** What the management API tells of composer, config distribution and router when these are the real ones. */
import { readFile } from 'node:fs/promises'
import {
  CommandOutcome,
  ExecutionConfigFile,
  FederatedGraphDetail,
  FeatureFlagDetail,
  Problem,
  RevisionList,
} from '@switchyard/contracts'
import { createLogger } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { z } from 'zod'
import { startStandalone } from '../src/standalone.ts'
import type { Standalone } from '../src/standalone.ts'
import { createFolder } from './folder.ts'

const logger = createLogger({ name: 'test', level: 'silent' })
const BAD = 'type Query { product: Missing }'

type Api = {
  readonly standalone: Standalone
  send(method: string, path: string, body?: object): Promise<unknown>
  write(method: string, path: string, body?: object): Promise<CommandOutcome>
  read<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>>
}

async function startApi(): Promise<Api> {
  const graph = { namespace: 'default', graph: 'shop' }
  const folder = await createFolder()
  const standalone = await startStandalone({ dataDir: folder, logger, registryPort: 0, routerPort: 0, graph })
  onTestFinished(() => standalone[Symbol.asyncDispose]())
  const key = (await readFile(standalone.apiKeyFile, 'utf8')).trim()
  const send: Api['send'] = async (method, path, body) => {
    const response = await fetch(`${standalone.registryUrl}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  // Right after its start the registry still reads its log.
  await vi.waitFor(
    async () => expect(await send('GET', 'namespaces')).toHaveProperty('namespaces'),
    PATIENTLY,
  )
  return {
    standalone,
    send,
    // Long enough for a busy machine to compose.
    write: async (method, path, body) =>
      CommandOutcome.parse(await send(method, `${path}?wait=120000`, body)),
    read: async (schema, path) => schema.parse(await send('GET', path)),
  }
}

const publish = (api: Api, name: string, sdl: string) =>
  api.write('PUT', `subgraphs/default/${name}/schema`, { sdl, routingUrl: 'http://127.0.0.1:9/graphql' })

/** Base with `first`, then with `second` and the flag `next`, which shows `flagged`: revisions 1, 2 and 3. */
async function startShop(): Promise<Api> {
  const api = await startApi()
  await api.write('POST', 'graphs/default', { name: 'shop' })
  await publish(api, 'products', 'type Query { product: Int first: Int }')
  await api.write('PUT', 'subgraphs/default/next/schema', {
    sdl: 'type Query { product: Int flagged: Int }',
    routingUrl: 'http://127.0.0.1:9/graphql',
    subgraph: 'products',
  })
  await isRevision(api, 1)
  await api.write('POST', 'feature-flags/default', {
    name: 'next',
    featureSubgraphs: ['next'],
    enabled: true,
  })
  await isRevision(api, 2)
  await live(api, await publish(api, 'products', 'type Query { product: Int second: Int }'))
  await isRevision(api, 3)
  return api
}

/** The outcome once all routers serve what came of the command: the command itself waits for them shortly. */
function live(api: Api, { commandId }: CommandOutcome): Promise<CommandOutcome> {
  return vi.waitFor(async () => {
    const outcome = await api.read(CommandOutcome, `commands/default/${commandId}`)
    expect(outcome.routers.serving).toBe(outcome.routers.total)
    return outcome
  }, PATIENTLY)
}

const graphOf = (api: Api) => api.read(FederatedGraphDetail, 'graphs/default/shop')
const fileOf = (api: Api, query = '') =>
  api.read(ExecutionConfigFile, `graphs/default/shop/execution-config${query}`)

function isRevision(api: Api, revision: number): Promise<void> {
  return vi.waitFor(async () => expect((await graphOf(api)).revision).toBe(revision), PATIENTLY)
}

async function fields({ standalone }: Api, flag?: string): Promise<string[]> {
  const response = await fetch(standalone.routerUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(flag === undefined ? {} : { 'x-feature-flag': flag }),
    },
    body: JSON.stringify({ query: '{ __schema { queryType { fields { name } } } }' }),
  })
  const { data } = (await response.json()) as {
    data?: { __schema: { queryType: { fields: { name: string }[] } } }
  }
  return data?.__schema.queryType.fields.map(({ name }) => name) ?? []
}

describe('the management API on everything in one process', () => {
  it('has in the execution config what checks try: the documents that are published, and who may use them', async () => {
    const api = await startShop()
    expect((await fileOf(api)).documents).toBeUndefined()
    const manifest = (texts: object) => ({ manifest: JSON.stringify(texts) })
    const documents = 'graphs/default/shop/documents'
    await api.write('PUT', `${documents}/web`, manifest({ own: '{ second }', a: '{ product }' }))
    await api.write('PUT', `${documents}/ios`, { ...manifest({ b: '{ flagged }' }), clients: ['ios', 'tv'] })
    await vi.waitFor(
      async () =>
        expect((await fileOf(api)).documents).toEqual([
          { name: 'ios', clients: ['ios', 'tv'], manifest: { b: '{ flagged }' } },
          { name: 'web', manifest: { a: '{ product }', own: '{ second }' } },
        ]),
      PATIENTLY,
    )
    await api.write('DELETE', `${documents}/ios`)
    await vi.waitFor(
      async () => expect((await fileOf(api)).documents).toMatchObject([{ name: 'web' }]),
      PATIENTLY,
    )
  })

  it('gives a graph back what an older revision served, and releases it', async () => {
    const api = await startShop()
    expect(await fields(api)).toContain('second')
    const pinned = await live(api, await api.write('PUT', 'graphs/default/shop/pin', { revision: 1 }))
    expect(pinned).toMatchObject({ pending: false, routers: { serving: 1, total: 1, verified: true } })
    expect(await fields(api)).toEqual(['product', 'first'])
    expect(await fields(api, 'next')).toEqual(['product', 'first'])
    expect((await fileOf(api)).base).toEqual((await fileOf(api, '?revision=1')).base)

    const held = await publish(api, 'products', 'type Query { product: Int third: Int }')
    expect(held).toMatchObject({ compositions: [{ status: 'composed' }, { featureFlag: 'next' }] })
    expect(held.warnings).toContainEqual(expect.stringContaining('held on revision 1'))
    expect((await live(api, held)).routers).toEqual({ serving: 1, total: 1, verified: true })
    expect(await fields(api)).toEqual(['product', 'first'])

    const released = await live(api, await api.write('DELETE', 'graphs/default/shop/pin'))
    expect(released.routers).toEqual({ serving: 1, total: 1, verified: true })
    expect(await fields(api)).toEqual(['product', 'third'])
    expect(await fields(api, 'next')).toEqual(['product', 'flagged'])
    const { revisions } = await api.read(RevisionList, 'graphs/default/shop/revisions')
    expect(revisions.map(({ revision, reason, actor }) => [revision, reason, actor])).toEqual([
      [5, 'unpin', 'bootstrap'],
      [4, 'pin', 'bootstrap'],
      [3, 'composition', 'bootstrap'],
      [2, 'composition', 'bootstrap'],
      [1, 'composition', 'bootstrap'],
    ])
  })

  it('counts the routers that serve what composed last, when a graph is released while its base is broken', async () => {
    const api = await startShop()
    await api.write('PUT', 'graphs/default/shop/pin', { revision: 1 })
    const broken = await publish(api, 'products', BAD)
    expect(broken.compositions).toContainEqual(
      expect.objectContaining({ featureFlag: null, status: 'failed', failedBefore: false }),
    )
    const released = await live(api, await api.write('DELETE', 'graphs/default/shop/pin'))
    expect(released).toMatchObject({ pending: false, routers: { serving: 1, total: 1, verified: true } })
    expect(await fields(api)).toEqual(['product', 'second'])
    expect((await graphOf(api)).featureFlags).toEqual([{ name: 'next', state: 'served' }])
    expect(await fields(api, 'next')).toEqual(['product', 'flagged'])
  })

  it('tells of the flag what the router does with it', async () => {
    const api = await startShop()
    const state = async () =>
      (await api.read(FeatureFlagDetail, 'feature-flags/default/next')).graphs[0]?.state
    expect(await state()).toBe('served')
    const failed = await publish(api, 'next', 'type Query { product: Missing }')
    expect(failed.compositions).toContainEqual(
      expect.objectContaining({ featureFlag: 'next', status: 'failed', failedBefore: false }),
    )
    expect(await state()).toMatch(/^not served: its composition fails \([A-Z_]+: /)
    expect(await fields(api, 'next')).toEqual(['product', 'second'])
    const other = await publish(api, 'products', 'type Query { product: Int third: Int }')
    expect(other.compositions).toContainEqual(
      expect.objectContaining({ featureFlag: 'next', status: 'failed', failedBefore: true }),
    )
    await api.write('DELETE', 'subgraphs/default/next')
    expect(await state()).toBe('not served: it has no feature subgraph any more')
  })

  it('shows nothing of an earlier graph of the same name', async () => {
    const api = await startShop()
    const removed = await api.write('DELETE', 'graphs/default/shop')
    expect(removed).toMatchObject({ pending: false, compositions: [], routers: { serving: 0, total: 0 } })
    await api.write('DELETE', 'subgraphs/default/products')
    await api.write('POST', 'graphs/default', { name: 'shop' })
    expect(await graphOf(api)).toMatchObject({ base: 'empty', revision: null })
    for (const query of ['', '?revision=1', '?revision=3']) {
      const reply = Problem.parse(await api.send('GET', `graphs/default/shop/execution-config${query}`))
      expect(reply.code).toBe('NOT_FOUND')
    }
    expect(Problem.parse(await api.send('PUT', 'graphs/default/shop/pin', { revision: 1 })).code).toBe(
      'NOT_FOUND',
    )
    const again = await publish(api, 'products', 'type Query { product: Int again: Int }')
    expect(again.routers).toEqual({ serving: 1, total: 1, verified: true })
    expect(await fields(api)).toEqual(['product', 'again'])
    const { revisions } = await api.read(RevisionList, 'graphs/default/shop/revisions')
    expect(revisions.map(({ revision }) => revision)).toEqual([5])
  })

  it('keeps a graph that is created again at once under the eyes of its routers', async () => {
    const api = await startShop()
    const [, created] = await Promise.all([
      api.write('DELETE', 'graphs/default/shop'),
      vi.waitFor(async () => {
        const reply = await api.send('POST', 'graphs/default', { name: 'shop' })
        return CommandOutcome.parse(reply)
      }, PATIENTLY),
    ])
    // The composer may have seen both at once, or the removal first.
    const status = expect.stringMatching(/^(?:unchanged|composed)$/)
    expect(created.compositions).toMatchObject([{ status }, { status }])
    await vi.waitFor(async () => expect([3, 5]).toContain((await graphOf(api)).revision), PATIENTLY)
    expect((await fileOf(api)).base.supergraphSdl).toContain('second')
    await vi.waitFor(async () => expect(await fields(api)).toEqual(['product', 'second']), PATIENTLY)
  })
})
