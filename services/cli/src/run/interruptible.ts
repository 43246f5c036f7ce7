import { Interrupted } from './errors.ts'

/** Does work that writes nothing. If Ctrl-C ends it, the error says only that it was interrupted. */
export async function interruptible<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw new Interrupted('Interrupted; nothing was changed.')
    throw error
  }
}
