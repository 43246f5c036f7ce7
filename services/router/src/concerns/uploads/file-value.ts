/**
 * Stands for a file in the values of variables until they are sent. The variables are checked with it, since
 * null would not be allowed for `Upload!`. In JSON it is null, as the specification asks for.
 */
import { isJsonObject } from '@switchyard/engine'
import { type MappedFile, shown } from './file-map.ts'
import { invalidUpload } from './refusals.ts'

/** The properties of a file, as traces show them. */
export type FileDescription = { name: string | null; type: string | null; size: number }

/** One file of a request. It has no enumerable properties, so it has no parts where values are counted. */
export class FileValue {
  readonly #mapped: MappedFile
  readonly #description: FileDescription = { name: null, type: null, size: 0 }

  constructor(mapped: MappedFile) {
    this.#mapped = mapped
  }

  get mapped(): MappedFile {
    return this.#mapped
  }

  /** The properties as far as they are known: the file may still arrive. */
  get description(): FileDescription {
    return this.#description
  }

  toJSON(): null {
    return null
  }
}

/** Puts the file at its place in the variables of a request, which are changed. Throws HttpError. */
export function placeFile(file: FileValue, variables: Readonly<Record<string, unknown>> | null): void {
  const { keys, part, path } = file.mapped
  const refused = (problem: string) =>
    invalidUpload(
      `The file ${shown(part)} has the place ${shown(path)}, ${problem}. Expected null in "operations" there.`,
    )
  let holder: unknown = variables
  for (const [index, key] of keys.entries()) {
    const value = valueIn(holder, key)
    if (value === undefined) throw refused('which does not exist')
    if (index < keys.length - 1) holder = value
    else if (value === null) set(holder, key, file)
    else if (value !== file) throw refused('where there is a value')
  }
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/

/** Returns an own member of a list or an object of JSON; undefined if there is none. */
function valueIn(holder: unknown, key: string): unknown {
  if (Array.isArray(holder)) return INDEX.test(key) ? holder[Number(key)] : undefined
  return isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** Sets an own member of any name. A plain assignment to `__proto__` would change the prototype. */
function set(holder: unknown, key: string, value: unknown): void {
  if (typeof holder !== 'object' || holder === null) return
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Returns the keys at which the file is in the checked values of variables. They can be more than those of
 * the client, since a value that stands alone becomes a list where the type is one. Throws HttpError.
 */
export function keysInValues(file: FileValue, values: ReadonlyMap<string, unknown>): readonly string[] {
  const { keys, part, path } = file.mapped
  const [variable = '', ...rest] = keys
  const found = [variable]
  let value = values.get(variable)
  const takeOnlyItems = (): void => {
    while (Array.isArray(value)) {
      value = value[0]
      found.push('0')
    }
  }
  for (const key of rest) {
    if (!INDEX.test(key)) takeOnlyItems()
    value = valueIn(value, key)
    found.push(key)
  }
  takeOnlyItems()
  if (value === file) return found
  const problem = values.has(variable)
    ? 'where the operation takes no file. Expected a place whose type is a scalar, such as Upload'
    : `but the operation declares no variable ${shown(`$${variable}`)}`
  throw invalidUpload(`The file ${shown(part)} has the place ${shown(path)}, ${problem}.`)
}

/** Returns the variables with the properties of files in their places, for traces. */
export function describedVariables(
  files: readonly FileValue[],
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let described: unknown = variables
  for (const file of files) described = withDescription(described, file, file.mapped.keys)
  return isJsonObject(described) ? described : variables
}

/** Returns the body of a call with the properties of files at their places, for traces. */
export function describedBody(
  operations: string,
  paths: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, FileValue>,
): unknown {
  const body: unknown = JSON.parse(operations)
  for (const [part, path] of paths) {
    const keys = path.split('.')
    let holder = body
    for (const key of keys.slice(0, -1)) holder = valueIn(holder, key)
    set(holder, keys.at(-1) ?? '', files.get(part)?.description ?? null)
  }
  return body
}

/** Copies what leads to the file, and leaves the rest as it is. */
function withDescription(holder: unknown, file: FileValue, keys: readonly string[]): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return holder === file ? file.description : holder
  const value = withDescription(valueIn(holder, key), file, rest)
  if (Array.isArray(holder)) return holder.with(Number(key), value)
  if (!isJsonObject(holder) || !Object.hasOwn(holder, key)) return holder
  const copy = { ...holder }
  set(copy, key, value)
  return copy
}
