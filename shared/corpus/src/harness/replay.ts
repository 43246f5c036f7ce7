/**
 * Executes an operation once more, with generated code and the answers that subgraphs gave to the
 * interpreter: both must ask for the same, and give the same.
 */
import {
  execute,
  type ExecuteOptions,
  executeIncrementally,
  type ExecutionResult,
  type FetchFunction,
  type FetchRecorder,
  type Graph,
  type IncrementalOptions,
  type SubgraphReply,
  type SubgraphRequest,
} from '@switchyard/engine'

/** The result of an execution: the response, and its size. */
export type Executed = {
  readonly result: ExecutionResult
  readonly weight: number
  /** Null if costs are not counted. */
  readonly cost?: number | null
  /** Absent if the execution had no recorder. */
  readonly heard?: HeardFetches
}

const NOBODY_ASKED: SubgraphReply = {
  kind: 'failure',
  code: 'SUBGRAPH_UNREACHABLE',
  message: 'Nobody asked this.',
}

/** Begins to count what an execution costs, if that is wanted. */
export type Counting = (options: ExecuteOptions) => Pick<ExecuteOptions, 'cost'>

const NOT_COUNTED: Counting = () => ({})

type Answered = { readonly key: string; readonly reply: SubgraphReply }

/** The answers of subgraphs to the requests of one execution. */
export class Recording {
  readonly #replies = new Map<string, SubgraphReply[]>()
  /** The answers in the order in which they came. */
  readonly #answered: Answered[] = []
  readonly #asked: string[] = []

  /** A fetch function that records what another one answers. */
  of(fetch: FetchFunction): FetchFunction {
    return (request, done) => {
      const key = keyOf(request)
      this.#asked.push(key)
      fetch(request, (reply) => {
        this.#answered.push({ key, reply })
        const replies = this.#replies.get(key) ?? []
        this.#replies.set(key, replies)
        replies.push(reply)
        done(reply)
      })
    }
  }

  /** Plays the answers back; complains of requests that are not the recorded ones. */
  player(complaints: string[]): FetchFunction {
    const left = new Map([...this.#replies].map(([key, replies]) => [key, [...replies]]))
    return (request, done) => {
      const reply = left.get(keyOf(request))?.shift()
      if (reply === undefined) complaints.push(`generated code asked ${keyOf(request)}`)
      setImmediate(done, reply ?? NOBODY_ASKED)
    }
  }

  /**
   * Plays the answers back in the order in which they came, which decides what is delivered when. Requests
   * that had no answer get none again.
   */
  playerInOrder(complaints: string[]): FetchFunction {
    const left = [...this.#asked]
    const waiting: { readonly key: string; readonly done: (reply: SubgraphReply) => void }[] = []
    let next = 0
    const answer = (): void => {
      for (;;) {
        const answered = this.#answered[next]
        const asked = waiting.findIndex(({ key }) => key === answered?.key)
        if (answered === undefined || asked === -1) return
        next++
        for (const { done } of waiting.splice(asked, 1)) done(answered.reply)
      }
    }
    return (request, done) => {
      const key = keyOf(request)
      const at = left.indexOf(key)
      if (at === -1) {
        complaints.push(`was asked ${key}, and was not before`)
        setImmediate(done, NOBODY_ASKED)
      } else {
        left.splice(at, 1)
        waiting.push({ key, done })
        setImmediate(answer)
      }
    }
  }
}

/** Describes how generated code differs from the interpreter, with and without a trace. */
export async function replay(
  graph: Graph,
  options: ExecuteOptions,
  recording: Recording,
  interpreted: Executed,
  counting = NOT_COUNTED,
): Promise<readonly string[]> {
  const complaints: string[] = []
  const execution = (recorder?: HeardFetches): Promise<Executed> =>
    new Promise((resolve, onDefect) => {
      // A plan of its own, for which nothing has been unusual yet.
      const plan = { ...options.plan }
      const fetch = recording.player(complaints)
      const more = { ...(recorder && { recorder }), ...counting(options) }
      const again = { ...options, plan, fetch, onDefect, interpretedRuns: 0, ...more }
      execute(graph, again, (result, weight, cost) => resolve({ result, weight, cost }))
    })
  const heard = new HeardFetches()
  const { result, weight, cost = null } = interpreted
  for (const generated of [await execution(), await execution(heard)]) {
    const [one, other] = [JSON.stringify({ result, weight, cost }), JSON.stringify(generated)]
    if (one !== other) complaints.push(`generated code answered ${other} instead of ${one}`)
  }
  return interpreted.heard === undefined ? complaints : [...complaints, ...heard.otherThan(interpreted.heard)]
}

/** The same for an execution in parts: once with the interpreter alone, and once with generated code. */
export async function replayInParts(
  graph: Graph,
  options: IncrementalOptions,
  recording: Recording,
  counting = NOT_COUNTED,
): Promise<readonly string[]> {
  const complaints: string[] = []
  /** The JSON of each part, how large it is, and what it costs. */
  const deliver = (interpretedRuns: number, recorder?: HeardFetches): Promise<string> =>
    new Promise((resolve, onDefect) => {
      const parts: string[] = []
      const take = (part: { readonly hasNext: boolean }, weight: number, cost: number | null): void => {
        parts.push(JSON.stringify({ part, weight, cost }))
        if (!part.hasNext) resolve(parts.join('\n'))
      }
      const plan = { ...options.plan }
      const fetch = recording.playerInOrder(complaints)
      const more = { ...(recorder && { recorder }), ...counting(options) }
      const again = { ...options, plan, fetch, onDefect, interpretedRuns, ...more }
      executeIncrementally(graph, again, { initial: take, subsequent: take })
    })
  const [heardBefore, heard] = [new HeardFetches(), new HeardFetches()]
  const interpreted = await deliver(Number.POSITIVE_INFINITY, heardBefore)
  for (const generated of [await deliver(0), await deliver(0, heard)])
    if (generated !== interpreted)
      complaints.push(`generated code delivered ${generated} instead of ${interpreted}`)
  return [...complaints, ...heard.otherThan(heardBefore)]
}

/** The events that a trace is made of. */
export class HeardFetches implements FetchRecorder {
  readonly #heard: string[] = []

  rendered(...[{ id }, body, from]: Parameters<FetchRecorder['rendered']>): void {
    this.#heard.push(`fetch ${id} sent ${body} made of ${JSON.stringify([...from])}`)
  }

  settled(...[{ id }, failure]: Parameters<FetchRecorder['settled']>): void {
    this.#heard.push(`fetch ${id} ended with ${JSON.stringify(failure)}`)
  }

  /**
   * Describes how these events differ from those of the interpreter. Fetches of one wave may begin and end in
   * any order.
   */
  otherThan(interpreted: HeardFetches): readonly string[] {
    const [one, other] = [interpreted, this].map((heard) => heard.#heard.toSorted().join('\n'))
    return one === other ? [] : [`a trace of generated code is made of ${other} instead of ${one}`]
  }
}

/** Two fetches may send the same. */
function keyOf({ fetch, subgraph, body }: SubgraphRequest): string {
  return `fetch ${fetch.id} of ${subgraph}: ${body}`
}
