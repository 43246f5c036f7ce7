/** Answers over the channel to the parent process what the event loop and the CPU of this process did. */
import { z } from 'zod'

/** CPU in microseconds since the start: of the event loop's thread, and of the whole process. */
export const Spent = z.object({
  thread: z.number(),
  process: z.number(),
  /** The most CPU of a single turn of the event loop since the last question. */
  longestTurn: z.number(),
})
export type Spent = z.infer<typeof Spent>

export function answerQuestions(): void {
  let last = cpuOfThread()
  let longestTurn = 0
  // It keeps no loop from sleeping.
  const turn = () => {
    const now = cpuOfThread()
    longestTurn = Math.max(longestTurn, now - last)
    last = now
    setImmediate(turn).unref()
  }
  turn()
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const spent: Spent = { thread: cpuOfThread(), process: user + system, longestTurn }
    longestTurn = 0
    process.send?.(spent)
  })
}

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
