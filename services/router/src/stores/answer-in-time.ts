/**
 * Milliseconds that a Redis which routers share may take for an answer. A round trip between continents takes
 * less, and a request that waits in vain is delayed by no more.
 */
export const REDIS_TIMEOUT_MS = 250

/** A store gave no answer that could be used. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** The answer within so many milliseconds. Rejects with StoreUnavailableError. */
export async function answerInTime<Answer>(asked: Promise<Answer>, timeout: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const reject = () => late.reject(new StoreUnavailableError(`no answer within ${timeout} ms`))
  const timer = setTimeout(reject, timeout)
  try {
    return await Promise.race([asked, late.promise])
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
    throw new StoreUnavailableError(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}
