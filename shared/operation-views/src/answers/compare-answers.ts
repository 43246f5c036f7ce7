/** The difference of two answers, as people look at it. */
import { boundedDifferences, type JsonDifference } from '@switchyard/trace-viewer/json-differences'
import type { Answer } from './answer.ts'
import { printValue } from './print-answer.ts'

export type AnswerDifference = {
  /** The first places where the answers differ. Null if they are too large to be compared. */
  readonly places: readonly JsonDifference[] | null
  /** Both answers as text. */
  readonly before: string
  readonly after: string
}

/** Places that are listed. */
export const MOST_PLACES = 100
/** Members that are looked at: they take some 50 ms. */
const MOST_MEMBERS = 200_000

/** Compares data and errors of two answers. Extensions tell how they were made, so they count for nothing. */
export function compareAnswers(one: Answer, other: Answer): AnswerDifference {
  const [before, after] = [comparedOf(one), comparedOf(other)]
  return {
    places: boundedDifferences(before, after, MOST_PLACES, { members: MOST_MEMBERS }),
    before: printValue(before),
    after: printValue(after),
  }
}

function comparedOf({ data, errors }: Answer) {
  return { ...(errors.length > 0 ? { errors } : {}), ...(data === undefined ? {} : { data }) }
}
