/** Fills in the arguments in subjects. */
import { subjectProblem, templateParts } from '@switchyard/contracts/event-subjects'
import { ExactNumber, RequestError } from '@switchyard/engine'
import type { EventField } from './event-fields.ts'

type Values = Readonly<Record<string, unknown>>

/** One token of a subject, and nothing that could stand for others. */
const TOKEN = /^[\w-]{1,128}$/

/**
 * Returns the subjects of a field, sorted, each once. Throws a RequestError with `BAD_USER_INPUT` for an
 * argument that is no token of a subject, and a RangeError for a subject that no composition lets pass.
 */
export function subjectsOf({ source }: EventField, values: Values): readonly string[] {
  const { subjects, operation, field } = source
  const rendered = subjects.map((subject) => {
    if (subjectProblem(subject, operation === 'subscribe') !== null)
      throw new RangeError(`The subject "${subject}" of ${field} is not allowed.`)
    return templateParts(subject)
      .map((part) => (part.kind === 'argument' ? token(part.path, values, field) : part.text))
      .join('')
  })
  return [...new Set(rendered)].sort()
}

function token(path: readonly string[], values: Values, field: string): string {
  const value = valueAt(path, values)
  const text = value instanceof ExactNumber ? value.text : textOf(value)
  if (text !== null && TOKEN.test(text)) return text
  throw new RequestError('variables', 'BAD_USER_INPUT', [
    `The argument "${path.join('.')}" of ${field} becomes a part of a subject, and cannot be one: expected 1 to 128 letters, digits, "_" and "-".`,
  ])
}

function textOf(value: unknown): string | null {
  const isText = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isText ? String(value) : null
}

/** The value at a path of arguments; undefined if there is none. */
export function valueAt(path: readonly string[], values: Values): unknown {
  let value: unknown = values
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = new Map<string, unknown>(Object.entries(value)).get(name)
  }
  return value
}
