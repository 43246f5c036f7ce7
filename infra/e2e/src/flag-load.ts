/**
 * A constant load that names random flags. Every answer is judged by the state of its flag. While the flag is
 * being toggled, requests may read the base or the flag; before and after, exactly the one that is served.
 */
import type { Random } from '@switchyard/samples'
import { isLongRun } from '@switchyard/testkit'
import { inspect } from 'node:util'
import { BASE, pairOf, type ShopFlag } from './flagged-shop.ts'
import { query } from './shop.ts'

type Named = 'header' | 'cookie' | 'unknown header over cookie' | 'nothing'
const NAMED: readonly Named[] = [
  'header',
  'cookie',
  'header',
  'cookie',
  'unknown header over cookie',
  'nothing',
]
const LOOPS_PER_ROUTER = 3
const PAUSE_MS = isLongRun() ? 5 : 20

export class FlagLoad {
  readonly #flags: readonly ShopFlag[]
  readonly #random: Random
  /** Flags that answer on every router. */
  readonly #served = new Set<string>()
  /** The number of toggles of a flag, by which a request knows whether the flag changed since it began. */
  readonly #changes = new Map<string, number>()
  readonly #loops: readonly Promise<void>[]
  readonly #stop = new AbortController()
  readonly #changing = new Set<string>()
  readonly wrong = new Map<string, number>()
  flagged = 0
  total = 0

  constructor(
    routerUrls: readonly string[],
    flags: readonly ShopFlag[],
    served: Iterable<string>,
    random: Random,
  ) {
    this.#flags = flags
    this.#random = random
    for (const name of served) this.#served.add(name)
    this.#loops = routerUrls.flatMap((url) =>
      Array.from({ length: LOOPS_PER_ROUTER }, (_, loop) => this.#loop(url, loop)),
    )
  }

  /** Accepts the answers with and without the flag from now on. */
  changing(flag: ShopFlag): void {
    this.#changing.add(flag.name)
    this.#changes.set(flag.name, (this.#changes.get(flag.name) ?? 0) + 1)
  }

  /** Every router serves it, or none does. */
  settled(flag: ShopFlag, served: boolean): void {
    if (served) this.#served.add(flag.name)
    else this.#served.delete(flag.name)
    this.#changing.delete(flag.name)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#loops)
  }

  async #loop(url: string, start: number): Promise<void> {
    for (let turn = start; !this.#stop.signal.aborted; turn++) {
      const flag = this.#random.pick(this.#flags)
      const named = NAMED[turn % NAMED.length]
      if (named === undefined) return
      await this.#request(url, flag, named)
      // Leaves time to the system under test, which shares the machine.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  async #request(url: string, flag: ShopFlag, named: Named): Promise<void> {
    const changes = this.#changes.get(flag.name)
    const before = { served: this.#served.has(flag.name), changing: this.#changing.has(flag.name) }
    const names = named === 'header' || named === 'cookie'
    let got: string
    let echoed: string | null = null
    try {
      const answer = await query(url, headersOf(flag, named))
      got = pairOf(answer)
      echoed = answer.headers.get('x-feature-flag')
    } catch (error) {
      got = `no answer: ${inspect(error, { depth: 2 })}`
    }
    this.total++
    if (got !== BASE) this.flagged++
    const steady = !before.changing && changes === this.#changes.get(flag.name)
    const allowed = !names ? [BASE] : steady ? [before.served ? flag.pair : BASE] : [BASE, flag.pair]
    const echo = got === BASE ? null : flag.name
    if (allowed.includes(got) && echoed === echo) return
    const complaint = `${flag.name} named by ${named}: expected ${allowed.join(' or ')}, got ${got}, X-Feature-Flag ${echoed}`
    this.wrong.set(complaint, (this.wrong.get(complaint) ?? 0) + 1)
  }
}

function headersOf(flag: ShopFlag, named: Named): Record<string, string> {
  const cookie = { Cookie: `session=1; feature_flag=${encodeURIComponent(flag.name)}` }
  switch (named) {
    case 'header':
      return { 'X-Feature-Flag': flag.name }
    case 'cookie':
      return cookie
    case 'unknown header over cookie':
      return { 'X-Feature-Flag': `${flag.name}-unknown`, ...cookie }
    case 'nothing':
      return {}
    default:
      return named satisfies never
  }
}
