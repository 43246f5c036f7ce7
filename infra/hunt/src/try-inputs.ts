/** Tries inputs on a target, one after the other. */
import type { MeasuredThread } from './measuring/measured-thread.ts'
import type { Arena, Attempt, Target } from './targets/target.ts'

/** CPU in microseconds that no turn and no request may take. */
export const MAX_TURN = 50_000
export const MAX_REQUEST = 250_000

export type Tried = {
  readonly name: string
  readonly bytes: number
  readonly attempt: Attempt
  /** The thread that was measured. It ends when the next input is asked for, if this was the last. */
  readonly thread: MeasuredThread
  /** The rule that the input breaks. Null if it breaks none. */
  readonly complaint: string | null
}

export type Inputs = Iterable<readonly [name: string, bytes: Buffer]>

/**
 * Tries each input `times` times; the least of its times counts, since a collection of garbage that others
 * left, or the compiler, may come in between. Times are judged if there are several.
 */
export async function* tryInputs(target: Target, inputs: Inputs, times = 1): AsyncGenerator<Tried> {
  let arena: Arena | null = null
  try {
    for (const [name, bytes] of inputs) {
      arena ??= await target.open()
      const attempt = await leastOf(arena, bytes, times)
      const isJudged = target.judgesTimes && times > 1
      const complaint = attempt.outcome.complaint ?? (isJudged ? slowness(attempt) : null)
      yield { name, bytes: bytes.length, attempt, thread: arena.thread, complaint }
      if (arena.thread.death === null) continue
      await arena[Symbol.asyncDispose]()
      arena = null
    }
  } finally {
    await arena?.[Symbol.asyncDispose]()
  }
}

async function leastOf(arena: Arena, bytes: Buffer, times: number): Promise<Attempt> {
  let least = await attemptOf(arena, bytes)
  for (let time = 1; time < times && arena.thread.death === null; time++) {
    const next = await attemptOf(arena, bytes)
    least = {
      ...next,
      cpu: Math.min(least.cpu, next.cpu),
      longestTurn: Math.min(least.longestTurn, next.longestTurn),
      memory: Math.min(least.memory, next.memory),
    }
  }
  return least
}

/** An input that brings its arena down is complained of. */
async function attemptOf(arena: Arena, bytes: Buffer): Promise<Attempt> {
  let reason: string
  try {
    const attempt = await arena.attempt(bytes)
    if (arena.thread.death === null) return attempt
    reason = arena.thread.death
  } catch (error) {
    reason = arena.thread.death ?? String(error)
  }
  const outcome = { name: 'no answer', bytesOut: 0, complaint: reason }
  return { cpu: 0, longestTurn: 0, turns: 0, memory: 0, outcome }
}

function slowness({ cpu, longestTurn }: Attempt): string | null {
  if (longestTurn > MAX_TURN) return `One turn takes ${ms(longestTurn)} of CPU.`
  if (cpu > MAX_REQUEST) return `It takes ${ms(cpu)} of CPU on the serving thread.`
  return null
}

/** Returns microseconds as text in milliseconds. */
export function ms(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(1)} ms`
}
