import { parentPort } from 'node:worker_threads'

/** Sends a message to the thread that started this one. */
export function tell(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}
