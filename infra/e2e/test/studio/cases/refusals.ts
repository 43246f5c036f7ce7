/** Studio where the registry refuses something that no page can do without. */
import { PATIENTLY } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import type { StudioWorld } from '../studio-world.ts'

/** The connections of `GET /v1/live` that a registry has at most. */
const MOST_CONNECTIONS = 200

export function refusals(worldOf: () => StudioWorld): void {
  it('says that too many follow the registry, and is live again when there is room', async () => {
    const world = worldOf()
    const ended = new AbortController()
    const opened = await Promise.all(
      Array.from({ length: MOST_CONNECTIONS }, () => world.follow(ended.signal)),
    )
    expect(opened.some(({ ok }) => ok)).toBe(true)
    await using visited = await world.visit('/history')
    const status = visited.page.getByRole('status')
    await status
      .getByText(/^Refused, not live since .*: too many pages and programs follow/)
      .waitFor(PATIENTLY)
    ended.abort()
    await status.getByText('Live', { exact: true }).waitFor(PATIENTLY)
  })
}
