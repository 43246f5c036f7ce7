/**
 * One execution of a shadow: the plan of a composition, with recorded answers where a subgraph may not be
 * called once more. Recorded answers take as long as they took, so that times can be compared.
 */
import {
  execute,
  type Execution,
  type ExecutionResult,
  type ExecutionWork,
  type FetchFunction,
  type Graph,
  type Plan,
  type SubgraphReply,
  type SubgraphRequest,
} from '@switchyard/engine'
import { SubgraphClient, type SubgraphClientOptions, type ClientRequest } from '../call/subgraph-client.ts'
import { MAX_HELD, type RecordedAnswers } from './recorded-answers.ts'

/** The reason why an execution was given up. */
export type StopReason =
  | 'not-recorded'
  | 'too-large'
  | 'too-slow'
  | 'token-expired'
  | 'busy'
  | 'not-called'
  | 'failed'
  | 'router-stops'

/** The outcome of an execution. */
export type RunOutcome =
  | { readonly kind: 'answered'; readonly result: ExecutionResult; readonly milliseconds: number }
  | { readonly kind: 'stopped'; readonly reason: StopReason }

/** The parts of one execution. */
export type ShadowRunOptions = {
  readonly graph: Graph
  readonly plan: Plan
  readonly variables: ReadonlyMap<string, unknown>
  readonly work: ExecutionWork
  readonly recorded: RecordedAnswers
  /** Returns the key under which the answer to a fetch was recorded; null if it has none. */
  readonly keyOf: (request: SubgraphRequest) => string | null
  /** Whether a subgraph may be called once more. */
  readonly mayCall: (subgraph: string) => boolean
  /** Returns a reason to stop at this moment; null while there is none. */
  readonly objection: () => StopReason | null
  /** Whether a call that fails is a result. If not, it stops the execution. */
  readonly failuresCount: boolean
  readonly client: SubgraphClientOptions
  readonly request: Omit<ClientRequest, 'size' | 'work' | 'plan'>
}

/** Milliseconds that an execution may take. */
const LONGEST_RUN_MS = 15_000
/** Failures that say nothing about the subgraph: the call was not made, or was given up here. */
const NOT_CALLED: ReadonlySet<string> = new Set([
  'SUBGRAPH_BUSY',
  'SUBGRAPH_CIRCUIT_OPEN',
  'SUBGRAPH_CANCELLED',
  'SUBGRAPH_ADDRESS_NOT_ALLOWED',
])

/** An execution in progress. */
export class ShadowRun {
  readonly #options: ShadowRunOptions
  readonly #outcome = Promise.withResolvers<RunOutcome>()
  readonly #client: SubgraphClient
  readonly #timers = new Set<NodeJS.Timeout>()
  #execution: Execution | null = null
  #held = 0
  #isOver = false

  constructor(options: ShadowRunOptions) {
    const { request, client, plan, work } = options
    this.#options = options
    const size = { received: (bytes: number) => this.#hold(bytes) }
    this.#client = new SubgraphClient(client, { ...request, plan, work, size })
  }

  /** Executes the plan. Never rejects. To be called once. */
  run(): Promise<RunOutcome> {
    const { graph, plan, variables, work } = this.#options
    const began = performance.now()
    this.#after(LONGEST_RUN_MS, () => this.stop('too-slow'))
    const answered = (result: ExecutionResult): void =>
      this.#end({ kind: 'answered', result, milliseconds: performance.now() - began })
    const onDefect = (): void => this.stop('failed')
    this.#execution = execute(graph, { plan, variables, work, onDefect, fetch: this.#fetch }, answered)
    return this.#outcome.promise
  }

  /** Gives the execution up. Harmless when it is over. */
  stop(reason: StopReason): void {
    this.#end({ kind: 'stopped', reason })
  }

  readonly #fetch: FetchFunction = (request, done) => {
    const { mayCall, objection } = this.#options
    const reason = objection()
    if (reason !== null) return void setImmediate(() => this.stop(reason))
    if (!mayCall(request.subgraph)) return this.#feed(request, done)
    this.#client.fetch(request, (reply) => this.#called(reply, done))
  }

  #feed(request: SubgraphRequest, done: (reply: SubgraphReply) => void): void {
    const { keyOf, recorded } = this.#options
    const key = keyOf(request)
    const answer = key === null ? null : recorded.of(key)
    if (answer === null) return void setImmediate(() => this.stop('not-recorded'))
    this.#after(answer.milliseconds, () => done(answer.reply))
  }

  #called(reply: SubgraphReply, done: (reply: SubgraphReply) => void): void {
    if (this.#isOver) return
    if (reply.kind === 'failure') {
      if (NOT_CALLED.has(reply.code)) return this.stop('not-called')
      if (reply.code === 'SUBGRAPH_RESPONSE_TOO_LARGE') return this.stop('too-large')
      if (!this.#options.failuresCount) return this.stop('failed')
    }
    done(reply)
  }

  #hold(bytes: number): void {
    this.#held += bytes
    if (this.#held > MAX_HELD) this.stop('too-large')
  }

  #after(milliseconds: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#isOver) then()
    }, milliseconds).unref()
    this.#timers.add(timer)
  }

  #end(outcome: RunOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#execution?.abort()
    this.#client.cancel()
    this.#outcome.resolve(outcome)
  }
}
