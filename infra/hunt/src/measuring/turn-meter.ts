/**
 * Measures the turns of an event loop from inside of it: a callback in each turn reads how much CPU the thread has had since the
 * last one. Other threads see the numbers in shared memory at any time.
 */
import { getHeapStatistics } from 'node:v8'

/** Where the numbers are, in a shared Int32Array. */
export const METER = {
  /** Counts up whenever somebody wants to start from 0. */
  wanted: 0,
  begun: 1,
  /** All turns, and those that were not idle. */
  turns: 2,
  busyTurns: 3,
  /** Microseconds of CPU. */
  cpu: 4,
  longestTurn: 5,
  /** Kilobytes that came on top of those at the beginning, at the most. */
  memory: 6,
  /** Counts up whenever somebody wants all garbage to be collected; kilobytes that are left. */
  collectWanted: 7,
  collected: 8,
  memoryLeft: 9,
} as const

export const METER_BYTES = 64

/** Microseconds that the meter itself takes at most. */
const IDLE = 40
const NAP_MS = 0.01

export function startTurnMeter(shared: SharedArrayBuffer, collectGarbage: () => void): void {
  const numbers = new Int32Array(shared)
  const at = (index: number) => numbers[index] ?? 0
  const usedMemory = () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
    return (heap + external) / 1024
  }
  const nap = new Int32Array(new SharedArrayBuffer(4))
  let last = 0
  let memoryBefore = 0
  const turn = (): void => {
    // Linux brings the time of a thread up to date when it sleeps, and otherwise every few milliseconds.
    Atomics.wait(nap, 0, 0, NAP_MS)
    const { user, system } = process.threadCpuUsage()
    const spent = user + system - last
    last = user + system
    if (at(METER.wanted) !== at(METER.begun)) {
      for (const index of [METER.busyTurns, METER.cpu, METER.longestTurn, METER.memory]) numbers[index] = 0
      memoryBefore = usedMemory()
      numbers[METER.begun] = at(METER.wanted)
    } else if (spent >= IDLE) {
      numbers[METER.busyTurns] = at(METER.busyTurns) + 1
      numbers[METER.cpu] = at(METER.cpu) + spent
      numbers[METER.longestTurn] = Math.max(at(METER.longestTurn), spent)
      numbers[METER.memory] = Math.max(at(METER.memory), usedMemory() - memoryBefore)
    }
    if (at(METER.collectWanted) !== at(METER.collected)) {
      collectGarbage()
      numbers[METER.memoryLeft] = usedMemory()
      numbers[METER.collected] = at(METER.collectWanted)
    }
    Atomics.add(numbers, METER.turns, 1)
    setImmediate(turn)
  }
  setImmediate(turn)
}
