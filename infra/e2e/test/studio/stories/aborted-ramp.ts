/** A ramp gives a flag to half of the users; the flag fails, and the page shows why the ramp was aborted. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { query, SHOP_QUERY } from '../../../src/index.ts'
import { comes, command, everyRouterAnswers, type StoryWorld } from './story-world.ts'

const USERS = 400
/** Between an answer and the next request of a client. */
const PAUSE_MS = 10

/** Requests of many users, until it is disposed. Their answers are not looked at. */
function requests({ system }: StoryWorld): AsyncDisposable {
  const ended = new AbortController()
  let asked = 0
  const ask = async (url: string) => {
    while (!ended.signal.aborted) {
      asked += 1
      // Each is another text, so that none is answered along with an equal one, which nobody counts.
      await query(url, { 'x-user': `user-${asked % USERS}` }, `${SHOP_QUERY} # ${asked}`)
      await sleep(PAUSE_MS)
    }
  }
  const asking = Promise.all(system.routerUrls.flatMap((url) => [ask(url), ask(url)]))
  return {
    async [Symbol.asyncDispose]() {
      ended.abort()
      await asking
    },
  }
}

/** Stops a subgraph of the flag: no story that needs it may come after this one. */
export function abortedRamp(worldOf: () => StoryWorld): void {
  it('shows that a ramp was aborted, and the figures that decided', async () => {
    const world = worldOf()
    const { browser, shop } = world
    await command(world, 'POST', 'rollouts/default', {
      name: 'slow',
      graph: 'shop',
      flag: 'next',
      key: ['header:X-User'],
    })
    await command(world, 'POST', 'rollouts/default/slow/ramp', {
      steps: [50, 100],
      everyMs: 3_600_000,
      guards: { errors: { points: 5 }, minimumRequests: 100 },
      forgeableKey: true,
    })
    await using visited = await browser.visit('/ns/default/rollouts/slow')
    const { page, complaints } = visited
    await page.getByText('Step 1 of 2 began').waitFor()
    const main = page.getByRole('main')
    {
      await using _ = requests(world)
      await shop.stockNext[Symbol.asyncDispose]()
      await comes(main, 'aborted')
    }
    await comes(main, 'The last judgement that decided something:')
    await comes(main, /^errors: .* inside \(\d+ requests\), .* outside \(\d+\)/)
    const figures = page.getByRole('region', { name: 'Figures of the step' })
    await comes(figures, /^what routers had counted when it was/)
    await comes(page.getByRole('main'), /rollout "slow" aborted/)
    for (let user = 0; user < 20; user++)
      await everyRouterAnswers(world, 'base', { 'x-user': `user-${user}` })
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(complaints).toEqual([])
  })
}
