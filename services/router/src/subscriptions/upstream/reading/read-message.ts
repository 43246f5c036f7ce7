/** Reads the JSON of a message: at once if it is small, and in slices if it is large. */
import { type JsonLimit, parseExactly, readJsonInTurns, type Turns, WorkBudget } from '@switchyard/engine'
import { utf8Text, withoutMark } from '../../../call/in-flight/read-json.ts'

/** Bytes of a message that is read at once: `JSON.parse` takes 6 ms at the worst. */
export const SMALL_MESSAGE = 64 * 1024

/** Levels of a message, as of a large answer to a call. */
const MAX_DEPTH = 2000

/** Decides by the parsed message whether it is read again, with numbers as they were written. */
export type IsExact = (value: unknown) => boolean

/** The value of a message; undefined if it is no JSON, or not UTF-8. */
export function readSmall(bytes: Buffer, isExact: IsExact): unknown {
  const marked = utf8Text(bytes)
  if (marked === null) return undefined
  const text = withoutMark(marked)
  try {
    const value: unknown = JSON.parse(text)
    return isExact(value) ? parseExactly(text, value) : value
  } catch {
    return undefined
  }
}

/** Reads a message as `readSmall` does, in slices. */
export async function readLarge(bytes: Buffer, isExact: IsExact, turns: Turns): Promise<unknown> {
  const limits = {
    // Each value takes a byte at least, so that the size of messages limits their values.
    budget: new WorkBudget(Number.POSITIVE_INFINITY, () => new Error('unlimited')),
    maxDepth: MAX_DEPTH,
    exceeded: (limit: JsonLimit) => new SyntaxError(`too many or too long: ${limit}`),
  }
  try {
    await turns.next()
    const value = await readJsonInTurns([bytes], turns, limits)
    if (!isExact(value)) return value
    return await readJsonInTurns([bytes], turns, { ...limits, exactNumbers: true })
  } catch {
    return undefined
  }
}
