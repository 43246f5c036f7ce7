/** Starts routers whose turns are measured. */
import { MeasuredThread } from './measured-thread.ts'

export type MeasuredRouter = AsyncDisposable & {
  readonly port: number
  readonly thread: MeasuredThread
  /** Returns the errors that the router logged since the last call. */
  takeErrors(): readonly string[]
}

export async function startMeasuredRouter(data: {
  readonly supergraph: string
  readonly settings: string
}): Promise<MeasuredRouter> {
  const { thread, ready } = await MeasuredThread.start(new URL('router-thread.ts', import.meta.url), data)
  const errors: string[] = []
  thread.worker.on('message', ({ error }: { readonly error: string }) => errors.push(error))
  return {
    port: Number(ready),
    thread,
    takeErrors: () => errors.splice(0),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
