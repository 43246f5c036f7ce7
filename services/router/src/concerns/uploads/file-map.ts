/** Reads the field `map`: which file stands at which place of the variables. */
import { excerpt, isJsonObject } from '@switchyard/engine'
import { invalidUpload, tooLargeUpload } from './refusals.ts'

/** A file that the client announces. */
export type MappedFile = {
  /** The name of its part. */
  readonly part: string
  /** The place as the client writes it: `variables.input.files.0`. */
  readonly path: string
  /** The keys that lead to the place from the variables. The first one is the name of a variable. */
  readonly keys: readonly string[]
}

/** Keys of a path, at most. Values that nest deeper cannot be sent on anyway. */
const MAX_KEYS = 100
const VARIABLES = 'variables'
const EXPECTED =
  'Expected an object that gives for the name of each file a list with one path, such as {"0": ["variables.file"]}.'

/** Returns the files in the order in which the map has them. Throws HttpError. */
export function readFileMap(text: string, maxFiles: number): readonly MappedFile[] {
  const entries = entriesOf(text)
  if (entries.length === 0) throw invalidUpload(`The field "map" names no file. ${EXPECTED}`)
  if (entries.length > maxFiles)
    throw tooLargeUpload(
      `The field "map" names ${entries.length} files, more than the ${maxFiles} allowed (uploads.max_files).`,
    )
  const files = entries.map(([part, paths]) => mapped(part, paths))
  const known = new Set<string>()
  for (const { path } of files) {
    if (known.has(path)) throw invalidUpload(`The field "map" gives two files the place ${shown(path)}.`)
    known.add(path)
  }
  return files
}

function entriesOf(text: string): readonly (readonly [string, unknown])[] {
  let map: unknown
  try {
    map = JSON.parse(text)
  } catch {
    throw invalidUpload(`The field "map" is not valid JSON. ${EXPECTED}`)
  }
  if (!isJsonObject(map)) throw invalidUpload(`The field "map" is no JSON object. ${EXPECTED}`)
  return Object.entries(map)
}

function mapped(part: string, paths: unknown): MappedFile {
  const named = `The field "map" gives the file ${shown(part)}`
  if (part === 'operations' || part === 'map')
    throw invalidUpload(`${named} a name that is taken by a field of the request.`)
  if (!Array.isArray(paths)) throw invalidUpload(`${named} no list of paths. ${EXPECTED}`)
  const [path, another]: readonly unknown[] = paths
  if (typeof path !== 'string') throw invalidUpload(`${named} no path. ${EXPECTED}`)
  if (another !== undefined)
    throw invalidUpload(`${named} several places. Expected one: a file is passed on once, as it arrives.`)
  const [first, ...keys] = path.split('.', MAX_KEYS + 2)
  if (first !== VARIABLES || keys.length === 0) {
    const isOfBatch = /^\d+$/.test(first ?? '')
    const hint = isOfBatch ? ' Several operations in one request cannot have files.' : ''
    throw invalidUpload(`${named} the path ${shown(path)}, which does not begin with "variables.".${hint}`)
  }
  if (keys.length > MAX_KEYS)
    throw invalidUpload(`${named} a path of more than ${MAX_KEYS} keys: ${shown(path)}.`)
  return { part, path, keys }
}

/** Shows what a client sent in a message. */
export function shown(text: string): string {
  return JSON.stringify(excerpt(text))
}
