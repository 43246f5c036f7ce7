/** The errors that a client was told, as a reader of a trace wants to see them. */

/** An error of a GraphQL response. */
export type TracedError = {
  /** The message, at most 500 characters of it. */
  readonly message: string
  /** The place in the response, such as `products.0.name`; null where the error has no path. */
  readonly path: string | null
}

/** Long enough to say what is wrong. */
const MAX_MESSAGE = 500
const MAX_PATH = 200
const MAX_ERRORS = 100

/**
 * The errors of a GraphQL response, or of one part of a response in parts with the errors of what it
 * delivers. At most 100; what is no error of GraphQL is left out.
 */
export function responseErrorsIn(part: unknown): readonly TracedError[] {
  const lists = [part, ...listIn(part, 'incremental'), ...listIn(part, 'completed')]
  return lists
    .flatMap((holder) => listIn(holder, 'errors'))
    .slice(0, MAX_ERRORS)
    .flatMap((error) => {
      const message = ownMember(error, 'message')
      if (typeof message !== 'string') return []
      const path = listIn(error, 'path').map(String).join('.')
      return [{ message: cut(message, MAX_MESSAGE), path: path === '' ? null : cut(path, MAX_PATH) }]
    })
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const member = ownMember(value, name)
  return Array.isArray(member) ? member : []
}

/** A member of an object of its own; undefined where there is none, or no object. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}
