/**
 * Parts of an incremental response (`incrementalSpec=v0.2`) as a client reads them: JSON that may hold
 * anything.
 */

export type ResponsePath = readonly (string | number)[]

export type StreamError = {
  readonly message?: string
  readonly path?: ResponsePath
  readonly extensions?: unknown
}

/** The scope of one announcement: a fragment with all objects that it is on, or a fragment on one of them. */
export type PendingPer = 'fragment' | 'item'

export type Pending = { readonly id: string; readonly path: ResponsePath; readonly label?: string }

export type Incremental = {
  readonly data: Readonly<Record<string, unknown>>
  readonly id: string
  readonly subPath?: ResponsePath
  readonly errors?: readonly StreamError[]
}

export type Completed = { readonly id: string; readonly errors?: readonly StreamError[] }

export type StreamPart = {
  readonly errors?: readonly StreamError[]
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly extensions?: unknown
  readonly pending?: readonly Pending[]
  readonly incremental?: readonly Incremental[]
  readonly completed?: readonly Completed[]
  readonly hasNext?: boolean
}

/** Returns the value at a path; undefined if the path leads nowhere. */
export function valueAt(data: unknown, path: ResponsePath): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    if (Array.isArray(value) !== (typeof key === 'number')) return undefined
    // Either form is read by such keys.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value
}

/** Also for keys such as `__proto__`, which assigning would not write. */
export function writeOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
