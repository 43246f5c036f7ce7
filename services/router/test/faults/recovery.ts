/** How soon a router serves a subgraph again that is well again. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { IllWorld } from './ill-world.ts'
import { REPORT } from './ill-subgraph.ts'
import type { Illness } from './illnesses.ts'

/** What clients noticed after a subgraph was well. */
export type Recovery = {
  /** Requests that got no data of it. */
  readonly failed: number
  /** From when it was well to the first right answer, in milliseconds. */
  readonly milliseconds: number
}

/** Between requests, in milliseconds. */
const PAUSE = 10
/** Requests that have to be right before it is believed. */
const RIGHT = 5

/**
 * Makes the subgraph well and asks, one request after the other. Only a circuit that is open may keep the
 * router from calling it, and no request that begins `openFor` milliseconds later.
 */
export async function recoveryOf(world: IllWorld, openFor: number): Promise<Recovery> {
  world.stock.recover()
  const well = performance.now()
  let failed = 0
  for (;;) {
    const began = performance.now()
    const { json } = await world.ask('{ items { id name } report { title } }')
    if (json.errors === undefined) {
      expect(json.data?.['report']).toEqual(REPORT)
      break
    }
    failed++
    expect(json.errors.map(({ extensions }) => extensions['code'])).toEqual(['SUBGRAPH_CIRCUIT_OPEN'])
    expect(began - well, 'milliseconds after it was well').toBeLessThan(openFor)
    await delay(PAUSE)
  }
  const milliseconds = performance.now() - well
  for (let request = 0; request < RIGHT; request++) {
    const { json } = await world.ask('{ items { count } report { title } }')
    expect(json).toEqual({ data: { items: [{ count: 3 }, { count: 5 }], report: REPORT } })
  }
  return { failed, milliseconds }
}

/** Rows of a table in Markdown, printed where `SWITCHYARD_PRINT_RECOVERY` is set. */
export class RecoveryTable {
  readonly #rows: string[] = []

  /** `calls`: after which the circuit opened; null: it stayed closed. */
  add(
    client: string,
    { name, gives }: Pick<Illness, 'name' | 'gives'>,
    calls: number | null,
    recovery: Recovery,
  ): void {
    const code = typeof gives === 'string' ? `\`${gives}\`` : 'what can be used'
    const circuit = calls === null ? 'stays closed' : `opens after ${calls} calls`
    const { failed, milliseconds } = recovery
    this.#rows.push(
      `| ${name} | ${client} | ${code} | ${circuit} | ${failed} | ${Math.round(milliseconds)} ms |`,
    )
  }

  print(): void {
    if (process.env['SWITCHYARD_PRINT_RECOVERY'] !== undefined) console.info(this.#rows.join('\n'))
  }
}
