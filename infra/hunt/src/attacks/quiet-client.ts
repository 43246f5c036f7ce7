/** Somebody who asks little, and should not notice that others are attacked. */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '@switchyard/values'
import { type Client, openClient } from '../measuring/client.ts'

export type Experience = {
  readonly requests: number
  /** A description of each request that failed. */
  readonly failures: readonly string[]
  /** Milliseconds from when a request was due to the end of its answer, ascending. */
  readonly times: readonly number[]
}

const QUERY = Buffer.from('{"query":"{ me { id } }"}')
const EXPECTED = '{"data":{"me":{"id":"1"}}}'

/** Sends a request every `every` milliseconds until the signal aborts, even if the last one has no answer. */
export async function askQuietly(
  { port, address, every }: { readonly port: number; readonly address: string; readonly every: number },
  signal: AbortSignal,
): Promise<Experience> {
  using client = openClient(port, address)
  const failures: string[] = []
  const times: number[] = []
  const asked: Promise<void>[] = []
  const began = performance.now()
  const ask = async (due: number): Promise<void> => {
    const failure = await failureOf(client)
    times.push(performance.now() - due)
    if (failure !== null) failures.push(failure)
  }
  for (let number = 0; !signal.aborted; number++) {
    const due = began + number * every
    // Not by the signal: a request that was due is asked.
    const wait = due - performance.now()
    if (wait > 0) await delay(wait)
    asked.push(ask(Math.max(due, performance.now())))
  }
  await Promise.all(asked)
  return { requests: asked.length, failures, times: times.sort((a, b) => a - b) }
}

/** Null if the answer was right. */
async function failureOf(client: Client): Promise<string | null> {
  try {
    const { status, body } = await client.post(QUERY)
    const text = body.toString('utf8')
    return status === 200 && text === EXPECTED ? null : `${status} ${text.slice(0, 200)}`
  } catch (error) {
    return messageOf(error)
  }
}
