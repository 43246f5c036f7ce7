/** A program that runs one task, and leaves the thread to itself. */
import { WorkerHost } from '../src/index.ts'

const host = new WorkerHost<string, string>({
  module: new URL('./told-thread.ts', import.meta.url),
  name: 'told',
})
const end = await host.run('sleep', { timeMs: 60_000 })
process.stdout.write(`${end.kind === 'done' ? end.result : end.kind}\n`)
