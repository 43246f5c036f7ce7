import type { RouterConfig } from '../config/router-config.ts'
import type { RateEvents } from '../concerns/rates/events.ts'
import { type Buckets, MemoryBuckets } from '../concerns/rates/buckets.ts'
import type { RateLimits } from '../concerns/rates/rate-limits.ts'
import { REDIS_TIMEOUT_MS } from '../stores/answer-in-time.ts'
import { KeptPart } from './kept-part.ts'

type BucketSettings = Omit<RouterConfig['rateLimits'], 'rules'>

/**
 * Makes buckets that keep their contents when the rules change. `redisTimeout`: milliseconds for an answer of
 * Redis.
 */
export function keptBuckets(
  events: RateEvents,
  redisTimeout: number = REDIS_TIMEOUT_MS,
): KeptPart<BucketSettings, Buckets> {
  return new KeptPart(async (config, parts) => {
    const own = new MemoryBuckets(config.maxKeys)
    if (config.redis === null) return own
    return await openShared(config.onFailure, config.redis, { own, timeout: redisTimeout, events }, parts)
  })
}

/**
 * Opens the rate limits, and loads their code only if there are any. Null if there are none. Throws
 * InvalidStoreAddressError.
 */
export async function openRateLimits(
  { rateLimits: { rules, ...settings } }: RouterConfig,
  kept: KeptPart<BucketSettings, Buckets>,
  events: RateEvents,
  parts: AsyncDisposableStack,
): Promise<RateLimits | null> {
  if (rules.length === 0) return null
  const { RateLimits } = await import('../concerns/rates/rate-limits.ts')
  return new RateLimits({ rules }, parts.use(await kept.hold(settings)).part, events)
}

async function openShared(
  onFailure: BucketSettings['onFailure'],
  { prefix, settings }: NonNullable<RouterConfig['rateLimits']['redis']>,
  { own, timeout, events }: { readonly own: Buckets; readonly timeout: number; readonly events: RateEvents },
  parts: AsyncDisposableStack,
): Promise<Buckets> {
  const [{ openRedisScripts }, { RedisBuckets }, { FailingBuckets }] = await Promise.all([
    import('@switchyard/config-store'),
    import('../concerns/rates/redis-buckets.ts'),
    import('../concerns/rates/failing-buckets.ts'),
  ])
  const redis = parts.use(await openRedisScripts(settings, 'switchyard-router-rates'))
  const shared = new RedisBuckets(redis, { prefix, timeout })
  const watcher = {
    away: (reason: string) => events.away(reason, onFailure),
    back: () => events.back(),
  }
  return new FailingBuckets({ shared, own, onFailure, watcher })
}
