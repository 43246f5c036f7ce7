/**
 * The switch of a subgraph that makes it fail, so that a rollout can be seen to stop by itself: `POST /fail`
 * and `POST /mend`. Only programs on the subgraph's own machine, or in its container, may use it.
 */
import type { IncomingMessage } from 'node:http'

export const SWITCH_PATHS = { fail: '/fail', mend: '/mend' } as const
export type SwitchPosition = keyof typeof SWITCH_PATHS

/** Returns what a request asks of the switch, or null for all other requests. */
export function positionAskedFor({ method, url, socket }: IncomingMessage): SwitchPosition | null {
  if (method !== 'POST' || !isOfThisMachine(socket.remoteAddress ?? '')) return null
  if (url === SWITCH_PATHS.fail) return 'fail'
  return url === SWITCH_PATHS.mend ? 'mend' : null
}

function isOfThisMachine(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}
