/** A server of WebSockets in a thread of its own, which sends as fast as it can. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type Flood = {
  /** The message, or the bytes of a frame. */
  readonly message: string | Uint8Array
  readonly count: number
  /** Bytes before the frames, and after them. */
  readonly around?: readonly [Uint8Array, Uint8Array]
}

/** Starts a server that sends a message many times to whoever subscribes, and then completes. */
export async function startFlood(stack: AsyncDisposableStack, flood: Flood): Promise<string> {
  const thread = new Worker(new URL('flooding-thread.ts', import.meta.url), { workerData: flood })
  stack.defer(async () => void (await thread.terminate()))
  const [port] = await once(thread, 'message')
  return `ws://127.0.0.1:${port}/`
}
