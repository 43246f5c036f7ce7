/**
 * The thread of a second opinion: stitches once, then answers operations; subgraphs are asked by the other
 * side.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import { serveTasks } from '@switchyard/worker-host'
import type {
  AskedSubgraph,
  OpinionResult,
  OpinionTask,
  OpinionThreadData,
  SubgraphAnswer,
} from './opinion-messages.ts'
import { secondOpinion, type SecondOpinion, type SubgraphQuestion } from './second-opinion.ts'
import { SecondOpinionError } from './second-opinion-error.ts'

type Waiting = { readonly resolve: (body: unknown) => void; readonly reject: (error: Error) => void }

const data: OpinionThreadData = workerData
const waiting = new Map<number, Waiting>()
let lastId = 0
let gateway: SecondOpinion | null = null
/** Leads to the subgraphs. */
let subgraphs: MessagePort | null = null

serveTasks<OpinionTask, OpinionResult>({
  async run(task) {
    try {
      gateway ??= await secondOpinion({ ...data, execute: ask })
      if (task.kind === 'stitch') return { kind: 'stitched' }
      if (task.subgraphs !== undefined) subgraphs = task.subgraphs.on('message', hearAnswer)
      return { kind: 'opinion', opinion: await gateway.execute(task.request) }
    } catch (error) {
      if (!(error instanceof SecondOpinionError)) throw error
      return { kind: 'none', code: error.code, detail: error.detail }
    }
  },
})

async function ask(subgraph: string, question: SubgraphQuestion): Promise<unknown> {
  const asked: AskedSubgraph = { id: ++lastId, subgraph, question }
  const answer = Promise.withResolvers<unknown>()
  waiting.set(asked.id, answer)
  subgraphs?.postMessage(asked, [])
  return await answer.promise
}

function hearAnswer(answer: SubgraphAnswer): void {
  const asked = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (answer.kind === 'answer') asked?.resolve(answer.body)
  else asked?.reject(new Error(answer.message))
}
