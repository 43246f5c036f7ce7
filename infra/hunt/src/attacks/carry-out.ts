/**
 * Carries out an attack in its own thread, so that the work of attacking slows nobody else down. It sends the
 * message `begun` once it has sent something, and the counts of the attack when it is told to stop.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { tell } from '../measuring/tell.ts'
import type { Tally } from './attack.ts'

type Attacked<Field> = { readonly name: string; run(field: Field): Promise<void> }

/** Carries out an attack. `fieldOf` adds everything that the attack gets to the parts that are known here. */
export async function carryOut<Field extends { readonly signal: AbortSignal; readonly tally: Tally }>(
  attacks: readonly Attacked<Field>[],
  name: string,
  fieldOf: (known: Pick<Field, 'signal' | 'tally'>) => Field,
): Promise<void> {
  const attack = attacks.find((known) => known.name === name)
  if (attack === undefined) throw new Error(`There is no attack "${name}".`)
  const tally: Tally = { requests: 0, bytes: 0, answers: {} }
  const stop = new AbortController()
  parentPort?.once('message', () => stop.abort())
  const attacking = attack.run(fieldOf({ signal: stop.signal, tally }))
  while (tally.requests === 0) await delay(5)
  tell('begun')
  await attacking
  tell(tally)
}
