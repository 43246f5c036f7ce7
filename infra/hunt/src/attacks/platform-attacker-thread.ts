/** As attacker-thread.ts, for the attacks on what feeds routers. */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Tally } from './attack.ts'
import { PLATFORM_ATTACKS, type PlatformField } from './platform-attacks.ts'

export type PlatformAttackerSetUp = Omit<PlatformField, 'signal' | 'tally'> & { readonly name: string }

const { name, ...field } = workerData as PlatformAttackerSetUp
const attack = PLATFORM_ATTACKS.find((known) => known.name === name)
if (attack === undefined) throw new Error(`There is no attack "${name}".`)
const tally: Tally = { requests: 0, bytes: 0, answers: {} }
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
const attacking = attack.run({ ...field, signal: stop.signal, tally })
while (tally.requests === 0) await delay(5)
tell('begun')
await attacking
tell(tally)

function tell(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}
