/** A flag is switched in the page while requests run: the page says when routers serve it, and they do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { query, variantOf } from '../../../src/index.ts'
import { comes, confirm, routersText, type StoryWorld } from './story-world.ts'

/** Between an answer and the next request of a client: the programs have the machine to share with them. */
const PAUSE_MS = 20

/** Requests that name the flag, and others, until it is disposed. */
class Load implements AsyncDisposable {
  readonly wrong: string[] = []
  readonly #ended = new AbortController()
  readonly #asking: Promise<unknown>
  #expected: readonly string[] = ['next']
  answered = 0

  constructor(urls: readonly string[]) {
    this.#asking = Promise.all(urls.flatMap((url) => [this.#ask(url), this.#ask(url)]))
  }

  /** Says which answers requests get that name the flag, from now on. */
  expect(...variants: readonly string[]): void {
    this.#expected = variants
  }

  async #ask(url: string): Promise<void> {
    for (let turn = 0; !this.#ended.signal.aborted; turn++) {
      const isNamed = turn % 3 !== 0
      const before = this.#expected
      const got = await query(url, isNamed ? { 'x-feature-flag': 'next' } : {}).then(variantOf, inspect)
      const allowed = isNamed ? [...before, ...this.#expected] : ['base']
      if (!allowed.includes(got)) this.wrong.push(`${isNamed ? 'named' : 'other'}: ${got}`)
      this.answered += 1
      await sleep(PAUSE_MS)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort()
    await this.#asking
  }
}

export function flagUnderLoad(worldOf: () => StoryWorld): void {
  it('switches a flag while requests run, and says when all routers serve it', async () => {
    const world = worldOf()
    const { browser, system } = world
    await using visited = await browser.visit('/ns/default/feature-flags/next')
    const { page, complaints } = visited
    const served = page.getByRole('region', { name: 'Where it is served' })
    const all = system.routerUrls.length
    await comes(served, routersText(world, all))
    await using load = new Load(system.routerUrls)
    for (const [button, said, variant, serving] of [
      ['Disable', 'Requests that name it get base from shop.', 'base', 0],
      ['Enable', 'Requests that name it get it from shop', 'next', all],
    ] as const) {
      load.expect('base', 'next')
      await confirm(page, button, said)
      await comes(served, routersText(world, serving))
      load.expect(variant)
      const { answered } = load
      await expect.poll(() => load.answered - answered).toBeGreaterThan(20)
    }
    expect(load.wrong, system.report()).toEqual([])
    expect(complaints).toEqual([])
  })
}
