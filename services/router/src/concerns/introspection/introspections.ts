/**
 * Answers to introspection, which may be many times as large as what asks for them. They are written in
 * slices, one answer at a time so that only one takes memory while it is written, and remembered together
 * with the operations. Clients take turns, so that nobody waits for all that somebody else asks for.
 */
import {
  type Graph,
  introspectInTurns,
  introspectionKey,
  type IntrospectionResult,
  JsonText,
  type Plan,
  RequestError,
} from '@switchyard/engine'
import type { ClientLookup, Client } from '../../fairness/client.ts'
import { FairLine } from '../../fairness/fair-line.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { TurnQueue } from '../../fairness/turn-queue.ts'
import type { OperationMemory, MemoryEntry } from '../../memory/operation-memory.ts'
import { settled } from '../../memory/settled-error.ts'
import { TextMap } from '../../memory/text-map.ts'

/**
 * Number of introspections that may wait for their turn. Beyond that, the client with most of them loses the
 * one that has waited longest.
 */
export const MAX_WAITING = 32

/** How large answers may be, and what they share with other work. */
export type IntrospectionOptions = {
  /** Characters of one answer. */
  readonly maxSize: () => number
  readonly turns: TurnQueue
  readonly memory: OperationMemory
}

type Part = NonNullable<Plan['introspection']>
type Answer = IntrospectionResult | RequestError
type Entry = MemoryEntry & { readonly answer: Answer }

/** An answer on its way. */
type InMaking = {
  readonly answer: Promise<Answer>
  /** One more client waits for it: its turn comes with the first turn of one of its clients. */
  readonly join: (client: Client) => void
}

type Job = {
  /** Begins the work, in the turns of the client whose turn it was. */
  readonly begin: (client: Client) => Promise<void>
  readonly refuse: (error: HttpError) => void
}

/** The introspections of all graphs of a router. */
export class Introspections {
  readonly #options: IntrospectionOptions
  readonly #line = new FairLine<Job>()
  #busy = false

  constructor(options: IntrospectionOptions) {
    this.#options = options
  }

  open(graph: Graph): GraphIntrospections {
    const { maxSize, turns, memory } = this.#options
    return new GraphIntrospections(memory, (part, variables, client) =>
      this.#inLine(client, async (whose) => {
        const options = { maxSize: maxSize(), turns: turns.of(() => whose) }
        return await introspectInTurns(graph, part, variables, options)
      }),
    )
  }

  #inLine(client: Client, work: (client: Client) => Promise<IntrospectionResult>): ResultInMaking {
    const { promise, resolve, reject } = Promise.withResolvers<IntrospectionResult>()
    const job: Job = { begin: (whose) => work(whose).then(resolve, reject), refuse: reject }
    this.#line.add(client, job)
    this.#next()
    this.#shorten()
    return {
      result: promise,
      join: (other) => {
        if (!this.#line.has(job)) return
        this.#line.add(other, job)
        this.#shorten()
      },
    }
  }

  #next(): void {
    const turn = this.#busy ? null : this.#line.take()
    if (turn === null) return
    this.#line.withdraw(turn.item)
    this.#busy = true
    void turn.item.begin(turn.client).then(() => {
      this.#busy = false
      this.#next()
    })
  }

  #shorten(): void {
    if (this.#line.size <= MAX_WAITING) return
    const job = this.#line.takeFromLargest()?.item
    // Others may wait for it, too.
    if (job === undefined || this.#line.has(job)) return
    const message = 'Too many different introspections wait for their answer. Try again in a moment.'
    job.refuse(new HttpError('OVERLOADED', message, { 'Retry-After': '1' }))
  }
}

type ResultInMaking = Pick<InMaking, 'join'> & { readonly result: Promise<IntrospectionResult> }
type Write = (part: Part, variables: ReadonlyMap<string, unknown>, client: Client) => ResultInMaking

/** The introspections of one graph. Refusals are remembered as well, since they cost as much as answers. */
export class GraphIntrospections {
  readonly #memory: OperationMemory
  readonly #write: Write
  readonly #known = new TextMap<Entry>()
  readonly #making = new TextMap<InMaking>()

  constructor(memory: OperationMemory, write: Write) {
    this.#memory = memory
    this.#write = write
  }

  /** Rejects with a RequestError, or with an HttpError when too many others wait. */
  async answer(
    part: Part,
    variables: ReadonlyMap<string, unknown>,
    lookUpClient: ClientLookup,
  ): Promise<IntrospectionResult> {
    const key = introspectionKey(part, variables)
    const entry = this.#known.get(key)
    if (entry !== undefined) this.#memory.used(entry)
    const answer = entry?.answer ?? (await this.#made(key, part, variables, lookUpClient()))
    if (answer instanceof RequestError) throw answer
    return answer
  }

  #made(key: string, part: Part, variables: ReadonlyMap<string, unknown>, client: Client): Promise<Answer> {
    const inMaking = this.#making.get(key)
    if (inMaking !== undefined) {
      inMaking.join(client)
      return inMaking.answer
    }
    const { result, join } = this.#write(part, variables, client)
    const answer = this.#kept(key, result).finally(() => this.#making.delete(key))
    this.#making.set(key, { answer, join })
    return answer
  }

  async #kept(key: string, result: Promise<IntrospectionResult>): Promise<Answer> {
    let answer: Answer
    try {
      answer = await result
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      answer = settled(error)
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
