/**
 * An attack on a program, from just before it until memory has gone back, while somebody else goes on
 * asking.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceProgram } from '@switchyard/lab'
import type { Tally } from './attack.ts'
import { Attacker } from './attacker.ts'
import { memoryFault, type MemoryLimits, memoryLimits } from './memory-limits.ts'
import { askQuietly, type Experience } from './quiet-client.ts'
import type { Watched } from './watched.ts'
import { WatchedProcess } from './watched-process.ts'

/** The report on the program that is attacked: a router, unless the attack names another one. */
export type AttackReport = Watched & {
  readonly attack: string
  readonly tally: Tally
  readonly quiet: Experience
  readonly memory: MemoryLimits
  /** The memory limit that was exceeded. Null if none was. */
  readonly memoryFault: string | null
  /** The last output of the program, if it ended. */
  readonly output: string
}

export type Assault = {
  readonly attack: { readonly name: string; readonly memory?: Partial<MemoryLimits> }
  /** A file in this folder that calls `carryOut`, and its data besides the name of the attack. */
  readonly thread: string
  readonly setUp: object
  readonly program: ServiceProgram
  /** The file to which the program writes the turns of its event loop. */
  readonly turns: string
  /** The port of the router that somebody else asks. */
  readonly port: number
  readonly seconds: number
  /** Milliseconds after the attack within which memory has to go back. */
  readonly restMs: number
  /** Goes on beside the attack until the signal aborts. */
  readonly beside?: (signal: AbortSignal) => Promise<void>
}

const QUIET = { address: '127.0.0.3', every: 20 }
/** Milliseconds of requests before an attack, so that the cost of starting does not count as its effect. */
const WARM_UP_MS = 500

export async function underAttack(assault: Assault): Promise<Omit<AttackReport, 'output'>> {
  const { attack, program, port, seconds, restMs } = assault
  await askQuietly({ port, ...QUIET }, AbortSignal.timeout(WARM_UP_MS))
  const watched = new WatchedProcess(program, assault.turns)
  const stop = new AbortController()
  const quiet = askQuietly({ port, ...QUIET }, stop.signal)
  await using attacker = await Attacker.start(assault.thread, { name: attack.name, ...assault.setUp })
  const beside = assault.beside?.(stop.signal)
  await delay(seconds * 1000)
  stop.abort()
  const tally = attacker.stop()
  await beside
  const done = { quiet: await quiet, tally: await tally }
  const memory = memoryLimits(attack.memory)
  const seen = await watched.end(memory, restMs)
  return { attack: attack.name, ...done, ...seen, memory, memoryFault: memoryFault(seen, memory) }
}
