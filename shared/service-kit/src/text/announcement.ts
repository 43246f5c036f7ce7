/**
 * The one JSON document that a service started by a command with `--json` prints: of the form that all
 * commands have.
 */
import type { StartErrorCode } from './start-errors.ts'
import { problemsIn } from './list-problems.ts'
import { printableJson } from './printable.ts'

/**
 * Prints that the service has started; `result` says where it serves. `ok` is false for a check that found
 * something.
 */
export function startedDocument(result: object, ok = true): string {
  return print({ ok, result, compositions: [], routers: { serving: 0, total: 0 } })
}

export function failedDocument(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string'
      ? error.code
      : ('START_FAILED' satisfies StartErrorCode)
  const problems = problemsIn(error)
  const body = {
    type: `urn:switchyard:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: 'Nothing was started',
    code,
    detail: error instanceof Error ? error.message : String(error),
    ...(problems === null ? {} : { problems }),
  }
  return print({ ok: false, error: body })
}

function print(document: object): string {
  return `${printableJson(JSON.stringify(document, null, 2))}\n`
}
