/** Targets that are one stage of a service, called in a thread of its own. */
import { once } from 'node:events'
import type { StageThreadSetUp } from '../measuring/stage-thread.ts'
import { MeasuredThread } from '../measuring/measured-thread.ts'
import type { Arena, Outcome } from './target.ts'

/** The longest time for one input. A thread that takes longer is ended. */
const PATIENCE_MS = 60_000

export async function openStage(module: URL): Promise<Arena> {
  const data: Omit<StageThreadSetUp, 'meter'> = { module: module.href }
  const { thread } = await MeasuredThread.start(
    new URL('../measuring/stage-thread.ts', import.meta.url),
    data,
  )
  const attempt = async (bytes: Buffer): Promise<Outcome> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.worker.postMessage(bytes)
    const [outcome] = (await once(thread.worker, 'message', {
      signal: AbortSignal.timeout(PATIENCE_MS),
    })) as [Outcome]
    return outcome
  }
  return {
    thread,
    attempt: (bytes) => thread.measure(() => attempt(bytes)),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
