/**
 * Attacks in a thread of its own, so that what attacking costs slows nobody else down. Says `begun` once something was sent, and
 * when it is told to stop, what came of it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ATTACKS } from './all-attacks.ts'
import type { Tally } from './attack.ts'

export type AttackerSetUp = { readonly name: string; readonly port: number; readonly address: string }

const { name, port, address } = workerData as AttackerSetUp
const attack = ATTACKS.find((known) => known.name === name)
if (attack === undefined) throw new Error(`There is no attack "${name}".`)
const tally: Tally = { requests: 0, bytes: 0, answers: {} }
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
const attacking = attack.run({ host: '127.0.0.1', port, address, signal: stop.signal, tally })
while (tally.requests === 0) await delay(5)
tell('begun')
await attacking
tell(tally)

function tell(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}
