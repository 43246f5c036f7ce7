/** Runs in a thread of a WorkerHost: takes one task after the other and answers each. */
import { parentPort, type Transferable } from 'node:worker_threads'
import type { MessageFromThread, MessageToThread } from './messages.ts'

export type TaskServer<Task, Result, Notice = never> = {
  /** Prepares a task before it begins; its time limit does not count this. */
  readonly prepare?: (task: Task) => void
  /** A throw or a rejection ends the thread: a failure that is expected has to be a result. */
  readonly run: (task: Task) => Result | Promise<Result>
  /** Buffers that are moved with the result instead of copied. */
  readonly transfer?: (result: Result) => readonly Transferable[]
  readonly hear?: (notice: Notice) => void
}

/** Serves the tasks of the host. The module of the thread calls this once. */
export function serveTasks<Task, Result, Notice = never>(server: TaskServer<Task, Result, Notice>): void {
  const port = parentPort
  if (port === null) throw new Error('tasks are served by a worker thread only')
  const { prepare, run, transfer, hear } = server
  const say = (message: MessageFromThread<Result>, moved: readonly Transferable[] = []): void =>
    port.postMessage(message, moved)
  const answer = async (task: Task): Promise<void> => {
    prepare?.(task)
    say({ kind: 'began', cpuMs: cpuMs() })
    const result = await run(task)
    say({ kind: 'done', cpuMs: cpuMs(), result }, transfer?.(result))
  }
  port.on('message', (message: MessageToThread<Task, Notice>) => {
    if (message.kind === 'notice') hear?.(message.notice)
    else void answer(message.task)
  })
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
