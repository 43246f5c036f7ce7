/** Switches the flag `next` off and on again, and waits each time until every router serves it so. */
import { waitFor } from '@switchyard/testkit'
import { randomUUID } from 'node:crypto'
import type { Constellation } from './constellation.ts'
import { waitForVariant } from './set-up.ts'

/**
 * An even count leaves the flag enabled. Milliseconds from each acknowledgement until all routers served it,
 * ascending.
 */
export async function toggleFlag(system: Constellation, count: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const action = index % 2 === 0 ? 'disable' : 'enable'
    await acknowledged(system, action)
    const began = performance.now()
    const variant = action === 'enable' ? 'next' : 'base'
    await Promise.all(system.routerUrls.map((url) => waitForVariant(system, url, variant)))
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}

/**
 * One command with one idempotency key: where its logs are away for a moment the registry says 503, and it is
 * asked again.
 */
function acknowledged(system: Constellation, action: 'enable' | 'disable'): Promise<true> {
  const headers = { 'idempotency-key': randomUUID() }
  return waitFor(`the flag to be ${action}d`, async () => {
    const path = `/v1/feature-flags/default/next/${action}?wait=0`
    const { status, body } = await system.manage('POST', path, {}, { headers })
    const said = `${action}: ${status} ${JSON.stringify(body)}`
    if (status === 503 || status === 504) throw new Error(said)
    if (status !== 200 || body['changed'] !== true) throw new Error(`${said}\n${system.report()}`)
    return true
  })
}
