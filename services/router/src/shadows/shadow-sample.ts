/**
 * One request that was chosen to be compared, from the beginning of its execution until its answer was
 * compared. It begins to be compared when both the answer is made and its last byte is out.
 */
import { createHash } from 'node:crypto'
import type { ManifestRollout } from '@switchyard/contracts'
import type { ExecutionResult, FetchFunction, Plan, SubgraphRequest } from '@switchyard/engine'
import type { Generation } from '../generations/generation.ts'
import type { Identity } from '../identity/identity.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import type { Asking } from '../request/asking.ts'
import type { GraphQLParams } from '../request/graphql-params.ts'
import { RecordedAnswers } from './recorded-answers.ts'

/** The request, as its execution by base knows it. */
export type SampledRequest = {
  readonly rollout: ManifestRollout
  readonly params: GraphQLParams
  /** The name of the operation; null if it has none. */
  readonly operationName: string | null
  readonly plan: Plan
  readonly variables: ReadonlyMap<string, unknown>
  /** The generation of base. The sample holds it. */
  readonly base: Generation
  readonly asking: Asking
  readonly identity: Identity | null
  readonly requestId: string
  readonly span: ActiveSpan
}

/** The answer of base. */
export type BaseAnswer = { readonly result: ExecutionResult; readonly milliseconds: number }

/** Tells what becomes of a sample. Exactly one is called, once. */
export type SampleListener = {
  readonly onReady: (sample: ShadowSample, answer: BaseAnswer) => void
  readonly onDropped: (sample: ShadowSample, reason: 'too-large' | 'unanswered') => void
}

/** The weight of the largest answer that is kept: values, of which sixteen characters count as one. */
const MAX_WEIGHT = 64 * 1024
const MAX_NAME = 200

/** A sample that is being recorded. */
export class ShadowSample {
  readonly request: SampledRequest
  readonly recorded = new RecordedAnswers()
  readonly #listener: SampleListener
  readonly #began = performance.now()
  #answer: BaseAnswer | null = null
  #isClosed = false
  #isOver = false

  constructor(request: SampledRequest, listener: SampleListener) {
    this.request = request
    this.#listener = listener
  }

  /** The name under which results of the operation are counted. */
  get operation(): string {
    const { operationName, params } = this.request
    if (operationName !== null) return operationName.slice(0, MAX_NAME)
    return `anonymous:${createHash('sha256').update(params.query).digest('hex').slice(0, 12)}`
  }

  /** Records what a function fetches. */
  recording(fetch: FetchFunction, keyOf: (request: SubgraphRequest) => string | null): FetchFunction {
    return this.recorded.recording(fetch, keyOf)
  }

  /** Counts the bytes that the request holds here, too. */
  counting(size: { received(bytes: number): void }): { received(bytes: number): void } {
    return {
      received: (bytes) => {
        if (!this.#isOver) this.recorded.hold(bytes)
        size.received(bytes)
      },
    }
  }

  /** The answer of base is made. Its weight is about the number of its values. */
  answered(result: ExecutionResult, weight: number): void {
    if (this.#isOver) return
    if (this.recorded.isTooLarge || weight > MAX_WEIGHT) return this.drop('too-large')
    this.#answer = { result, milliseconds: performance.now() - this.#began }
    if (this.#isClosed) this.#ready(this.#answer)
  }

  /** The last byte of the answer is out, or the client is gone. */
  closed(): void {
    this.#isClosed = true
    if (this.#answer !== null) this.#ready(this.#answer)
  }

  /** The sample is not compared. Harmless when it is over. */
  drop(reason: 'too-large' | 'unanswered'): void {
    const isAnswered = reason === 'unanswered' && this.#answer !== null
    if (this.#isOver || isAnswered) return
    this.#isOver = true
    this.recorded.clear()
    this.#listener.onDropped(this, reason)
  }

  #ready(answer: BaseAnswer): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.onReady(this, answer)
  }
}
