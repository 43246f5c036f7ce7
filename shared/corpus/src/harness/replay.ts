/**
 * Executes an operation once more, with generated code and the answers that subgraphs gave to the
 * interpreter: both must ask for the same, and give the same.
 */
import {
  execute,
  type ExecuteOptions,
  type ExecutionResult,
  type FetchFunction,
  type Graph,
  type SubgraphReply,
  type SubgraphRequest,
} from '@switchyard/engine'

/** What an execution gives: the response, and how large it is. */
export type Executed = { readonly result: ExecutionResult; readonly weight: number }

/** The answers of subgraphs to the requests of one execution. */
export class Recording {
  readonly #replies = new Map<string, SubgraphReply[]>()

  /** A fetch function that records what another one answers. */
  of(fetch: FetchFunction): FetchFunction {
    return (request, done) =>
      fetch(request, (reply) => {
        const key = keyOf(request)
        const replies = this.#replies.get(key) ?? []
        this.#replies.set(key, replies)
        replies.push(reply)
        done(reply)
      })
  }

  /** Plays the answers back; complains of requests that are not the recorded ones. */
  player(complaints: string[]): FetchFunction {
    const left = new Map([...this.#replies].map(([key, replies]) => [key, [...replies]]))
    return (request, done) => {
      const reply = left.get(keyOf(request))?.shift()
      if (reply === undefined) complaints.push(`generated code asked ${keyOf(request)}`)
      const none = { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: 'Nobody asked this.' } as const
      setImmediate(done, reply ?? none)
    }
  }
}

/** What generated code does otherwise than the interpreter, in words. */
export async function replay(
  graph: Graph,
  options: ExecuteOptions,
  recording: Recording,
  interpreted: Executed,
): Promise<readonly string[]> {
  const complaints: string[] = []
  // A plan of its own, for which nothing has been unusual yet.
  const plan = { ...options.plan }
  const again = { ...options, plan, fetch: recording.player(complaints), interpretedRuns: 0 }
  const generated = await new Promise<Executed>((resolve, onDefect) => {
    execute(graph, { ...again, onDefect }, (result, weight) => resolve({ result, weight }))
  })
  const [one, other] = [JSON.stringify(interpreted), JSON.stringify(generated)]
  if (one !== other) complaints.push(`generated code answered ${other} instead of ${one}`)
  return complaints
}

function keyOf({ subgraph, body }: SubgraphRequest): string {
  return `${subgraph}: ${body}`
}
