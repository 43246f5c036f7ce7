/** What a subscription of a client has received. */
import { until } from '../../support/router.ts'
import type { RouterPair } from '../support/router-pair.ts'

/** The observer that the clients of graphql-ws and graphql-sse call. */
export class Heard {
  readonly results: unknown[] = []
  /** Null while the subscription goes on; otherwise `complete` or the error. */
  end: unknown = null

  next(result: unknown): void {
    this.results.push(result)
  }

  error(error: unknown): void {
    this.end = error
  }

  complete(): void {
    this.end ??= 'complete'
  }

  /** Waits for so many results. */
  async has(count: number): Promise<void> {
    const so = () => `${count} results; so far: ${JSON.stringify(this.results)}, end: ${String(this.end)}`
    await until(() => this.results.length >= count || this.end !== null, so())
    if (this.results.length < count) throw new Error(`Expected ${so()}`)
  }

  async isOver(): Promise<void> {
    await until(() => this.end !== null, 'the end of a subscription')
  }
}

export const CHANGED = 'subscription Changed { changed { upc price } }'
export const changed = (upc: string) => ({ changed: { upc } })
export const priced = (upc: string) => ({ changed: { upc, price: Number(upc) * 10 } })

/** Sends an event through the first router, stops it, and sends another one once the client is back. */
export async function stopBetweenEvents(pair: RouterPair, heard: Heard): Promise<void> {
  await pair.world.subscribed(1)
  pair.world.events.send(changed('1'))
  await heard.has(1)
  await pair.stopFirst()
  await until(() => pair.ledToSecond() > 0 || heard.end !== null, 'a connection to the second router')
  if (heard.end !== null) throw new Error(`The subscription ended: ${JSON.stringify(heard.end)}`)
  await pair.world.subscribed(1)
  pair.world.events.send(changed('2'))
  await heard.has(2)
}
