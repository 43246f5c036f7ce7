/**
 * Puts an incremental response together as a client does, by `pending[id].path` followed by `subPath` and by
 * nothing else.
 */
import { isRecord } from '@switchyard/values'
import { type ResponsePath, type StreamError, type StreamPart, valueAt, writeOwn } from './stream-part.ts'

export type MergedResponse = {
  readonly data: unknown
  /** The errors of all parts, in the order in which they came. */
  readonly errors: readonly StreamError[]
}

/** Merges the parts of a response. Throws if an entry has no place to go to. */
export function mergeParts(parts: readonly StreamPart[]): MergedResponse {
  const merger = new PartMerger()
  for (const part of parts) merger.add(part)
  return { data: merger.data, errors: merger.errors }
}

export class PartMerger {
  data: unknown
  readonly errors: StreamError[] = []
  readonly #paths = new Map<string, ResponsePath>()
  #isFirst = true

  add(part: StreamPart): void {
    if (this.#isFirst) this.data = structuredClone(part.data)
    this.#isFirst = false
    this.errors.push(...(part.errors ?? []))
    for (const { id, path } of part.pending ?? []) this.#paths.set(id, path)
    for (const { data, id, subPath = [], errors = [] } of part.incremental ?? []) {
      const base = this.#paths.get(id)
      if (base === undefined) throw new Error(`Nothing was announced with the id ${JSON.stringify(id)}`)
      const path = [...base, ...subPath]
      const target = valueAt(this.data, path)
      if (!isRecord(target)) throw new Error(`There is no object at ${JSON.stringify(path)}`)
      mergeObject(target, structuredClone(data))
      this.errors.push(...errors)
    }
    for (const { errors = [] } of part.completed ?? []) this.errors.push(...errors)
  }
}

function mergeObject(target: object, source: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(source)) {
    const known = valueAt(target, [key])
    if (isRecord(known) && isRecord(value)) mergeObject(known, value)
    else writeOwn(target, key, value)
  }
}
