/**
 * Reads bodies of writes as JSON. A body that two readers could understand differently is refused: bytes that
 * are not UTF-8 (a schema is stored byte for byte), a member that occurs twice, or a member called
 * `__proto__`.
 */
import { problem, ProblemError } from '@switchyard/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      // A DELETE declares a content type like every write, but its body may be empty.
      request.method === 'DELETE' && body.length === 0 ? {} : parseBody(body),
  )
}

function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw refused('The body is empty; a JSON object was expected.')
  const text = decoded(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused('The body is not valid JSON.')
  }
  refuseAmbiguous(text)
  return value
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('The body is not UTF-8 text.')
  }
}

/**
 * Throws if a member is called `__proto__`, or occurs twice in its object: `JSON.parse` would silently keep
 * the last one.
 */
function refuseAmbiguous(text: string): void {
  /** The member names of each object that is open at this point; null for a list. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        open.push(new Set())
        break
      case '[':
        open.push(null)
        break
      case '}':
      case ']':
        open.pop()
        break
      case '"': {
        const start = at
        at = endOfString(text, start)
        const names = open.at(-1)
        if (names && isName(text, at)) addName(names, JSON.parse(text.slice(start, at + 1)))
        break
      }
      default:
    }
  }
}

function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') throw refused('The body has a member called "__proto__", which is no name here.')
  if (names.has(name))
    throw refused(`The body has the member ${JSON.stringify(name.slice(0, 100))} twice in one object.`)
  names.add(name)
}

/** The index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = start
  let escapes: number
  do {
    end = text.indexOf('"', end + 1)
    escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes++
  } while (escapes % 2 === 1)
  return end
}

/** A string is a member name if a colon follows it. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text[at] ?? '')) at++
  return text[at] === ':'
}

function refused(detail: string): ProblemError {
  return new ProblemError(problem('INVALID_REQUEST', `${detail} Nothing was changed.`))
}
