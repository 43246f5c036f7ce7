/** A thread that never begins its task. */
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', () => {})
