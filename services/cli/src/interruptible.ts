import { Interrupted } from './errors.ts'

/** Work that writes nothing: when Ctrl-C ends it, that is what is said, and not where it was. */
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
