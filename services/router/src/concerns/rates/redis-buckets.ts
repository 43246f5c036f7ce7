/** Buckets that routers share, in Redis. One script takes from all buckets of a request in one step. */
import { createHash } from 'node:crypto'
import { answerInTime, StoreUnavailableError } from '../../stores/answer-in-time.ts'
import type { ScriptRunner } from '../../stores/script-runner.ts'
import type { Buckets, Draw, Waits } from './buckets.ts'

/**
 * KEYS: buckets. ARGV, for each: microseconds in which a unit runs in, units of the bucket, units to take, 1
 * if it is enforced. Returns microseconds to wait for each, 0 where there is enough. The time is that of
 * Redis, so the clocks of routers do not matter.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local waits, full, refused = {}, {}, false
for index, key in ipairs(KEYS) do
  local interval, burst, amount = tonumber(ARGV[4 * index - 3]), tonumber(ARGV[4 * index - 2]), tonumber(ARGV[4 * index - 1])
  local stored = tonumber(redis.call('GET', key) or '0') or 0
  full[index] = math.max(stored, now) + amount * interval
  local wait = full[index] - now - burst * interval
  if wait > 0.001 then
    waits[index] = math.ceil(wait)
    if ARGV[4 * index] == '1' then refused = true end
  else
    waits[index] = 0
  end
end
if refused then return waits end
for index, key in ipairs(KEYS) do
  if waits[index] == 0 then
    redis.call('SET', key, string.format('%.3f', full[index]), 'PX', math.ceil((full[index] - now) / 1000) + 1)
  end
end
return waits
`

const SCRIPT = { text: TAKE, sha1: createHash('sha1').update(TAKE).digest('hex') }

/** Buckets in Redis. */
export class RedisBuckets implements Buckets {
  readonly #redis: ScriptRunner
  readonly #prefix: string
  readonly #timeout: number

  /** `timeout`: milliseconds for each answer. */
  constructor(
    redis: ScriptRunner,
    { prefix, timeout }: { readonly prefix: string; readonly timeout: number },
  ) {
    this.#redis = redis
    // In braces: a cluster keeps all of them on one node, so that one script may use several.
    this.#prefix = `${prefix}:{rates}:`
    this.#timeout = timeout
  }

  /** Rejects with StoreUnavailableError. */
  async take(draws: readonly Draw[]): Promise<Waits> {
    // Redis would keep them for as long as they take to run full.
    const possible = draws.filter(({ amount, burst }) => amount <= burst)
    const isHopeless = draws.some(({ amount, burst, isEnforced }) => isEnforced && amount > burst)
    const found = isHopeless || possible.length === 0 ? [] : await this.#ask(possible)
    let next = 0
    return draws.map(({ amount, burst }) =>
      amount > burst ? Number.POSITIVE_INFINITY : isHopeless ? 0 : (found[next++] ?? 0),
    )
  }

  async #ask(draws: readonly Draw[]): Promise<Waits> {
    const keys = draws.map(({ key }) => this.#prefix + key)
    const args = draws.flatMap(({ interval, burst, amount, isEnforced }) => [
      String(interval * 1000),
      String(burst),
      String(amount),
      isEnforced ? '1' : '0',
    ])
    const answer = await answerInTime(this.#redis.run(SCRIPT, keys, args), this.#timeout)
    if (!Array.isArray(answer) || answer.length !== draws.length)
      throw new StoreUnavailableError('the answer is not the one of the script')
    return answer.map((wait: unknown) => Number(wait) / 1000)
  }
}
