/** Manifests of documents that come with the config, as they were published for the graph. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../../src/config/router-config.ts'
import type { KnownDocuments } from '../../../src/concerns/documents/known-documents.ts'
import { PublishedManifests } from '../../../src/generations/published-documents.ts'
import { DocumentEvents } from '../../../src/concerns/documents/events.ts'
import { ConfigWorld, GRAPH, type PublishedManifest } from '../../support/config-world.ts'
import { createManifestFolder, manifestOf, sha256 } from '../../support/manifests.ts'
import { type Reply, routerOn, send, start, type TestRouter, until } from '../../support/router.ts'
import { startShop } from '../../support/shop.ts'

const VERSION = '{ version }'
const HEADER = '{ header(name: "a") }'
const SAFELIST = 'documents: { mode: safelist, published: true }'

function published(name: string, manifest: unknown, clients?: readonly string[]): PublishedManifest {
  const bytes = Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  return {
    reference: {
      name,
      manifest: createHash('sha256').update(bytes).digest('hex'),
      ...(clients === undefined ? {} : { clients: [...clients] }),
    },
    gzipped: gzipSync(bytes),
  }
}

async function startWorld() {
  await using stack = new AsyncDisposableStack()
  const shop = stack.use(await startShop())
  const world = stack.use(await ConfigWorld.create())
  const parts = stack.move()
  const publish = (revision: number, ...documents: readonly PublishedManifest[]) =>
    world.publish({ revision, base: shop.base, documents })
  return { shop, world, publish, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

function byId(router: TestRouter, id: string, headers: Record<string, string> = {}): Promise<Reply> {
  return send(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ documentId: id }),
  })
}

const knows = async (router: TestRouter, id: string) => (await byId(router, id)).status === 200
const notUsed = ({ logs }: TestRouter) => logs.filter(({ event }) => event === 'documents.published-not-used')

describe('manifests that were published for the graph', () => {
  it('are used with the config that names them, and no longer than it', async () => {
    await using parts = await startWorld()
    await parts.publish(1, published('web', manifestOf(VERSION)))
    await using router = await routerOn(parts.world, { settings: SAFELIST })
    await router.ready
    expect((await byId(router, sha256(VERSION))).json.data).toEqual({ version: 'products' })
    expect((await byId(router, sha256(HEADER))).status).toBe(404)
    await parts.publish(2, published('web', manifestOf(HEADER)))
    await until(() => knows(router, sha256(HEADER)), 'the other manifest is used')
    expect((await byId(router, sha256(VERSION))).status).toBe(404)
    await parts.publish(3)
    await until(async () => !(await knows(router, sha256(HEADER))), 'no manifest is used')
    // None of it took a composition.
    expect(router.logs.filter(({ event }) => event === 'generation.built')).toHaveLength(1)
  })

  it('are used beside those of files, each by its clients', async () => {
    await using parts = await startWorld()
    await using folder = await createManifestFolder({ 'm.json': manifestOf(VERSION) })
    await parts.publish(1, published('ios', { header: HEADER }, ['ios']))
    const file = folder.path('m.json')
    const settings = `documents: { mode: ids_only, published: true, manifests: [{ file: ${file} }] }`
    await using router = await routerOn(parts.world, { settings })
    await router.ready
    expect((await byId(router, sha256(VERSION))).status).toBe(200)
    expect((await byId(router, 'header')).status).toBe(404)
    expect((await byId(router, 'header', { 'graphql-client-name': 'ios' })).status).toBe(200)
    await folder.write('m.json', manifestOf(VERSION, '{ fails }'))
    router.reload()
    await until(
      async () => (await byId(router, sha256('{ fails }'))).status === 200,
      'the file is read again',
    )
    expect((await byId(router, 'header', { 'graphql-client-name': 'ios' })).status).toBe(200)
  })

  it('are beside other files after a reload, and the newest of the graph stay', async () => {
    await using parts = await startWorld()
    await using folder = await createManifestFolder({ 'm.json': manifestOf(VERSION) })
    await parts.publish(1, published('web', manifestOf(HEADER)))
    await using router = await routerOn(parts.world, { settings: SAFELIST })
    await router.ready
    const settings = (manifests: string, mode = 'safelist') =>
      loadRouterConfig({
        file: {
          path: 'router.yaml',
          text: `documents: { mode: ${mode}, published: true, manifests: [${manifests}] }`,
        },
        defaultNetworks: LOCAL_NETWORKS,
      })
    const one = `{ file: ${folder.path('m.json')} }`
    expect([await knows(router, sha256(VERSION)), await knows(router, sha256(HEADER))]).toEqual([false, true])
    await router.apply(settings(one))
    expect([await knows(router, sha256(VERSION)), await knows(router, sha256(HEADER))]).toEqual([true, true])
    // Another manifest of the graph is for the settings of now, and for those that come after it.
    await parts.publish(2, published('web', manifestOf('{ fails }')))
    await until(() => knows(router, sha256('{ fails }')), 'the other manifest is used')
    expect([await knows(router, sha256(VERSION)), await knows(router, sha256(HEADER))]).toEqual([true, false])
    await router.apply(settings('', 'ids_only'))
    expect(await knows(router, sha256(VERSION))).toBe(false)
    expect(await knows(router, sha256('{ fails }'))).toBe(true)
    // One that contradicts it cannot be put in force.
    await folder.write('m.json', { same: VERSION })
    await parts.publish(3, published('web', { same: HEADER }))
    await until(() => knows(router, 'same'), 'the third one is used')
    await expect(router.apply(settings(one))).rejects.toThrow('same')
    expect((await byId(router, 'same')).json.data).toEqual({ header: null })
  })

  it('are not even read without the setting', async () => {
    await using parts = await startWorld()
    await using folder = await createManifestFolder({ 'm.json': manifestOf(VERSION) })
    const web = published('web', manifestOf(HEADER))
    await parts.publish(1, web)
    await parts.world.store.deleteArtifact(GRAPH, web.reference.manifest)
    const file = folder.path('m.json')
    const settings = `documents: { mode: allow, manifests: [{ file: ${file} }] }`
    await using router = await routerOn(parts.world, { settings })
    await router.ready
    expect(await knows(router, sha256(VERSION))).toBe(true)
    expect(await knows(router, sha256(HEADER))).toBe(false)
  })

  it.each([
    ['no JSON', 'nonsense', 'web: it is not JSON'],
    ['no texts', { a: 1 }, 'web: "a" has no text of a document'],
    [
      'a wrong hash',
      { [sha256(HEADER)]: VERSION },
      `web: "${sha256(HEADER)}" is not the SHA-256 of its text`,
    ],
    ['something too large', { a: ' '.repeat(5000) }, 'web cannot be unpacked'],
  ])('stay as they are where one of them has %s, and the config is served', async (_, wrong, told) => {
    await using parts = await startWorld()
    await parts.publish(1, published('web', manifestOf(VERSION)))
    const settings = 'documents: { mode: safelist, published: true, max_manifest_size: 4KiB }'
    await using router = await routerOn(parts.world, { settings })
    await router.ready
    await parts.publish(2, published('web', wrong), published('more', manifestOf(HEADER)))
    await until(() => notUsed(router).length === 1, 'it is in the log')
    expect(notUsed(router)[0]?.['problems']).toEqual([expect.stringContaining(told)])
    expect(await knows(router, sha256(VERSION))).toBe(true)
    expect(await knows(router, sha256(HEADER))).toBe(false)
    const { heartbeats } = parts.world
    await until(() => heartbeats.at(-1)?.revision === 2, 'the config is served')
    await parts.publish(3, published('more', manifestOf(HEADER)))
    await until(() => knows(router, sha256(HEADER)), 'the next ones are used')
  })

  it('permit nothing where they cannot be read at the start', async () => {
    await using parts = await startWorld()
    await parts.publish(1, published('web', 'nonsense'))
    await using router = await routerOn(parts.world, { settings: SAFELIST })
    await router.ready
    const body = JSON.stringify({ query: VERSION })
    const reply = await send(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(reply.json.errors?.[0]?.extensions['code']).toBe('QUERY_NOT_IN_SAFELIST')
  })

  it('must be the ones that were signed', async () => {
    await using parts = await startWorld()
    await parts.publish(1, published('web', manifestOf(VERSION)))
    await using router = await routerOn(parts.world, { settings: SAFELIST })
    await router.ready
    const signed = published('web', manifestOf(HEADER))
    await parts.publish(2, { ...signed, gzipped: gzipSync(JSON.stringify(manifestOf('{ fails }'))) })
    const { heartbeats } = parts.world
    await until(
      () => heartbeats.at(-1)?.rejected?.code === 'MANIFEST_ARTIFACT_INVALID',
      'the config is rejected',
    )
    expect(await knows(router, sha256(VERSION))).toBe(true)
    expect(await knows(router, sha256('{ fails }'))).toBe(false)
  })

  it('are in the last-known-good copy', async () => {
    await using parts = await startWorld()
    await parts.publish(1, published('web', manifestOf(VERSION)))
    await using first = await routerOn(parts.world, { settings: SAFELIST })
    await first.ready
    await first[Symbol.asyncDispose]()
    await using empty = await ConfigWorld.create()
    const source = { store: empty.store }
    await using second = await routerOn(parts.world, { settings: SAFELIST, source })
    await second.ready
    expect(await knows(second, sha256(VERSION))).toBe(true)
  })

  it('are in an execution config file', async () => {
    await using parts = await startWorld()
    const path = join(parts.world.directory, 'config.json')
    const documents = [
      { name: 'web', manifest: manifestOf(VERSION) },
      { name: 'ios', clients: ['ios'], manifest: manifestOf(HEADER) },
    ]
    const file = { formatVersion: 1, base: parts.shop.base.artifact, featureFlags: {}, documents }
    await writeFile(path, JSON.stringify(file))
    await using router = await start({ kind: 'execution-config', path }, { settings: SAFELIST })
    expect(await knows(router, sha256(VERSION))).toBe(true)
    expect(await knows(router, sha256(HEADER))).toBe(false)
    expect((await byId(router, sha256(HEADER), { 'graphql-client-name': 'ios' })).status).toBe(200)
  })
})

describe('manifests of a config that is served without what is damaged of it', () => {
  it('are used as far as they are there, and all of them once they are', async () => {
    const lines: unknown[] = []
    const log = { warn: (line: unknown) => lines.push(line), info: () => {} }
    const documents = new PublishedManifests({
      maxManifestSize: () => 1e6,
      events: new DocumentEvents(log as never),
    })
    const used: string[][] = []
    const known = {
      use: async ({ published: manifests }: { published: readonly { name: string }[] }) =>
        void used.push(manifests.map(({ name }) => name)),
    }
    await documents.attach(known as unknown as KnownDocuments)
    const parts = [published('ios', manifestOf(HEADER)), published('web', manifestOf(VERSION))]
    const references = parts.map(({ reference }) => reference)
    const artifacts = new Map(parts.map(({ reference, gzipped }) => [reference.manifest, gzipped]))
    const [ios = ''] = artifacts.keys()
    const damaged = new Map([...artifacts].filter(([hash]) => hash !== ios))
    await documents.take({ documents: references, artifacts: damaged })
    await documents.take({ documents: references, artifacts })
    expect(used).toEqual([['web'], ['ios', 'web']])
    expect(lines).toEqual([])
  })
})
