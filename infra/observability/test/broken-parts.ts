/** Ways to break what the platform stands on that no client of it offers. */
import { once } from 'node:events'
import { connect } from 'node:net'

/** Publishes without JetStream's leave, as anybody can who may write to the subject. */
export async function publishToNats(
  { port }: { readonly port: number },
  subject: string,
  message: object,
): Promise<void> {
  const payload = JSON.stringify(message)
  const socket = connect(port, '127.0.0.1')
  const answer: Buffer[] = []
  socket.on('data', (chunk) => answer.push(chunk))
  await once(socket, 'connect')
  socket.write(
    `CONNECT {"verbose":false}\r\nPUB ${subject} ${Buffer.byteLength(payload)}\r\n${payload}\r\nPING\r\n`,
  )
  while (!Buffer.concat(answer).includes('PONG')) await once(socket, 'data')
  socket.destroy()
}

/**
 * A module that a program loads first: as soon as `trigger` exists, its heap leaks until nearly all that it
 * may take is in use.
 */
export function leakWhen(trigger: string): string {
  return `
import { existsSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
const kept = []
const leak = () => {
  if (!existsSync(${JSON.stringify(trigger)})) return
  for (;;) {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    if (used > limit * 0.9) return
    kept.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  }
}
if (isMainThread) setInterval(leak, 500).unref()
`
}
