/**
 * A second opinion in a thread of its own.
 *
 * Some operations make the stitching library throw where nobody can catch it, which ends a process. In its
 * own thread that is one operation without a second opinion: whoever asks learns that it crashed, and the
 * next question starts a new thread.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type TaskEnd, WorkerHost } from '@switchyard/worker-host'
import { messageOf } from '@switchyard/values'
import type {
  AskedSubgraph,
  OpinionResult,
  OpinionTask,
  OpinionThreadData,
  SubgraphAnswer,
} from './opinion-messages.ts'
import type { SecondOpinion, SecondOpinionOptions } from './second-opinion.ts'
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
  const questions = new Questions(execute)
  const host = new WorkerHost<OpinionTask, OpinionResult>({
    module: new URL('./opinion-worker.ts', import.meta.url),
    name: 'second opinion',
    data,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    onThreadGone: () => questions.close(),
  })
  const stitching = resultOf(await host.run({ kind: 'stitch' }, { timeMs: TIME_LIMIT_MS }))
  if (stitching.kind === 'none') {
    await host[Symbol.asyncDispose]()
    throw new SecondOpinionError(stitching.code, stitching.detail)
  }
  return {
    async execute(request) {
      const subgraphs = questions.portForThread()
      const task: OpinionTask = { kind: 'execute', request, ...(subgraphs && { subgraphs }) }
      const transfer = subgraphs === null ? [] : [subgraphs]
      const result = resultOf(await host.run(task, { timeMs: TIME_LIMIT_MS, transfer }))
      if (result.kind === 'opinion') return result.opinion
      if (result.kind === 'none') throw new SecondOpinionError(result.code, result.detail)
      throw new RangeError('an operation was answered like the question for a stitched schema')
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

/**
 * The questions of a thread to subgraphs, for as long as the thread lives. The stitching library goes on
 * asking for an operation after it has answered it, and waits for these answers while it executes the next
 * one.
 */
class Questions {
  readonly #execute: SecondOpinionOptions['execute']
  #port: MessagePort | null = null

  constructor(execute: SecondOpinionOptions['execute']) {
    this.#execute = execute
  }

  /** Returns the port that goes with the first operation of a thread. Null if the thread has it already. */
  portForThread(): MessagePort | null {
    if (this.#port !== null) return null
    const { port1: questions, port2 } = new MessageChannel()
    this.#port = questions
    questions.on('message', (asked: AskedSubgraph) => void answer(questions, asked, this.#execute))
    // A thread that executes something keeps the process alive.
    questions.unref()
    return port2
  }

  close(): void {
    this.#port?.close()
    this.#port = null
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
    say({ kind: 'failure', id, message: messageOf(error) })
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
      throw new SecondOpinionError('OPINION_CRASHED', messageOf(error), error)
    }
    case 'cancelled':
    case 'disposed':
      throw new SecondOpinionError('OPINION_CRASHED', 'its thread was ended')
    default:
      return end satisfies never
  }
}
