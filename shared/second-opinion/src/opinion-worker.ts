/** The thread of a second opinion: stitches once, then answers operations; subgraphs are asked by the other side. */
import { parentPort, workerData } from 'node:worker_threads'
import type { OpinionReply, OpinionTask } from './opinion-messages.ts'
import { secondOpinion, type SecondOpinion, type SubgraphQuestion } from './second-opinion.ts'
import { SecondOpinionError } from './second-opinion-error.ts'

type Question = { readonly resolve: (body: unknown) => void; readonly reject: (error: Error) => void }

const port = parentPort
if (port === null) throw new Error('This is a thread, not a program.')
const send = (reply: OpinionReply) => port.postMessage(reply)
const questions = new Map<number, Question>()
let asked = 0

async function ask(subgraph: string, question: SubgraphQuestion): Promise<unknown> {
  const id = ++asked
  const waiting = Promise.withResolvers<unknown>()
  questions.set(id, waiting)
  send({ kind: 'question', id, subgraph, question })
  return await waiting.promise
}

function take(id: number): Question | undefined {
  const question = questions.get(id)
  questions.delete(id)
  return question
}

async function answer(
  gateway: SecondOpinion,
  task: Extract<OpinionTask, { kind: 'execute' }>,
): Promise<void> {
  try {
    send({ kind: 'opinion', opinion: await gateway.execute(task.request) })
  } catch (error) {
    if (error instanceof SecondOpinionError) send({ kind: 'none', code: error.code, detail: error.detail })
    else throw error
  }
}

try {
  const { supergraphSdl, labels }: { supergraphSdl: string; labels?: ReadonlySet<string> } = workerData
  const gateway = await secondOpinion({ supergraphSdl, execute: ask, ...(labels && { labels }) })
  port.on('message', (task: OpinionTask) => {
    switch (task.kind) {
      case 'execute':
        void answer(gateway, task)
        return
      case 'answer':
        take(task.id)?.resolve(task.body)
        return
      case 'failure':
        take(task.id)?.reject(new Error(task.message))
        return
      default:
        task satisfies never
    }
  })
  send({ kind: 'ready' })
} catch (error) {
  if (!(error instanceof SecondOpinionError)) throw error
  send({ kind: 'not-stitchable', detail: error.detail })
}
