/** What a thread does that composes: one task at a time, one answer per task, each with the CPU that it took. */
import { parentPort } from 'node:worker_threads'
import type { ComposeOutcome, ComposeTask } from '../compose-task.ts'
import type { SentTask, ThreadReply } from './thread-messages.ts'

export function serveTasks(run: (task: ComposeTask) => ComposeOutcome | Promise<ComposeOutcome>): void {
  const port = parentPort
  if (port === null) throw new Error('tasks are served by a worker thread only')
  const reply = (message: ThreadReply, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer)
  const answer = async (sent: SentTask): Promise<void> => {
    reply({ kind: 'began', cpuMs: cpuMs() })
    const outcome = await run(readTask(sent))
    reply({ kind: 'ended', cpuMs: cpuMs(), outcome }, buffersOf(outcome))
  }
  port.on('message', (sent: SentTask) => void answer(sent))
}

function readTask({ subgraphs, ...task }: SentTask): ComposeTask {
  const decoder = new TextDecoder()
  return {
    ...task,
    // A decoder takes no shared memory, in which somebody might write meanwhile.
    subgraphs: subgraphs.map(({ sdl, ...rest }) => ({ ...rest, sdl: decoder.decode(sdl.slice()) })),
  }
}

function buffersOf(outcome: ComposeOutcome): ArrayBuffer[] {
  if (outcome.kind === 'composed') return [outcome.artifact.buffer]
  return outcome.allErrors === null ? [] : [outcome.allErrors.buffer]
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
