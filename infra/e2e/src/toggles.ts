/** Switches the flag `next` off and on again, and waits each time until every router serves it so. */
import type { Constellation } from './constellation.ts'
import { waitForVariant } from './set-up.ts'

/** An even count leaves the flag enabled. Milliseconds from each acknowledgement until all routers served it, ascending. */
export async function toggleFlag(system: Constellation, count: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const action = index % 2 === 0 ? 'disable' : 'enable'
    const reply = await system.manage('POST', `/v1/feature-flags/default/next/${action}?wait=0`, {})
    if (reply.status !== 200 || reply.body['changed'] !== true)
      throw new Error(`${action}: ${reply.status} ${JSON.stringify(reply.body)}\n${system.report()}`)
    const acknowledged = performance.now()
    const variant = action === 'enable' ? 'next' : 'base'
    await Promise.all(system.routerUrls.map((url) => waitForVariant(system, url, variant)))
    times.push(performance.now() - acknowledged)
  }
  return times.sort((a, b) => a - b)
}
