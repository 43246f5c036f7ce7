/** A large graph of which compositions are stored in pieces only, on real NATS and Redis. */
import { openRedisConfigStore } from '@switchyard/config-store'
import { openNatsStorage } from '@switchyard/event-log'
import { Random } from '@switchyard/samples'
import { natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  GRAPH,
  type OnRealServers,
  openShop,
  publishShop,
  query,
  type Shop,
  startOnRealServers,
  startShopLoad,
  waitForReady,
} from '../src/index.ts'

/** A composition as a manifest names it. */
type Served = { readonly artifact: string; readonly pieces?: string }

const KEY = { namespace: 'default', graph: GRAPH }
/** Types that nobody asks for. Long descriptions cost less to compose than many types. */
const MORE = Array.from(
  { length: 100 },
  (_, type) => `"${'long '.repeat(400)}" type More${type} { a: String b: String c: String }`,
).join('\n')

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('compositions in pieces only', () => {
  it('are served, given to people, written again into an empty store, and survive kills of all writers', async () => {
    await using shop = await openShop()
    const form = { environment: { SWITCHYARD_COMPOSER_ARTIFACT_FORM: 'pieces' } }
    await using system = await startOnRealServers({
      optionsOf: (program) => (program.startsWith('composer') ? form : {}),
    })
    await publishShop(system, shop)
    await using stored = await openNatsStorage({
      url: system.nats.url,
      name: 'reader',
      owns: [],
      ownsBlobs: false,
    })
    await using store = await openRedisConfigStore({ url: system.redis.url })
    const served = async (): Promise<Served> => {
      const manifest = await store.getManifest(KEY)
      const { base } = JSON.parse(Buffer.from(manifest?.manifest ?? '').toString()) as {
        readonly base: Served
      }
      return base
    }
    let field = 0
    // Composers listen to routers for 15 s first.
    await waitFor('a composition that is in pieces only', async () => {
      await publishField(system, shop, ++field)
      const { artifact, pieces } = await served()
      return pieces !== undefined && !(await stored.blobs.has(artifact))
    })

    const { artifact, pieces } = await served()
    const file = await system.manage('GET', `/v1/graphs/default/${GRAPH}/execution-config`)
    expect(JSON.stringify(file.body)).toContain(`step${field}`)
    expect(await store.hasArtifact(KEY, artifact)).toBe(true)

    const load = startShopLoad(system.routerUrls.slice(0, 1))
    for (const { sha256 } of await store.listArtifacts(KEY)) await store.deleteArtifact(KEY, sha256)
    for (const { sha256 } of await store.listPieces(KEY))
      await store.deletePiece(KEY, sha256, Number.MAX_SAFE_INTEGER)
    await waitFor('everything to be written again', async () => {
      const lists = await store.renewPieces(KEY, [pieces ?? ''])
      return lists.length === 0 && (await store.hasArtifact(KEY, artifact))
    })

    // A router that starts while one chunk is lost reads the whole.
    const [lost] = (await store.listPieces(KEY)).filter(({ sha256 }) => sha256 !== pieces)
    await store.deletePiece(KEY, lost?.sha256 ?? '', Number.MAX_SAFE_INTEGER)
    await restart(system, 'router-1')
    await waitForReady(system, system.routerUrls[1] ?? '')
    await knows(system, field)
    expect((await load.stop()).failures).toEqual({})

    const random = new Random(20)
    for (const writer of [
      'composer-0',
      'config-distribution',
      'composer-1',
      'registry-0',
      'config-distribution',
    ]) {
      const published = publishField(system, shop, ++field)
      await pause(random.pick([0, 25, 50, 100, 200, 400]))
      await restart(system, writer)
      await published
    }
    const last = await served()
    await waitFor('the last one to be whole everywhere', async () => {
      const missing = await store.renewPieces(KEY, [last.pieces ?? ''])
      return missing.length === 0 && (await store.hasArtifact(KEY, last.artifact))
    })
    for (const url of system.routerUrls) {
      const { status, body } = await query(url, { 'X-Feature-Flag': 'next' })
      expect([status, JSON.stringify(body).includes('"errors"')]).toEqual([200, false])
    }
  })
})

async function restart(system: OnRealServers, name: string): Promise<void> {
  const program = system.programs.get(name)
  await program?.kill9()
  await program?.start()
}

/** Resolves when every router knows the field. A registry that is away is asked again. */
async function publishField(system: Constellation, shop: Shop, field: number): Promise<void> {
  const users = shop.users.sdl.replace('type User @key(fields: "id") {', `$& step${field}: String`)
  await waitFor('a registry that takes it', async () => {
    const { status } = await system.manage('PUT', '/v1/subgraphs/default/users/schema', {
      sdl: `${users}\n${MORE}`,
    })
    if (status >= 300) throw new Error(String(status))
    return true
  })
  await knows(system, field)
}

async function knows(system: Constellation, field: number): Promise<void> {
  for (const url of system.routerUrls) {
    await waitFor(`${url} to know step${field}`, async () => {
      const { body } = await query(url, {}, `{ me @skip(if: true) { step${field} } __typename }`)
      if (JSON.stringify(body) !== '{"data":{"__typename":"Query"}}')
        throw new Error(`${JSON.stringify(body)}\n${system.report(1500)}`)
      return true
    })
  }
}
