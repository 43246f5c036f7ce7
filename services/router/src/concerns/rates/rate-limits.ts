/**
 * Limits the rate of requests. Each rule has a bucket for each key, from which a request takes one unit, or
 * its cost.
 */
import type { RateLimitsConfig } from './settings.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Buckets, Draw, Waits } from './buckets.ts'
import { NoBucketsError } from './failing-buckets.ts'
import type { RateCount } from '../../request/rate-count.ts'
import type { Asking } from '../../request/asking.ts'
import { type ReadProperty, readerOf } from '../../request/request-property.ts'
import { bucketKey } from './rate-key.ts'

/** Hears of each request that a rule refuses, or would refuse if it were enforced. */
export type RateWatcher = {
  limited(rule: string, isEnforced: boolean): void
}

type ConfiguredRule = RateLimitsConfig['rules'][number]
type Rule = ConfiguredRule & {
  readonly readers: readonly ReadProperty[]
  /** Milliseconds in which one unit runs in. */
  readonly interval: number
  readonly units: number
}

/** Longest wait in seconds that a client is told: whoever waits for longer has forgotten why. */
const LONGEST_WAIT = 86_400

/** The limits of a router. */
export class RateLimits {
  readonly #requests: readonly Rule[]
  readonly #costs: readonly Rule[]
  readonly #buckets: Buckets
  readonly #watcher: RateWatcher

  constructor({ rules }: Pick<RateLimitsConfig, 'rules'>, buckets: Buckets, watcher: RateWatcher) {
    const all = rules.map((rule) => ({
      ...rule,
      readers: rule.key.map(readerOf),
      interval: rule.per / rule.limit,
      units: rule.burst ?? rule.limit,
    }))
    this.#requests = all.filter(({ charge }) => charge === 'requests')
    this.#costs = all.filter(({ charge }) => charge === 'cost')
    this.#buckets = buckets
    this.#watcher = watcher
  }

  /**
   * Counts a request. Returns null if it counts for no rule. Throws, or rejects with, HttpError if the
   * request exceeds a limit.
   */
  admit(asking: Asking): RateCount | null | Promise<RateCount> {
    return this.#take(this.#requests, asking, 1)
  }

  /** Counts the expected cost of a request. Otherwise as `admit`. */
  charge(asking: Asking, cost: number): RateCount | null | Promise<RateCount> {
    return cost > 0 ? this.#take(this.#costs, asking, cost) : null
  }

  #take(rules: readonly Rule[], asking: Asking, amount: number): RateCount | null | Promise<RateCount> {
    const concerned: Rule[] = []
    const draws: Draw[] = []
    for (const rule of rules) {
      const values = rule.readers.map((read) => read(asking))
      if (rule.whenAbsent === 'skip' && values.includes(null)) continue
      const { interval, units: burst, enforce: isEnforced } = rule
      concerned.push(rule)
      draws.push({ key: bucketKey(rule.name, values), interval, burst, amount, isEnforced })
    }
    if (draws.length === 0) return null
    try {
      const waits = this.#buckets.take(draws)
      if (!(waits instanceof Promise)) return this.#judge(concerned, waits)
      return waits.then(
        (late) => this.#judge(concerned, late),
        (error: unknown) => unavailable(error),
      )
    } catch (error) {
      return unavailable(error)
    }
  }

  #judge(rules: readonly Rule[], waits: Waits): RateCount {
    let longest = 0
    let refusing: Rule | null = null
    for (const [index, rule] of rules.entries()) {
      const wait = waits[index] ?? 0
      if (wait === 0) continue
      this.#watcher.limited(rule.name, rule.enforce)
      if (!rule.enforce || wait <= longest) continue
      longest = wait
      refusing = rule
    }
    if (refusing !== null) throw refusal(refusing, longest)
    return { rules, waits }
  }
}

function refusal({ name, limit, per, units, charge }: Rule, wait: number): HttpError {
  const what = charge === 'cost' ? 'Operations cost too much' : 'There are too many requests'
  const allowed = `the limit "${name}" allows ${limit} in ${per / 1000} s`
  if (wait === Number.POSITIVE_INFINITY)
    return new HttpError('RATE_LIMITED', `${what}: ${allowed}, and never more than ${units} at once.`)
  const seconds = Math.min(LONGEST_WAIT, Math.ceil(wait / 1000))
  return new HttpError('RATE_LIMITED', `${what}: ${allowed}. Try again in ${seconds} s.`, {
    'Retry-After': String(seconds),
  })
}

function unavailable(error: unknown): never {
  if (!(error instanceof NoBucketsError)) throw error
  throw new HttpError(
    'RATE_LIMITS_UNAVAILABLE',
    'The limits of requests cannot be looked up at the moment, and nobody is served without them.',
    { 'Retry-After': '1' },
  )
}
