/** A thread that says something, and then by shared memory that it has been said. */
import { parentPort, workerData } from 'node:worker_threads'

const said: Int32Array<SharedArrayBuffer> = workerData
parentPort?.postMessage('hello', [])
Atomics.store(said, 0, 1)
Atomics.notify(said, 0)
setInterval(() => {}, 1000)
