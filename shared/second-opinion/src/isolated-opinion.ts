/**
 * A second opinion in a thread of its own.
 *
 * Some operations make the stitching library throw where nobody can catch it, which ends a process. In its
 * own thread that is one operation without a second opinion: whoever asks learns that it crashed, and the
 * next question starts a new thread.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type TaskEnd, WorkerHost } from '@switchyard/worker-host'
import type {
  AskedSubgraph,
  OpinionResult,
  OpinionTask,
  OpinionThreadData,
  SubgraphAnswer,
} from './opinion-messages.ts'
import type { Opinion, OpinionRequest, SecondOpinion, SecondOpinionOptions } from './second-opinion.ts'
import { SecondOpinionError } from './second-opinion-error.ts'

export type IsolatedSecondOpinion = SecondOpinion & AsyncDisposable

/** Milliseconds for one operation with its calls of subgraphs, or for stitching. */
const TIME_LIMIT_MS = 120_000

/** Rejects with a `SecondOpinionError` when this supergraph cannot be stitched. One operation at a time. */
export async function isolatedSecondOpinion({
  supergraphSdl,
  labels,
  execute,
}: SecondOpinionOptions): Promise<IsolatedSecondOpinion> {
  const data: OpinionThreadData = { supergraphSdl, ...(labels && { labels }) }
  const host = new WorkerHost<OpinionTask, OpinionResult>({
    module: new URL('./opinion-worker.ts', import.meta.url),
    name: 'second opinion',
    data,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const stitching = resultOf(await host.run({ kind: 'stitch' }, { timeMs: TIME_LIMIT_MS }))
  if (stitching.kind === 'none') {
    await host[Symbol.asyncDispose]()
    throw new SecondOpinionError(stitching.code, stitching.detail)
  }
  return {
    execute: (request) => executeIn(host, request, execute),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

async function executeIn(
  host: WorkerHost<OpinionTask, OpinionResult>,
  request: OpinionRequest,
  execute: SecondOpinionOptions['execute'],
): Promise<Opinion> {
  const { port1: questions, port2: subgraphs } = new MessageChannel()
  questions.on('message', (asked: AskedSubgraph) => void answer(questions, asked, execute))
  try {
    const task: OpinionTask = { kind: 'execute', request, subgraphs }
    const result = resultOf(await host.run(task, { timeMs: TIME_LIMIT_MS, transfer: [subgraphs] }))
    if (result.kind === 'opinion') return result.opinion
    if (result.kind === 'none') throw new SecondOpinionError(result.code, result.detail)
    throw new RangeError('an operation was answered like the question for a stitched schema')
  } finally {
    questions.close()
  }
}

async function answer(
  to: MessagePort,
  { id, subgraph, question }: AskedSubgraph,
  execute: SecondOpinionOptions['execute'],
): Promise<void> {
  const say = (message: SubgraphAnswer): void => to.postMessage(message, [])
  try {
    say({ kind: 'answer', id, body: await execute(subgraph, question) })
  } catch (error) {
    say({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}

function resultOf(end: TaskEnd<OpinionResult>): OpinionResult {
  switch (end.kind) {
    case 'done':
      return end.result
    case 'time-limit':
    case 'cpu-limit':
    case 'silent':
      throw new SecondOpinionError('OPINION_STALLED', `it took longer than ${TIME_LIMIT_MS / 1000} s`)
    case 'memory-limit':
    case 'crashed': {
      const { error } = end
      throw new SecondOpinionError(
        'OPINION_CRASHED',
        error instanceof Error ? error.message : String(error),
        error,
      )
    }
    case 'cancelled':
    case 'disposed':
      throw new SecondOpinionError('OPINION_CRASHED', 'its thread was ended')
    default:
      return end satisfies never
  }
}
