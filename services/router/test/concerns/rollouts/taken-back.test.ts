/** What a newer manifest takes from requests does not wait until the router has built its compositions. */
import type { ManifestRollout } from '@switchyard/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenArtifact, type BuiltArtifact, buildArtifact, compiledWhole } from '../../support/artifacts.ts'
import { ConfigWorld, newKey, type Publication } from '../../support/config-world.ts'
import { HeldCompiler } from '../../support/held-compiler.ts'
import { rollout, untilServed, usersOf } from '../../support/rollouts.ts'
import { post, routerOn, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop[Symbol.asyncDispose]())

const USER = { 'x-user': 'ann' }
const whole = (change: Partial<ManifestRollout> = {}) => rollout({ percent: 100, ...change })
const stopped = (change: Partial<ManifestRollout> = {}) => rollout({ percent: 0, ...change })
/** Another base than that of the shop, which answers alike. The compiler gets all of it to compile. */
const newBase = (name: string): BuiltArtifact =>
  compiledWhole(
    buildArtifact('base', { products: `${shop.products.url}?base=${name}`, reviews: shop.reviews.url }),
  )

const answerOf = (router: TestRouter, headers: Record<string, string> = USER) =>
  post(router, { query: '{ version }' }, headers)
const flagOf = async (router: TestRouter, headers = USER) =>
  (await answerOf(router, headers)).headers['x-feature-flag']
const isTakenBack = (router: TestRouter, headers = USER) =>
  until(async () => (await flagOf(router, headers)) === undefined, 'the user gets base')
const told = ({ logs }: TestRouter) =>
  logs
    .filter(({ event }) => event === 'rollouts.taken-back')
    .map(({ rollouts, version, serving }) => ({ rollouts, version, serving }))

/** A router that serves revision 1, and holds what it is to compile from then on. */
class Held implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack()
  readonly world: ConfigWorld
  readonly compiler: HeldCompiler
  router!: TestRouter
  /** Times that the manifest was read. */
  reads = 0

  private constructor(world: ConfigWorld) {
    this.world = this.#stack.use(world)
    this.compiler = new HeldCompiler()
  }

  static async serving(rollouts: readonly ManifestRollout[], settings = ''): Promise<Held> {
    const held = new Held(await ConfigWorld.create())
    await held.publish({ revision: 1, rollouts })
    const store = new Proxy(held.world.store, {
      get(target, name) {
        if (name === 'getManifest') held.reads++
        return Reflect.get(target, name).bind(target)
      },
    })
    const { compiler } = held
    held.router = held.#stack.use(await routerOn(held.world, { compiler, settings, source: { store } }))
    held.#stack.use(compiler)
    await held.router.ready
    await until(
      async () => (await answerOf(held.router, { 'x-feature-flag': 'next' })).status === 200,
      'next is built',
    )
    compiler.hold()
    return held
  }

  publish(change: Partial<Publication> & { readonly revision: number }): Promise<void> {
    return this.world.publish({ base: shop.base, flags: { next: shop.flag }, ...change })
  }

  /** Publishes a revision whose base the router does not get compiled. */
  async publishHeld(revision: number, rollouts: readonly ManifestRollout[]): Promise<void> {
    const { waiting } = this.compiler
    await this.publish({ revision, base: newBase(`r${revision}`), rollouts })
    if (waiting === 0)
      await until(() => this.compiler.waiting === 1, `the base of revision ${revision} is compiled`)
  }

  /** Waits until what was published is looked at: at the second read after it at the latest. */
  async looked(): Promise<void> {
    const before = this.reads
    await until(() => this.reads >= before + 2, 'the store was read')
  }

  get revision(): number | undefined {
    return this.world.heartbeats.at(-1)?.revision
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

describe('an abort', () => {
  it('takes effect while the base of the very same manifest is compiled', async () => {
    await using held = await Held.serving([whole()])
    const { router, compiler } = held
    expect(await flagOf(router)).toBe('next')
    await held.publishHeld(2, [stopped()])
    await isTakenBack(router)
    expect([held.revision, compiler.waiting]).toEqual([1, 1])
    expect(told(router)).toEqual([
      { rollouts: ['catalogue'], version: { epoch: 1, revision: 2 }, serving: { epoch: 1, revision: 1 } },
    ])
    expect(router.logs.findLast(({ event }) => event === 'request.answered')?.['flagReason']).toBe('none')
    compiler.letOneGo()
    await untilServed(router, 2)
    await until(() => held.revision === 2, 'the heartbeat says so')
    expect(await flagOf(router)).toBeUndefined()
    expect(told(router)).toHaveLength(1)
  })

  it('takes effect behind a config whose base is compiled, and stays in force when that is served', async () => {
    await using held = await Held.serving([whole()])
    const { router, compiler } = held
    await held.publishHeld(2, [whole()])
    expect(await flagOf(router)).toBe('next')
    await held.publishHeld(3, [stopped()])
    await isTakenBack(router)
    expect([held.revision, compiler.waiting]).toEqual([1, 1])
    compiler.letOneGo()
    await untilServed(router, 2)
    await until(() => compiler.waiting === 1, 'the base of revision 3 is compiled')
    expect([held.revision, await flagOf(router)]).toEqual([2, undefined])
    expect(told(router).map(({ serving }) => serving)).toEqual([
      { epoch: 1, revision: 1 },
      { epoch: 1, revision: 2 },
    ])
    compiler.letOneGo()
    await untilServed(router, 3)
  })

  it('stays in force if its own config cannot be built, until a newer one is served', async () => {
    await using held = await Held.serving([whole()])
    const { router, world, compiler } = held
    await held.publish({ revision: 3, base: brokenArtifact(), rollouts: [stopped()] })
    await until(() => compiler.waiting === 1, 'revision 3 is compiled')
    await isTakenBack(router)
    compiler.letOneGo()
    const rejected = (code: string) =>
      until(() => world.heartbeats.at(-1)?.rejected?.code === code, `a rejection with ${code}`)
    await rejected('MANIFEST_NOT_BUILT')
    expect([held.revision, await flagOf(router)]).toEqual([1, undefined])
    // A store that was set back has the revision between both, which would raise the percentage.
    await held.publish({ revision: 2, rollouts: [whole()] })
    await rejected('MANIFEST_OLDER')
    expect([held.revision, await flagOf(router)]).toEqual([1, undefined])
    await held.publish({ revision: 4, rollouts: [whole()] })
    await untilServed(router, 4)
    expect(await flagOf(router)).toBe('next')
  })

  it('is believed only of a manifest that is signed', async () => {
    await using held = await Held.serving([whole()])
    await held.publishHeld(2, [whole()])
    const { key } = await newKey('stranger')
    await held.publish({ revision: 3, rollouts: [stopped()], signWith: key })
    await held.looked()
    expect(await flagOf(held.router)).toBe('next')
    expect(told(held.router)).toEqual([])
  })

  it('is believed only of a manifest that may be the newest', async () => {
    await using held = await Held.serving([whole()])
    await held.publishHeld(3, [whole()])
    await held.publish({ revision: 4, rollouts: [stopped()], head: { revision: 5 } })
    await held.looked()
    expect(await flagOf(held.router)).toBe('next')
  })
})

describe('a rollout whose config is being built', () => {
  it('loses those outside of a lower percentage, and nobody else', async () => {
    const { inside } = usersOf(20, 2)
    const between = usersOf(50, 40).inside.filter((user) => !usersOf(20, 40).inside.includes(user))
    await using held = await Held.serving([rollout({ percent: 50 })])
    const { router } = held
    const [kept = '', lost = ''] = [inside[0], between[0]]
    expect([await flagOf(router, { 'x-user': kept }), await flagOf(router, { 'x-user': lost })]).toEqual([
      'next',
      'next',
    ])
    await held.publishHeld(2, [rollout({ percent: 20 })])
    await isTakenBack(router, { 'x-user': lost })
    expect(await flagOf(router, { 'x-user': kept })).toBe('next')
  })

  it('gives its flag to nobody more until it is served', async () => {
    await using held = await Held.serving([stopped()])
    const { router, compiler } = held
    await held.publishHeld(2, [whole()])
    await held.looked()
    expect([await flagOf(router), told(router)]).toEqual([undefined, []])
    compiler.letOneGo()
    await untilServed(router, 2)
    expect(await flagOf(router)).toBe('next')
  })

  it('that was stopped and begun again begins when that is served', async () => {
    await using held = await Held.serving([whole()])
    const { router, compiler } = held
    await held.publishHeld(2, [stopped()])
    await isTakenBack(router)
    await held.publish({ revision: 3, rollouts: [whole()] })
    await held.looked()
    expect([held.revision, await flagOf(router)]).toEqual([1, undefined])
    compiler.letAllGo()
    await untilServed(router, 3)
    expect(await flagOf(router)).toBe('next')
  })

  it('is kept apart by caches by what it reads, and by what those read that are served', async () => {
    await using held = await Held.serving([whole()])
    const { router } = held
    await held.publishHeld(2, [rollout({ key: ['header:X-Team', 'header:X-User'], percent: 0 })])
    await isTakenBack(router)
    expect((await answerOf(router)).headers.vary?.split(', ')).toEqual(
      expect.arrayContaining(['X-User', 'X-Team']),
    )
  })
})
