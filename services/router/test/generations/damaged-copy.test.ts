/** What a router serves when something of its last-known-good copy is damaged, and the store is away. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { trace } from '@opentelemetry/api'
import type { ConfigStore } from '@switchyard/config-store'
import { Random } from '@switchyard/samples'
import { createLogger } from '@switchyard/service-kit'
import { isLongRun } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigFollower } from '../../src/generations/follow/config-follower.ts'
import type { ConfigTarget } from '../../src/generations/follow/config-intake.ts'
import { createConfigStoreSource } from '../../src/generations/follow/config-store-source.ts'
import { fixedGraph } from '../../src/generations/follow/graph-choice.ts'
import { createLastKnownGood } from '../../src/generations/copy/last-known-good.ts'
import type { VerifiedConfig } from '../../src/generations/offered-config.ts'
import { verifyArtifacts } from '../../src/generations/verify/verify-artifacts.ts'
import { createManifestVerifier } from '../../src/generations/verify/verify-manifest.ts'
import { ConfigEvents } from '../../src/generations/follow/config-events.ts'
import { type BuiltArtifact, buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH, type Publication } from '../support/config-world.ts'
import { type LogLine, post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const variant = (kind: 'base' | 'next', port: number): BuiltArtifact =>
  buildArtifact(kind, { products: `http://127.0.0.1:${port}/`, reviews: 'http://127.0.0.1:1/' })
/** Nothing of the second revision is in the first one. */
const REVISIONS: readonly Publication[] = [
  { revision: 1, base: variant('base', 1), flags: { a: variant('next', 2) } },
  { revision: 2, base: variant('base', 3), flags: { a: variant('next', 4), b: variant('next', 5) } },
]

/** A store that has been put away. */
const away = {
  read: () => Promise.reject(new Error('the store is away')),
  offer: () => Promise.reject(new Error('the store is away')),
}

class Copy implements AsyncDisposable {
  readonly world: ConfigWorld
  readonly originals = new Map<number, VerifiedConfig>()
  readonly files = new Map<string, Buffer>()

  private constructor(world: ConfigWorld) {
    this.world = world
  }

  /** As a router leaves it that has served both revisions. */
  static async create(): Promise<Copy> {
    const copy = new Copy(await ConfigWorld.create())
    const { world } = copy
    const verify = createManifestVerifier(world.keys)
    const source = createConfigStoreSource(world.store, verify)
    const lastKnownGood = createLastKnownGood(world.copies, verify)
    for (const publication of REVISIONS) {
      await world.publish(publication)
      const stored = await source.read(GRAPH)
      if (stored === null) throw new Error('nothing was published')
      const offer = await source.offer(GRAPH, stored)
      const config = await verifyArtifacts({ ...offer, base: offer.base ?? '' })
      copy.originals.set(publication.revision, config)
      await lastKnownGood.write(GRAPH, config)
    }
    for (const name of await readdir(world.copies, { recursive: true })) {
      if (/\.(?:json|gz)$/.test(name)) copy.files.set(name, await readFile(join(world.copies, name)))
    }
    return copy
  }

  /**
   * Starts what decides about configs of a router, with this in place of one file; null: without the file.
   */
  async startWith(file: string, content: Buffer | null) {
    const path = join(this.world.copies, file)
    await (content === null ? rm(path) : writeFile(path, content))
    const logs: LogLine[] = []
    const to = { write: (line: string) => void logs.push(JSON.parse(line)) }
    let serving: ConfigTarget['serving'] = null
    const target: ConfigTarget = {
      get serving() {
        return serving
      },
      replace: async (config) => void (serving = { config, flags: [] }),
      takeBack: () => {},
    }
    const follower = new ConfigFollower({
      generations: target,
      events: new ConfigEvents(createLogger({ name: 'router', to })),
      tracer: trace.getTracer('test'),
      lastKnownGood: createLastKnownGood(this.world.copies, createManifestVerifier(this.world.keys)),
      usesDocuments: true,
      servesPreviews: false,
      store: { source: away, graph: fixedGraph(GRAPH) },
      file: null,
      announcer: null,
      pollInterval: 60_000,
      onGraph: async () => {},
      onChange: () => {},
    })
    await follower.start()
    const { waitingFor } = follower.state
    await follower[Symbol.asyncDispose]()
    const original = this.files.get(file)
    if (original !== undefined) await writeFile(path, original)
    return { config: target.serving?.config ?? null, logs, waitingFor }
  }

  /** What is served was signed, is whole but for what is said to be damaged, and is what was published. */
  expectHonest({ config, logs, waitingFor }: Awaited<ReturnType<Copy['startWith']>>): void {
    if (config === null) {
      expect(waitingFor).toMatch(/copy|store/)
      expect(logs.some(({ source }) => source === 'last-known-good copy')).toBe(true)
      return
    }
    const original = this.originals.get(config.version.revision)
    expect(Buffer.from(config.signed?.manifest ?? '').toString()).toBe(
      Buffer.from(original?.signed?.manifest ?? '').toString(),
    )
    for (const [sha256, gzipped] of config.artifacts) {
      expect(createHash('sha256').update(gunzipSync(gzipped)).digest('hex')).toBe(sha256)
    }
    expect(config.artifacts.has(config.base)).toBe(true)
    const said = config.damage.join('\n')
    for (const [flag, sha256] of config.featureFlags) {
      expect([flag, config.artifacts.has(sha256)]).toEqual([flag, !said.includes(`feature flag "${flag}"`)])
    }
    const isOlder = config.version.revision < 2
    expect(said.includes('the one before it is served')).toBe(isOlder)
    expect(logs.some(({ event }) => event === 'config.damaged')).toBe(config.damage.length > 0)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]()
  }
}

const SEED = Number(process.env['SWITCHYARD_TEST_SEED'] ?? 20_261_124)
const PLACES = isLongRun() ? 120 : 40

describe('a last-known-good copy', () => {
  it(`is served as far as it is whole, wherever a bit flips or it ends too soon (seed ${SEED})`, async () => {
    await using copy = await Copy.create()
    const random = new Random(SEED)
    expect(copy.files.size).toBe(7)
    for (const [file, bytes] of copy.files) {
      const damaged: (Buffer | null)[] = [null, Buffer.alloc(0), Buffer.concat([bytes, bytes])]
      for (let place = 0; place < PLACES; place++) {
        const flipped = Buffer.from(bytes)
        const at = random.below(bytes.length)
        flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << random.below(8)), at)
        damaged.push(flipped, bytes.subarray(0, random.below(bytes.length)))
      }
      for (const content of damaged) {
        const started = await copy.startWith(file, content)
        copy.expectHonest(started)
        // Only one of two generations is damaged.
        expect(started.config, `${file} is damaged`).not.toBe(null)
      }
    }
    // The tests mean something only as long as the whole copy is served whole.
    const untouched = await copy.startWith('default.shop.json', copy.files.get('default.shop.json') ?? null)
    expect([untouched.config?.version.revision, untouched.config?.damage]).toEqual([2, []])
  })

  it('of which both generations are damaged is not served, and the router says why', async () => {
    await using copy = await Copy.create()
    await writeFile(join(copy.world.copies, 'default.shop.before.json'), '{}')
    const started = await copy.startWith('default.shop.json', Buffer.from('{"formatVersion":2'))
    expect(started.config).toBe(null)
    copy.expectHonest(started)
    const rejected = started.logs.filter(({ event }) => event === 'config.rejected')
    expect(rejected.map(({ code }) => code)).toContain('MANIFEST_INVALID')
  })
})

describe('a flag that is damaged in the last-known-good copy', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await startShop()
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  const versionOf = async (router: TestRouter, flag?: string) =>
    (await post(router, { query: '{ version }' }, flag === undefined ? {} : { 'x-feature-flag': flag })).json
      .data?.['version']
  const health = async ({ url }: TestRouter) => (await send(`${url}/health/ready`)).text

  it('costs that flag alone, is told, and is put right by the store', async () => {
    await using world = await ConfigWorld.create()
    const damaged = buildArtifact('next', { products: `${shop.next.url}?x`, reviews: shop.reviews.url })
    await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag, damaged } })
    {
      await using before = await routerOn(world)
      await before.ready
    }
    const file = join(world.copies, 'default.shop.artifacts', `${damaged.sha256}.gz`)
    const flipped = Buffer.from(damaged.gzipped)
    flipped.writeUInt8(flipped.readUInt8(100) ^ 4, 100)
    await writeFile(file, flipped)

    let isAway = true
    const store: ConfigStore = new Proxy(world.store, {
      get: (target, name) =>
        isAway ? () => Promise.reject(new Error('away')) : Reflect.get(target, name).bind(target),
    })
    await using router = await routerOn(world, { source: { store } })
    await router.ready
    expect(await versionOf(router)).toBe('products')
    expect(await versionOf(router, 'next')).toBe('products-next')
    expect((await post(router, { query: '{ version }' }, { 'x-feature-flag': 'damaged' })).status).toBe(503)
    expect(await health(router)).toContain('feature flag \\"damaged\\" is not served, since it is damaged')
    expect(router.logs.find(({ event }) => event === 'config.damaged')).toMatchObject({ count: 1 })
    expect(world.heartbeats.findLast(({ revision }) => revision === 1)?.flags).toEqual(['next'])

    isAway = false
    await until(async () => (await versionOf(router, 'damaged')) === 'products-next', 'the store heals it')
    const healed: { readonly status?: string; readonly warning?: string } = JSON.parse(await health(router))
    expect([healed.status, healed.warning]).toEqual(['ok', undefined])
    expect(await readFile(file)).toEqual(Buffer.from(damaged.gzipped))
    expect(world.heartbeats.at(-1)?.flags).toEqual(['damaged', 'next'])
  })
})
