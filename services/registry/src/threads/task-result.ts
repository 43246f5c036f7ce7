import { problem, ProblemError } from '@switchyard/contracts'
import type { TaskEnd } from '@switchyard/worker-host'

/**
 * The result of a task that somebody waits for. Throws a ProblemError if it took too much; `doing` is the
 * subject of the sentence that says so.
 */
export function resultOf<Result>(end: TaskEnd<Result>, doing: string): Result {
  switch (end.kind) {
    case 'done':
      return end.result
    case 'memory-limit':
      throw tooExpensive(doing, 'memory')
    case 'cpu-limit':
    case 'time-limit':
    case 'silent':
      throw tooExpensive(doing, 'time')
    case 'crashed':
      throw end.error
    case 'cancelled':
    case 'disposed':
      throw new Error('the thread was ended: the registry is stopping')
    default:
      return end satisfies never
  }
}

function tooExpensive(doing: string, of: 'memory' | 'time'): ProblemError {
  return new ProblemError(problem('ANSWER_TOO_EXPENSIVE', `${doing} takes more ${of} than it may.`))
}
