/**
 * A YAML file of the user, read by a strict schema: an unknown key is an error, since a misspelt key that is
 * passed over means another thing than what was written. Every problem is told with its line.
 */
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import type { z } from 'zod'
import { messageOf } from '@switchyard/values'
import { type FileProblem } from '../run/errors.ts'
import { nearestWord } from '@switchyard/contracts'

/** Keys and indexes from the root of the document. */
export type DocumentPath = readonly PropertyKey[]

/** The path of a value, and the message that says what is wrong with it. */
export type ValueProblem = { readonly path: DocumentPath; readonly message: string }

/** A line and a column of the file, both counted from 1. */
export type FilePosition = Pick<FileProblem, 'file' | 'line' | 'column'>

/** The value of a file, and where each part of it is written. */
export type LocatedYaml<T> = {
  readonly value: T
  /** Returns the position of the value at `path`, or of the nearest value around it that the file has. */
  readonly at: (path: DocumentPath) => FilePosition
  /** Throws the refusal of these problems. Does nothing if there are none. */
  readonly refuse: (problems: readonly ValueProblem[]) => void
}

/** `refusal` makes the error of all problems. `file` is its name as the user wrote it. */
export function readYaml<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  refusal: (places: readonly FileProblem[]) => Error,
): LocatedYaml<T> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const at = (path: DocumentPath) => positionOf(document, lines, file, path)
  const refuse = (problems: readonly ValueProblem[]): void => {
    if (problems.length === 0) return
    throw refusal(
      problems.map(({ path, message }) => {
        const key = printPath(path)
        return { ...at(path), message: `${key === '' ? '' : `${key}: `}${message}` }
      }),
    )
  }
  if (document.errors.length > 0) {
    throw refusal(
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0])
        const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
        return { file, line, column: col, message }
      }),
    )
  }
  const parsed = schema.safeParse(valueOf(document, (message) => refusal([{ ...at([]), message }])))
  if (parsed.success) return { value: parsed.data, at, refuse }
  throw refusal(
    parsed.error.issues
      .flatMap((issue) => problemsOf(issue, schema))
      .map(({ path, message }) => {
        const key = printPath(path)
        return { ...at(path), message: `${key === '' ? '' : `${key}: `}${message}` }
      }),
  )
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType): readonly ValueProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path)
    return issue.keys.map((key) => {
      const meant = nearestWord(key, known)
      const hint = meant === null ? '' : `; did you mean "${meant}"?`
      return { path: [...issue.path, key], message: `unknown key "${key}"${hint}` }
    })
  }
  if (issue.code === 'invalid_type') {
    const missing = issue.input === undefined && issue.message.endsWith('received undefined')
    return [{ path: issue.path, message: missing ? 'is missing' : `expected ${issue.expected}` }]
  }
  if (issue.path.length === 1 && issue.path[0] === 'version') {
    return [{ path: issue.path, message: 'must be 1, the only version this program reads' }]
  }
  return [{ path: issue.path, message: issue.message }]
}

/** The keys that an object at this path may have. */
function keysAt(schema: z.core.$ZodType, path: DocumentPath): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the union of all types that the library has
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
      return keysAt(def.innerType, path)
    case 'array':
      return keysAt(def.element, path.slice(1))
    case 'object': {
      const [key] = path
      if (key === undefined) return Object.keys(def.shape)
      const member = def.shape[String(key)]
      return member === undefined ? [] : keysAt(member, path.slice(1))
    }
    default:
      return []
  }
}

function positionOf(document: Document, lines: LineCounter, file: string, path: DocumentPath): FilePosition {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { file, line, column: col }
    }
  }
  return { file, line: 1, column: 1 }
}

function printPath(path: DocumentPath): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}

/** Aliases may be chained into a value too large to hold: the parser then refuses. */
function valueOf(document: Document, refusal: (message: string) => Error): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw refusal(messageOf(error))
  }
}
