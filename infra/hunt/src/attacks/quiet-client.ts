/** Somebody who asks little, and should not notice that others are attacked. */
import { Agent, request as send } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Experience = {
  readonly requests: number
  /** A description of each request that failed. */
  readonly failures: readonly string[]
  /** Milliseconds from when a request was due to the end of its answer, ascending. */
  readonly times: readonly number[]
}

const QUERY = '{"query":"{ me { id } }"}'
const EXPECTED = '{"data":{"me":{"id":"1"}}}'

/** Sends a request every `every` milliseconds until the signal aborts, even if the last one has no answer. */
export async function askQuietly(
  { port, address, every }: { readonly port: number; readonly address: string; readonly every: number },
  signal: AbortSignal,
): Promise<Experience> {
  const agent = new Agent({ keepAlive: true, localAddress: address })
  const failures: string[] = []
  const times: number[] = []
  const asked: Promise<void>[] = []
  const began = performance.now()
  const ask = async (due: number): Promise<void> => {
    const failure = await failureOf(port, agent)
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
  agent.destroy()
  return { requests: asked.length, failures, times: times.sort((a, b) => a - b) }
}

/** Null if the answer was right. */
function failureOf(port: number, agent: Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const outgoing = send(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: '/graphql',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': QUERY.length },
      },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (part: string) => (text += part))
        incoming.on('error', (error) => resolve(error.message))
        incoming.on('end', () => {
          const isRight = incoming.statusCode === 200 && text === EXPECTED
          resolve(isRight ? null : `${incoming.statusCode} ${text.slice(0, 200)}`)
        })
      },
    )
    outgoing.on('error', (error) => resolve(error.message))
    outgoing.end(QUERY)
  })
}
