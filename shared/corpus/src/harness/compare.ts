/** Compares answers of the oracle and the engine. Data has to be equal; messages of errors may differ. */
import type { ExecutionResult } from '@switchyard/engine'
import type { OracleAnswer } from './monolith.ts'
import type { SuiteOperation } from './suite.ts'

/** Returns data as text in which key order counts, and list order unless the operation says otherwise. */
export function dataText(data: unknown, { anyOrder }: SuiteOperation): string {
  return JSON.stringify(anyOrder === true ? withSortedLists(data) : data, null, 1)
}

function withSortedLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withSortedLists(child)]))
  }
  return value
    .map((item) => JSON.stringify(withSortedLists(item)))
    .sort()
    .map((text): unknown => JSON.parse(text))
}

/**
 * Which null each error explains, as a set of paths. When a null takes its parents along, how many of the
 * errors below are reported depends on what had already been executed; that the remaining null is explained
 * does not.
 */
export function explainedNulls(data: unknown, errorPaths: readonly string[]): readonly string[] {
  return unique(errorPaths.map((path) => JSON.stringify(nullOnPath(data, JSON.parse(path)))))
}

function nullOnPath(data: unknown, path: readonly (string | number)[]): readonly (string | number)[] {
  let value = data
  for (const [depth, key] of path.entries()) {
    if (typeof value !== 'object' || value === null) return path.slice(0, depth)
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return path
}

/** Complaints in words; empty when the error paths agree in the way the operation asks for. */
export function compareErrors(
  mode: SuiteOperation['errors'],
  oracle: OracleAnswer,
  result: ExecutionResult,
): readonly string[] {
  const actual = unique(result.errors.map((error) => JSON.stringify(error.path ?? [])))
  if (mode === undefined) return result.errors.map((error) => `unexpected: ${JSON.stringify(error)}`)
  const expected = unique(oracle.errorPaths)
  const agrees = mode === 'exact' ? (a: string, b: string) => a === b : related
  const missing = expected.filter((path) => !actual.some((other) => agrees(path, other)))
  const surplus = actual.filter((path) => !expected.some((other) => agrees(path, other)))
  const detail = (path: string) =>
    JSON.stringify(result.errors.find((error) => JSON.stringify(error.path ?? []) === path))
  return [
    ...missing.map((path) => `missing: ${path}`),
    ...surplus.map((path) => `surplus: ${detail(path)}`),
    ...(expected.length === 0 ? ['the oracle has no error'] : []),
  ]
}

/** One path begins with the other. Paths are JSON arrays as text. */
function related(a: string, b: string): boolean {
  const shorter: unknown[] = JSON.parse(a.length < b.length ? a : b)
  const longer: unknown[] = JSON.parse(a.length < b.length ? b : a)
  return shorter.every((key, index) => key === longer[index])
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort()
}
