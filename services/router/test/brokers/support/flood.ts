import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type Flood = {
  readonly port: number
  readonly subject: string
  readonly payload: string
  readonly count: number
}

/** Publishes a message many times. Resolves when NATS has taken all of them. */
export async function flood(workerData: Flood): Promise<void> {
  const thread = new Worker(new URL('flooding-thread.ts', import.meta.url), { workerData })
  const [code] = await once(thread, 'exit')
  if (code !== 0) throw new Error(`The flood ended with ${code}.`)
}
