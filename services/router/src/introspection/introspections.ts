/**
 * Answers to introspection, which may be many times as large as what asks for them. They are written in slices, one answer at a
 * time so that only one takes memory while it is written, and remembered together with the operations.
 */
import {
  type Graph,
  introspectInTurns,
  introspectionKey,
  type IntrospectionResult,
  JsonText,
  type Plan,
  RequestError,
  type Turns,
} from '@switchyard/engine'
import { HttpError } from '../errors.ts'
import type { OperationMemory, Remembered } from '../operation/operation-memory.ts'

/** Different ones that may wait for their turn. The next are refused, since each holds up those behind it. */
export const MAX_WAITING = 32

export type IntrospectionOptions = {
  /** Characters of one answer. */
  readonly maxSize: number
  readonly turns: Turns
  readonly memory: OperationMemory
}

type Part = NonNullable<Plan['introspection']>
type Answer = IntrospectionResult | RequestError
type Entry = Remembered & { readonly answer: Answer }

/** Of all graphs of a router. */
export class Introspections {
  readonly #options: IntrospectionOptions
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(options: IntrospectionOptions) {
    this.#options = options
  }

  open(graph: Graph): GraphIntrospections {
    return new GraphIntrospections(this.#options.memory, (part, variables) =>
      this.#inTurn(() => introspectInTurns(graph, part, variables, this.#options)),
    )
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= MAX_WAITING)
      throw new HttpError(
        'OVERLOADED',
        'Too many different introspections wait for their answer. Try again in a moment.',
        { 'Retry-After': '1' },
      )
    this.#waiting++
    const result = this.#last.then(work).finally(() => {
      this.#waiting--
    })
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** Of one graph. Refusals are remembered as well: they cost as much as answers. */
export class GraphIntrospections {
  readonly #memory: OperationMemory
  readonly #answer: (part: Part, variables: ReadonlyMap<string, unknown>) => Promise<IntrospectionResult>
  readonly #known = new Map<string, Entry>()
  readonly #making = new Map<string, Promise<Answer>>()

  constructor(
    memory: OperationMemory,
    answer: (part: Part, variables: ReadonlyMap<string, unknown>) => Promise<IntrospectionResult>,
  ) {
    this.#memory = memory
    this.#answer = answer
  }

  /** Rejects with a RequestError, or with an HttpError when too many others wait. */
  async answer(part: Part, variables: ReadonlyMap<string, unknown>): Promise<IntrospectionResult> {
    const key = introspectionKey(part, variables)
    const entry = this.#known.get(key)
    if (entry !== undefined) this.#memory.used(entry)
    const answer = entry?.answer ?? (await this.#made(key, part, variables))
    if (answer instanceof RequestError) throw answer
    return answer
  }

  #made(key: string, part: Part, variables: ReadonlyMap<string, unknown>): Promise<Answer> {
    let making = this.#making.get(key)
    if (making === undefined) {
      making = this.#make(key, part, variables).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    return making
  }

  async #make(key: string, part: Part, variables: ReadonlyMap<string, unknown>): Promise<Answer> {
    let answer: Answer
    try {
      answer = await this.#answer(part, variables)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      answer = error
    }
    const size = BYTES_PER_ENTRY + key.length + sizeOf(answer)
    const entry: Entry = { answer, size, forget: () => this.#known.delete(key) }
    this.#known.set(key, entry)
    this.#memory.add(entry)
    return answer
  }

  get size(): number {
    return this.#known.size
  }

  clear(): void {
    for (const entry of this.#known.values()) this.#memory.remove(entry)
    this.#known.clear()
  }
}

const BYTES_PER_ENTRY = 1024

function sizeOf(answer: Answer): number {
  if (answer instanceof RequestError) return 0
  return Object.values(answer).reduce<number>(
    (sum, value) => sum + (value instanceof JsonText ? value.text.length : 0),
    0,
  )
}
