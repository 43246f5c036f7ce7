/** Has the name of a module whose threads are kept. Answers each task but the one that says otherwise. */
import { parentPort, threadId } from 'node:worker_threads'

parentPort?.on('message', ({ task }: { readonly task: string }) => {
  if (task !== 'never answer') parentPort?.postMessage({ kind: 'done', result: threadId }, [])
})
