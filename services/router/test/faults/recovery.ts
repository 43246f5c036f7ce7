/** How soon a router serves a subgraph again that is well again. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Reply } from '../support/router.ts'
import { REPORT } from './ill-subgraph.ts'
import type { IllWorld } from './ill-world.ts'

/** Between requests, in milliseconds. */
const PAUSE = 10
/** Requests that have to be right, one after the other, before the test believes the recovery. */
const RIGHT = 5

type RecoveryOptions = {
  /** Milliseconds for which the circuit stays open after a failed call. */
  readonly openFor: number
  /**
   * True if calls of this subgraph have a time limit so short that a starved machine may miss it while the
   * subgraph is well. Such a call opens the circuit again, and the recovery is measured from its end.
   */
  readonly mayTimeOut: boolean
}

/**
 * Makes the subgraph well and asks, one request after the other. Only an open circuit may keep the router
 * from calling the subgraph, and no request that begins `openFor` milliseconds after the last failed call.
 */
export async function expectRecovery(world: IllWorld, options: RecoveryOptions): Promise<void> {
  world.stock.recover()
  const timedOut = ({ json }: Reply): boolean =>
    options.mayTimeOut &&
    json.errors !== undefined &&
    json.errors.every(({ extensions }) => extensions['code'] === 'SUBGRAPH_TIMEOUT')
  // Each round ends with a call that missed its time limit, or with the recovery.
  do {
    await untilServed(world, options, timedOut)
  } while (!(await answersWell(world, timedOut)))
}

/** Asks with one call of the subgraph per request, so that a missed time limit is one failed call. */
async function untilServed(
  world: IllWorld,
  { openFor }: RecoveryOptions,
  timedOut: (reply: Reply) => boolean,
): Promise<void> {
  let well = performance.now()
  for (;;) {
    const began = performance.now()
    const reply = await world.ask('{ items { id name } report { title } }')
    const { errors, data } = reply.json
    if (errors === undefined) {
      expect(data?.['report']).toEqual(REPORT)
      return
    }
    if (timedOut(reply)) well = performance.now()
    else {
      expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['SUBGRAPH_CIRCUIT_OPEN'])
      expect(began - well, 'milliseconds after the last failed call').toBeLessThan(openFor)
    }
    await delay(PAUSE)
  }
}

/** False if a call missed its time limit before `RIGHT` requests had been answered. */
async function answersWell(world: IllWorld, timedOut: (reply: Reply) => boolean): Promise<boolean> {
  for (let request = 0; request < RIGHT; request++) {
    const reply = await world.ask('{ items { count } report { title } }')
    if (timedOut(reply)) return false
    expect(reply.json).toEqual({ data: { items: [{ count: 3 }, { count: 5 }], report: REPORT } })
  }
  return true
}
