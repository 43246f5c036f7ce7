import type {
  SubsequentResult,
  InitialResult,
  PendingPer,
} from '../../../src/execution/contract/incremental-response.ts'
import type { IncrementalOptions } from '../../../src/execution/contract/options.ts'
import type { SubgraphReply } from '../../../src/execution/contract/subgraph-calls.ts'
import {
  executeIncrementally,
  type IncrementalExecution,
} from '../../../src/execution/execute-incrementally.ts'
import type { Graph } from '../../../src/graph/graph.ts'
import type { DeliveryGroup, Plan } from '../../../src/plan/contract/plan.ts'
import type { Written } from './plans.ts'
import { deepFreeze } from './run.ts'

/** The n-th `@defer` of a plan written by hand. */
export function fragment(id: number, at: number, more: Partial<Written<DeliveryGroup>> = {}): DeliveryGroup {
  const anchors = [{ at, types: null }]
  const written: Written<DeliveryGroup> = {
    id,
    parent: 0,
    label: null,
    anchors,
    isLive: true,
    completedAfter: [],
    ...more,
  }
  return written as DeliveryGroup
}

export const initialGroup = fragment(0, 0, { parent: -1, anchors: [] })

/** An execution whose subgraphs answer when the test says so. */
export class Stream {
  /** Ids of the fetches that were started. */
  readonly requests: number[] = []
  /** What they were started with. */
  readonly bodies: string[] = []
  readonly initial: InitialResult[] = []
  readonly parts: SubsequentResult[] = []
  readonly execution: IncrementalExecution
  readonly #answers = new Map<number, (reply: SubgraphReply) => void>()

  constructor(
    graph: Graph,
    plan: Written<Plan>,
    onPart: (stream: Stream) => void = () => {},
    more: Pick<IncrementalOptions, 'signal' | 'pendingPer'> = {},
  ) {
    this.execution = executeIncrementally(
      graph,
      {
        plan: plan as Plan,
        variables: new Map(),
        fetch: ({ fetch, body }, done) => {
          this.requests.push(fetch.id)
          this.bodies.push(body)
          this.#answers.set(fetch.id, done)
        },
        ...more,
      },
      {
        initial: (result) => {
          this.initial.push(result)
          onPart(this)
        },
        subsequent: (part) => {
          this.parts.push(part)
          onPart(this)
        },
      },
    )
  }

  answer(fetch: number, reply: SubgraphReply): void {
    const done = this.#answers.get(fetch)
    if (done === undefined) throw new Error(`Fetch ${fetch} has not been started.`)
    done(deepFreeze(reply))
  }

  /** Payloads as a client gets them. */
  get payloads(): readonly string[] {
    return [
      ...this.initial.map(({ data, errors, pending, hasNext }) =>
        JSON.stringify({ ...listed('errors', errors), data, ...listed('pending', pending), hasNext }),
      ),
      ...this.parts.map(({ incremental, completed, pending, hasNext }) =>
        JSON.stringify({
          ...listed('incremental', incremental),
          completed,
          ...listed('pending', pending),
          hasNext,
        }),
      ),
    ]
  }
}

function listed<T>(name: string, list: readonly T[]): Readonly<Record<string, readonly T[]>> {
  return list.length === 0 ? {} : { [name]: list }
}

/** Answers everything at once, and everything that is asked because of it, in an order of the caller's. */
export async function stream(
  graph: Graph,
  plan: Written<Plan>,
  answers: readonly (SubgraphReply | undefined)[],
  next: (open: readonly number[]) => number = ([first]) => first ?? -1,
  pendingPer: PendingPer = 'fragment',
): Promise<Stream> {
  const run = new Stream(graph, plan, () => {}, { pendingPer })
  await Promise.resolve()
  const answered = new Set<number>()
  for (;;) {
    const open = run.requests.filter((id) => !answered.has(id))
    if (open.length === 0) return run
    const id = next(open)
    const reply = answers[id]
    if (reply === undefined) throw new Error(`Fetch ${id} was not expected.`)
    answered.add(id)
    run.answer(id, reply)
  }
}
