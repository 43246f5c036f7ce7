/** How soon a router serves a subgraph again that is well again. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { IllWorld } from './ill-world.ts'
import { REPORT } from './ill-subgraph.ts'

/** Between requests, in milliseconds. */
const PAUSE = 10
/** Requests that have to be right before it is believed. */
const RIGHT = 5

/**
 * Makes the subgraph well and asks, one request after the other. Only a circuit that is open may keep the
 * router from calling it, and no request that begins `openFor` milliseconds later.
 */
export async function expectRecovery(world: IllWorld, openFor: number): Promise<void> {
  world.stock.recover()
  const well = performance.now()
  for (;;) {
    const began = performance.now()
    const { json } = await world.ask('{ items { id name } report { title } }')
    if (json.errors === undefined) {
      expect(json.data?.['report']).toEqual(REPORT)
      break
    }
    expect(json.errors.map(({ extensions }) => extensions['code'])).toEqual(['SUBGRAPH_CIRCUIT_OPEN'])
    expect(began - well, 'milliseconds after it was well').toBeLessThan(openFor)
    await delay(PAUSE)
  }
  for (let request = 0; request < RIGHT; request++) {
    const { json } = await world.ask('{ items { count } report { title } }')
    expect(json).toEqual({ data: { items: [{ count: 3 }, { count: 5 }], report: REPORT } })
  }
}
