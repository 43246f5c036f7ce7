/**
 * Measures the turns of an event loop from inside of it: a callback in each turn reads how much CPU the
 * thread has had since the last one. It keeps no loop from sleeping, and is asked for its numbers over a
 * port.
 */
import { getHeapStatistics } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import { collector } from './collect-garbage.ts'
import { cpuOfThread } from './cpu-of-thread.ts'

/** The measurement that a meter is asked for. */
export type Question = 'turns' | 'memory'

/** The turns of the thread since it was last asked for them. Times are CPU in microseconds. */
export type Turns = {
  readonly cpu: number
  readonly longestTurn: number
  /** The number of turns that were not idle. */
  readonly turns: number
  /** The most bytes that were in use beyond those at the beginning. */
  readonly memory: number
}

/** Microseconds that the meter itself takes at most. */
const IDLE = 40
/** Idle turns after which the work is done. Naps between them let other threads cause more work. */
const QUIET_TURNS = 3
const NAP_MS = 0.01

/**
 * Starts a meter. It tells turns once the thread has nothing left to do, and memory, in bytes, once all
 * garbage is collected.
 */
export function startTurnMeter(port: MessagePort): void {
  const collectGarbage = collector()
  const nap = new Int32Array(new SharedArrayBuffer(4))
  let last = cpuOfThread()
  let memoryBefore = usedMemory()
  let measured: Turns = NONE
  let quietTurns = 0
  let isAsked = false

  const turn = (): void => {
    const spent = cpuOfThread() - last
    quietTurns = spent < IDLE ? quietTurns + 1 : 0
    if (spent >= IDLE)
      measured = {
        cpu: measured.cpu + spent,
        longestTurn: Math.max(measured.longestTurn, spent),
        turns: measured.turns + 1,
        memory: Math.max(measured.memory, usedMemory() - memoryBefore),
      }
    if (isAsked && quietTurns >= QUIET_TURNS) {
      tell(measured)
      isAsked = false
      measured = NONE
      memoryBefore = usedMemory()
    }
    if (isAsked) Atomics.wait(nap, 0, 0, NAP_MS)
    last = cpuOfThread()
    next = setImmediate(turn)
    if (!isAsked) next.unref()
  }
  let next = setImmediate(turn).unref()

  port.on('message', (question: Question) => {
    if (question === 'memory') {
      collectGarbage()
      tell(usedMemory())
      last = cpuOfThread()
      return
    }
    isAsked = true
    quietTurns = 0
    next.ref()
  })

  function tell(answer: Turns | number): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows
    port.postMessage(answer)
  }
}

const NONE: Turns = { cpu: 0, longestTurn: 0, turns: 0, memory: 0 }

function usedMemory(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return heap + external
}
