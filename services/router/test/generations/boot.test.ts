import { VERSION } from '@switchyard/service-kit'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConfigStore, ConfigStoreUnavailableError, type GraphKey } from '@switchyard/config-store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphChoice } from '../../src/startup/start-router.ts'
import { ConfigWorld, GRAPH, newKey } from '../support/config-world.ts'
import { post, routerOn, send, start, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop

beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

/** What a store in front of a dead server does: every call fails. */
function unreachable(store: ConfigStore): ConfigStore {
  return new Proxy(store, {
    get: () => () => Promise.reject(new ConfigStoreUnavailableError('nobody answers')),
  })
}

const versionOf = async (router: TestRouter) =>
  (await post(router, { query: '{ version }' })).json.data?.['version']

async function executionConfig(world: ConfigWorld): Promise<string> {
  const path = join(world.directory, 'execution-config.json')
  const file = {
    formatVersion: 1,
    graph: { namespace: GRAPH.namespace, name: GRAPH.graph },
    base: shop.base.artifact,
    featureFlags: { next: shop.flag.artifact },
  }
  await writeFile(path, JSON.stringify(file))
  return path
}

/** A world in which a router has served revision 1 (the composition of the flag) and left its copy. */
async function worldWithCopy(use: AsyncDisposableStack) {
  const world = use.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.flag })
  const first = await routerOn(world, { instance: 'first' })
  await first.ready
  await first[Symbol.asyncDispose]()
  return {
    world,
    copy: join(world.copies, 'default.shop.json'),
    artifact: join(world.copies, 'default.shop.artifacts', `${shop.flag.sha256}.gz`),
  }
}

async function servesTheFileInstead(use: AsyncDisposableStack, world: ConfigWorld, code: string) {
  const source = { store: unreachable(world.store), executionConfig: await executionConfig(world) }
  const router = use.use(await routerOn(world, { source }))
  await router.ready
  expect(await versionOf(router)).toBe('products')
  const line = router.logs.find(({ event }) => event === 'config.rejected')
  expect(line).toMatchObject({ source: 'last-known-good copy', code })
}

describe('a starting router', () => {
  it('answers 503 with the reason until its graph has a config, then serves it', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const router = use.use(await routerOn(world))
    await until(
      async () =>
        (await send(`${router.url}/health/ready`)).json.reason?.includes('no config of default/shop'),
      'the reason is told',
    )
    const reply = await post(router, { query: '{ version }' })
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(reply.json.errors?.[0]).toMatchObject({ extensions: { code: 'NOT_READY' } })
    expect(reply.json.errors?.[0]?.message).toContain('no config of default/shop')
    expect((await send(`${router.url}/health/live`)).status).toBe(200)

    await world.publish({ revision: 1, base: shop.base })
    await router.ready
    expect((await send(`${router.url}/health/ready`)).json).toEqual({ status: 'ok', version: VERSION })
    expect(await versionOf(router)).toBe('products')
  })

  it('serves the last-known-good copy when the store cannot be reached, and follows the store later', async () => {
    await using use = new AsyncDisposableStack()
    const { world } = await worldWithCopy(use)
    let down = true
    const store: ConfigStore = new Proxy(world.store, {
      get: (target, name) =>
        down ? Reflect.get(unreachable(target), name) : Reflect.get(target, name).bind(target),
    })
    const router = use.use(await routerOn(world, { source: { store } }))
    await router.ready
    expect(await versionOf(router)).toBe('products-next')
    expect(router.logs.find(({ event }) => event === 'config.swapped')).toMatchObject({
      source: 'last-known-good copy',
    })
    await world.publish({ revision: 2, base: shop.base })
    down = false
    await until(() => world.heartbeats.at(-1)?.revision === 2, 'the store is followed')
    expect(await versionOf(router)).toBe('products')
  })

  it('serves the copy, and not an older manifest of a store that was set back', async () => {
    await using use = new AsyncDisposableStack()
    const { world } = await worldWithCopy(use)
    await world.publish({ epoch: 1, revision: 3, base: shop.flag })
    const second = await routerOn(world, { instance: 'second' })
    await second.ready
    await second[Symbol.asyncDispose]()
    await world.publish({ epoch: 1, revision: 2, base: shop.base })
    const router = use.use(await routerOn(world))
    await router.ready
    expect(await versionOf(router)).toBe('products-next')
    const reported = await until(
      () => world.heartbeats.findLast(({ rejected }) => rejected),
      'it is reported',
    )
    expect(reported.rejected).toMatchObject({ code: 'MANIFEST_OLDER', revision: 2 })
  })

  it('serves the copy when the store was emptied', async () => {
    await using use = new AsyncDisposableStack()
    const { world } = await worldWithCopy(use)
    const empty = use.use(await ConfigWorld.create())
    const router = use.use(await routerOn(world, { source: { store: empty.store } }))
    await router.ready
    expect(await versionOf(router)).toBe('products-next')
  })

  it.each([
    ['truncated', (text: string) => text.slice(0, text.length / 2), 'MANIFEST_INVALID'],
    [
      'forged',
      (text: string) => text.replace('\\"revision\\":1', '\\"revision\\":7'),
      'MANIFEST_SIGNATURE_INVALID',
    ],
  ])('ignores a copy that is %s, says so, and serves the configured file', async (_, damage, code) => {
    await using use = new AsyncDisposableStack()
    const { world, copy } = await worldWithCopy(use)
    const text = await readFile(copy, 'utf8')
    const damaged = damage(text)
    expect(damaged).not.toBe(text)
    await writeFile(copy, damaged)
    await servesTheFileInstead(use, world, code)
  })

  it.each([
    ['is damaged', (path: string) => truncate(path, 100), 'MANIFEST_ARTIFACT_INVALID'],
    ['is another one', (path: string) => writeFile(path, shop.base.gzipped), 'MANIFEST_ARTIFACT_INVALID'],
    ['is not there', (path: string) => rm(path), 'MANIFEST_ARTIFACT_MISSING'],
  ])(
    'ignores a copy of which an artifact %s, says so, and serves the configured file',
    async (_, damage, code) => {
      await using use = new AsyncDisposableStack()
      const { world, artifact } = await worldWithCopy(use)
      await damage(artifact)
      await servesTheFileInstead(use, world, code)
    },
  )

  it('ignores a copy signed with a key that is no longer trusted', async () => {
    await using use = new AsyncDisposableStack()
    const { world } = await worldWithCopy(use)
    const { jwk } = await newKey('k1')
    const source = { store: unreachable(world.store), keys: { keys: [jwk] } }
    const router = use.use(await routerOn(world, { source }))
    await until(() => router.logs.some(({ event }) => event === 'config.rejected'), 'the copy is rejected')
    expect((await post(router, { query: '{ version }' })).status).toBe(503)
  })

  it('still starts from the copy of the last config that could be built', async () => {
    await using use = new AsyncDisposableStack()
    const { world, copy } = await worldWithCopy(use)
    const before = await readFile(copy, 'utf8')
    const { brokenArtifact } = await import('../support/artifacts.ts')
    await world.publish({ revision: 2, base: brokenArtifact() })
    const router = use.use(await routerOn(world))
    await router.ready
    expect(await versionOf(router)).toBe('products-next')
    expect(await readFile(copy, 'utf8')).toBe(before)
  })

  it('waits for a graph that is not known yet, with the reason', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    await world.publish({ revision: 1, base: shop.base })
    let current: GraphKey | { waitingFor: string } = { waitingFor: 'there is no federated graph yet' }
    let listener = () => {}
    const graph: GraphChoice = {
      current: () => current,
      onChange(changed) {
        listener = changed
        return { [Symbol.dispose]() {} }
      },
    }
    const router = use.use(await routerOn(world, { source: { graph } }))
    expect((await post(router, { query: '{ version }' })).json.errors?.[0]?.message).toContain(
      'no federated graph yet',
    )
    current = { waitingFor: 'there are two federated graphs: name one' }
    listener()
    await until(
      async () => (await send(`${router.url}/health/ready`)).json.reason?.includes('two federated graphs'),
      'the new reason is told',
    )
    current = GRAPH
    listener()
    await router.ready
    expect(await versionOf(router)).toBe('products')
  })

  it('stops while it is still waiting', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const graph: GraphChoice = {
      current: () => ({ waitingFor: 'nothing' }),
      onChange: () => ({ [Symbol.dispose]() {} }),
    }
    const router = await routerOn(world, { source: { graph } })
    await router[Symbol.asyncDispose]()
  })
})

describe('a router on an execution config file', () => {
  it('serves base and flags of it at once, without signature or store', async () => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const router = use.use(await start({ kind: 'execution-config', path: await executionConfig(world) }))
    expect(await versionOf(router)).toBe('products')
    const flagged = await post(router, { query: '{ version }' }, { 'x-feature-flag': 'next' })
    expect(flagged.json.data).toEqual({ version: 'products-next' })
  })

  it.each([
    ['there is none', null, /cannot be read/],
    ['it is not JSON', '{', /not JSON/],
    ['it is something else', '{"formatVersion":1}', /"base" is wrong/],
  ])('does not start when %s, with the reason', async (_, text, message) => {
    await using use = new AsyncDisposableStack()
    const world = use.use(await ConfigWorld.create())
    const path = join(world.directory, 'other.json')
    if (text !== null) await writeFile(path, text)
    await expect(start({ kind: 'execution-config', path })).rejects.toThrow(message)
  })
})
