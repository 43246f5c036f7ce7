/**
 * Traces come from files that people saved: a trace, a whole response that has one, or the parts of a
 * deferred response.
 */
import type { z } from 'zod'
import { fetchesOf } from './fetches-of.ts'
import { ownMember, type TracedError, responseErrorsIn } from './response-errors.ts'
import { type Trace, TraceSchema } from './schema.ts'

/** The deepest nesting of a trace. Deeper values would exhaust the stack of code that walks through them. */
const MAX_DEPTH = 500
const MAX_PROBLEMS = 10

/** The first line of an HTTP response. */
const STATUS_LINE = /^HTTP\/[\d.]+ \d{3}/
const END_OF_HEAD = /\r?\n\r?\n/

export class TraceInvalidError extends Error {
  override readonly name = 'TraceInvalidError'
  readonly code = 'TRACE_INVALID'
  /** Problems, each with the path of the member and what was expected there. */
  readonly problems: readonly string[]

  constructor(message: string, problems: readonly string[] = [], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.problems = problems
  }
}

/** A trace, or a response with one in `extensions.trace`. Throws TraceInvalidError. */
export function parseTrace(value: unknown): Trace {
  const given = traceIn(value)
  if (depthExceeds(given, MAX_DEPTH)) {
    throw new TraceInvalidError(`The trace nests more than ${MAX_DEPTH} levels deep.`)
  }
  const parsed = TraceSchema.safeParse(given)
  if (!parsed.success) {
    const all = parsed.error.issues.map(problemOf)
    const more = all.length - MAX_PROBLEMS
    throw new TraceInvalidError('This is no trace of version "1".', [
      ...all.slice(0, MAX_PROBLEMS),
      ...(more > 0 ? [`and ${more} more`] : []),
    ])
  }
  checkOrder(parsed.data)
  return parsed.data
}

/**
 * The text of a file: JSON, or a multipart body as curl saves it, whose last trace is the complete one;
 * before either, the heads that `curl --include` writes. Throws TraceInvalidError.
 */
export function readTrace(text: string): Trace {
  return readTracedResponse(text).trace
}

export type TracedResponse = {
  readonly trace: Trace
  /** The errors that the client was told; none when the file is the trace alone. */
  readonly errors: readonly TracedError[]
  /**
   * The response without its extensions. Absent if the file is the trace alone, and for a response in parts
   * or one that nests deeper than a trace may.
   */
  readonly answer?: object
}

/** Like `readTrace`, with what else the response says. */
export function readTracedResponse(text: string): TracedResponse {
  const start = withoutHeads(text).trimStart()
  if (!start.startsWith('--')) {
    const value = jsonOf(start, 'The file')
    return { trace: parseTrace(value), errors: responseErrorsIn(value), ...answerIn(value) }
  }
  const parts = jsonParts(start).map((part, index) => jsonOf(part, `Part ${index + 1} of the response`))
  const last = parts.findLast((part) => ownMember(ownMember(part, 'extensions'), 'trace') !== undefined)
  if (last !== undefined) return { trace: parseTrace(last), errors: parts.flatMap(responseErrorsIn) }
  throw new TraceInvalidError(
    `None of the ${parts.length} parts of this response has a trace in extensions.trace.`,
  )
}

function answerIn(value: unknown): Pick<TracedResponse, 'answer'> {
  if (typeof value !== 'object' || value === null || !('extensions' in value)) return {}
  const { extensions: _, ...answer } = value
  return depthExceeds(answer, MAX_DEPTH) ? {} : { answer }
}

/** A proxy, and each redirect, has a head of its own before the last. */
function withoutHeads(text: string): string {
  let rest = text
  while (STATUS_LINE.test(rest)) {
    const end = END_OF_HEAD.exec(rest)
    if (end === null) break
    rest = rest.slice(end.index + end[0].length)
  }
  return rest
}

function traceIn(value: unknown): unknown {
  const inside = ownMember(ownMember(value, 'extensions'), 'trace')
  if (inside !== undefined) return inside
  if (['data', 'errors', 'pending'].some((name) => ownMember(value, name) !== undefined)) {
    throw new TraceInvalidError(
      'This response has no extensions.trace: the request did not ask for a trace, or was not allowed to.',
    )
  }
  return value
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new TraceInvalidError(`${what} is no JSON: ${why}`, [], error)
  }
}

/**
 * Bodies of the parts; the first line is the delimiter. The preamble and what follows the last delimiter are
 * none.
 */
function jsonParts(text: string): readonly string[] {
  const delimiter = /^\S+/.exec(text)?.[0] ?? ''
  const parts: string[][] = []
  let current: string[] | null = null
  for (const line of text.split(/\r?\n/)) {
    const end = line.trimEnd()
    if (end === `${delimiter}--`) break
    if (end === delimiter) parts.push((current = []))
    else current?.push(line)
  }
  return parts
    .map((lines) => lines.slice(lines.indexOf('') + 1).join('\n'))
    .filter((body) => body.trim() !== '')
}

/** Whether a value is deeper than `limit`. Works without recursion, since the value is not trusted yet. */
function depthExceeds(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null
        ? Object.values(item).filter((inner) => typeof inner === 'object' && inner !== null)
        : [],
    )
  }
  return false
}

/**
 * Checks that each fetch depends only on earlier ones. So there are no circles, and a reader who goes from
 * the first to the last fetch has seen all that a fetch waited for.
 */
function checkOrder(trace: Trace): void {
  fetchesOf(trace).forEach(({ depends_on }, number) => {
    for (const before of depends_on ?? []) {
      if (before < number) continue
      throw new TraceInvalidError('This is no trace of version "1".', [
        `fetch ${number} (${fetchesOf(trace)[number]?.source_name}): depends_on holds ${before}; expected the number of a fetch before it`,
      ])
    }
  })
}

function problemOf(issue: z.core.$ZodIssue): string {
  const [path, message] = deepest(issue, [])
  return `${path.length === 0 ? 'the trace' : path.join('.')}: ${message}`
}

/**
 * Returns the problem to report. A member may have several forms: the problems of the form that fits best say
 * what is wrong.
 */
function deepest(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): [readonly string[], string] {
  const path = [...before, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const found = issue.errors.flatMap((issues) => issues.slice(0, 1)).map((inner) => deepest(inner, path))
    const best = found.toSorted(([a], [b]) => b.length - a.length)[0]
    if (best !== undefined) return best
  }
  return [path.map(String), issue.message]
}
