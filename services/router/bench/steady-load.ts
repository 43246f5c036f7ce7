/** Requests that keep a router as busy as one asks for. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RouterProcess } from '../test/support/router-process.ts'

const QUERY = 'query($upc: ID!) { product(upc: $upc) { name } topProducts { name price reviews { body } } }'
/** How often requests are sent: as many as are due. */
const PACE_MS = 4
const CONNECTIONS = 50
/** Requests in progress, beyond which those that are due are left out: the machine is too busy. */
const MAX_OPEN = 500
/** Rounds in which the rate is found out, of a second each. The first ones are slow: code is compiled. */
const SETTLES_AFTER = 8

/** Sends requests at a steady rate, however late answers are. */
export class SteadyLoad implements AsyncDisposable {
  readonly #router: RouterProcess
  readonly #share: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  readonly #pacing = new AbortController()
  #perSecond = 300
  #running: Promise<void> | null = null
  #sent = 0
  #leftOut = 0
  #answered = 0
  #failed = 0

  /**
   * Makes a load. `share` is the share of one CPU that the router is to use; 0 means that nothing is sent.
   */
  constructor(router: RouterProcess, share: number) {
    this.#router = router
    this.#share = share
  }

  get summary(): string {
    const counts = `${this.#answered} answered, ${this.#failed} failed, ${this.#leftOut} not sent`
    return `${this.#perSecond.toFixed(0)} requests a second, ${counts}`
  }

  /** Begins, and finds out by how many requests a second the router is as busy. */
  async settle(): Promise<void> {
    if (this.#share === 0) {
      this.#perSecond = 0
      return
    }
    this.#running = this.#send()
    for (let round = 0; round < SETTLES_AFTER; round++) {
      const [answered, { cpu: before }] = [this.#answered, await this.#router.look()]
      await sleep(1000)
      const { cpu } = await this.#router.look()
      const microseconds = (cpu - before) / (this.#answered - answered)
      if (Number.isFinite(microseconds)) this.#perSecond = (this.#share * 1e6) / microseconds
    }
  }

  async stop(): Promise<void> {
    this.#pacing.abort()
    await this.#running
  }

  async #send(): Promise<void> {
    let [due, last] = [0, performance.now()]
    while (!this.#pacing.signal.aborted) {
      await sleep(PACE_MS)
      const now = performance.now()
      due += (this.#perSecond * (now - last)) / 1000
      last = now
      for (; due >= 1; due--) {
        if (this.#sent - this.#answered - this.#failed < MAX_OPEN) this.#ask()
        else this.#leftOut++
      }
    }
  }

  #ask(): void {
    // No two are alike: equal requests would be executed once.
    const body = JSON.stringify({ query: QUERY, variables: { upc: String(this.#sent++) } })
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const outgoing = request(this.#router.graphqlUrl, { agent: this.#agent, method: 'POST', headers })
    const failed = () => this.#failed++
    outgoing.on('error', failed)
    outgoing.on('response', (response) => {
      response.on('end', () => (response.statusCode === 200 ? this.#answered++ : failed()))
      response.resume()
    })
    outgoing.end(body)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.#agent.destroy()
  }
}
