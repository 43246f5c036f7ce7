export { serveTasks, type TaskServer } from './serve-tasks.ts'
export { type TaskEnd, type TaskLimits, WorkerHost, type WorkerHostOptions } from './worker-host.ts'
export { type CreateWorker, WorkerThread, type ThreadDeath, type ThreadOptions } from './worker-thread.ts'
export type { MessageFromThread, MessageToThread } from './messages.ts'
