/** An answer as far as it has come: its parts, what each of them added, and all of them put together. */
import { PartMerger, type StreamError, type StreamPart } from '@switchyard/incremental-delivery'
import { isRecord } from '@switchyard/values'

/** A place in the response, by keys and indices. */
export type Place = readonly (string | number)[]

/** One part of an answer. An answer in one piece is one part. */
export type AnswerPart = {
  /** From 1. */
  readonly number: number
  /** Milliseconds since the request was sent. */
  readonly after: number
  /** The part as it came. */
  readonly body: unknown
  /** The places of the data that it added; the empty place for the whole. */
  readonly added: readonly Place[]
  /** Labels of the fragments that it completed, or their places where they have no label. */
  readonly completed: readonly string[]
  /** The number of errors in it. */
  readonly errors: number
}

export type Answer = {
  readonly parts: readonly AnswerPart[]
  readonly data: unknown
  readonly errors: readonly StreamError[]
  /** Extensions without the trace. */
  readonly extensions: Readonly<Record<string, unknown>>
  readonly trace: unknown
  readonly hasNext: boolean
}

/** Places of one part that are lit; a part of a list may have very many. */
const MAX_PLACES = 2_000

/** Puts the parts of an answer together as they come. */
export class AnswerBuilder {
  readonly #merger = new PartMerger()
  readonly #parts: AnswerPart[] = []
  readonly #pending = new Map<string, { readonly path: Place; readonly name: string }>()
  #extensions: Readonly<Record<string, unknown>> = {}
  #trace: unknown = null
  #hasNext = true

  /**
   * Adds a part. Throws where it is none, or where something of it has no place to go to. `after` is the time
   * in milliseconds.
   */
  add(body: unknown, after: number): void {
    if (!isPart(body)) throw new Error('A part of the answer is no response of GraphQL: expected an object.')
    const isFirst = this.#parts.length === 0
    for (const { id, path, label } of body.pending ?? [])
      this.#pending.set(id, { path, name: label ?? (path.length === 0 ? 'the root' : path.join('.')) })
    this.#merger.add(body)
    if (isRecord(body.extensions)) {
      const { trace, ...others } = body.extensions
      if (trace !== undefined) this.#trace = trace
      this.#extensions = { ...this.#extensions, ...others }
    }
    this.#hasNext = body.hasNext === true
    this.#parts.push({
      number: this.#parts.length + 1,
      after,
      body,
      added: isFirst ? [[]] : this.#placesOf(body),
      completed: (body.completed ?? []).map(({ id }) => this.#pending.get(id)?.name ?? id),
      errors: errorsIn(body),
    })
  }

  get answer(): Answer {
    return {
      parts: [...this.#parts],
      data: this.#merger.data,
      errors: [...this.#merger.errors],
      extensions: this.#extensions,
      trace: this.#trace,
      hasNext: this.#hasNext,
    }
  }

  #placesOf({ incremental = [] }: StreamPart): readonly Place[] {
    const places: Place[] = []
    for (const { id, subPath = [], data } of incremental) {
      const base = [...(this.#pending.get(id)?.path ?? []), ...subPath]
      for (const key of Object.keys(data)) {
        if (places.length === MAX_PLACES) return places
        places.push([...base, key])
      }
    }
    return places
  }
}

function errorsIn({ errors = [], incremental = [], completed = [] }: StreamPart): number {
  return [...incremental, ...completed].reduce((sum, one) => sum + (one.errors?.length ?? 0), errors.length)
}

/** Whether a value has the form of a part, so far as putting it together goes by it. */
function isPart(value: unknown): value is StreamPart {
  if (!isRecord(value)) return false
  const { errors, pending, incremental, completed } = value
  return (
    isListOf(errors, isRecord) &&
    isListOf(pending, (one) => isRecord(one) && isId(one) && isPlace(one['path']) && isLabel(one['label'])) &&
    isListOf(
      incremental,
      (one) =>
        isRecord(one) &&
        isId(one) &&
        isRecord(one['data']) &&
        (one['subPath'] === undefined || isPlace(one['subPath'])) &&
        isListOf(one['errors'], isRecord),
    ) &&
    isListOf(completed, (one) => isRecord(one) && isId(one) && isListOf(one['errors'], isRecord))
  )
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isItem))
}

function isId(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['id'] === 'string'
}

function isLabel(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isPlace(value: unknown): value is Place {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' || typeof key === 'number')
}
