/** The section `rate_limits`: how often who may ask. */
import { z } from 'zod'
import { type NamingClients, uselessNames } from '../../settings/naming-clients.ts'
import { requiredDuration } from '../../settings/quantities.ts'
import { ClaimPathSetting } from '../../settings/claim-path.ts'
import { HeaderName } from '../../headers/header-values.ts'
import { redisConfigOf, redisSettings } from '../../settings/redis-settings.ts'
import { NO_TOKENS } from '../../settings/rule-messages.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing, type SettingProblem } from '../../settings/setting-problems.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const KEY_RULE = 'expected address, client, {header: name} or {claim: path}'
/** A property of requests by which a rule tells them apart. */
const KeyPart = z.union(
  [
    z.enum(['address', 'client']),
    z.strictObject({ header: HeaderName }),
    z.strictObject({ claim: ClaimPathSetting }),
  ],
  KEY_RULE,
)
export type KeyPart = z.infer<typeof KeyPart>

const Rule = z
  .strictObject({
    name: z.string().regex(/^[0-9A-Za-z][\w.-]{0,62}$/, 'expected letters, digits and _ - . (63 at most)'),
    /** Number of requests, or sum of their costs, in `per`. */
    limit: z.number().positive().max(1_000_000_000),
    per: requiredDuration().refine((per) => per > 0, 'expected at least 1ms'),
    /** Amount that may be spent at once after a pause. The default is `limit`. */
    burst: z.number().positive().max(1_000_000_000).optional(),
    /** The parts of the key. An empty key counts all requests together. */
    key: z.array(KeyPart).max(8).default(['address']),
    /** Treatment of requests that lack a part of the key: they share one limit, or have none. */
    when_absent: z.enum(['share', 'skip']).default('share'),
    charge: z.enum(['requests', 'cost']).default('requests'),
    /** Whether requests are refused. If not, requests over the limit are counted, and answered. */
    enforce: z.boolean().default(true),
  })
  .refine(({ burst, limit, charge }) => charge === 'cost' || (burst ?? limit) >= 1, {
    path: ['burst'],
    error: 'expected at least 1: no request would ever be admitted',
  })

const NO_COSTS = 'costs are not calculated, since costs.mode is off: expected requests, or costs.mode measure'
const NOTHING_TO_COUNT = 'there is nothing to count in it: expected a rule in rate_limits.rules'

export const RateLimitsSection = section({
  rules: setting(z.array(Rule).max(50, 'expected at most 50 rules').default([]), {
    fallback: '`[]`',
    says: '[rate limits](rate-limits.md): `name`, `limit`, `per`, `burst`, `key`, `when_absent`, `charge`, `enforce`',
  }),
  max_keys: setting(z.int().min(1).max(10_000_000).default(100_000), {
    says: 'keys (addresses, users and so on) that one process remembers; if there are more, the least recently used one is forgotten, and its limit starts again',
  }),
  /** The Redis in which routers count together. Without one, each process counts for itself. */
  redis: redisSettings({
    url: 'the Redis in which routers count together, written as [`SWITCHYARD_REDIS_URL`](nats-and-redis.md). Without it each process counts for itself',
    prefix: 'prefix of all keys; routers with the same prefix share their limits',
  }),
  on_failure: setting(z.enum(['allow', 'deny', 'memory']).default('memory'), {
    says: 'what happens to requests while Redis does not answer within 250 ms: `allow`, `deny` (503 `RATE_LIMITS_UNAVAILABLE`), or `memory` (each process counts for itself)',
  }),
})
  .superRefine(({ rules }, context) => {
    const seen = new Set<string>()
    for (const [index, { name }] of rules.entries()) {
      const message = `another rule has the name ${name}: expected a name of its own`
      if (seen.has(name)) context.addIssue({ code: 'custom', path: ['rules', index, 'name'], message })
      seen.add(name)
    }
  })
  .superRefine(
    refusing(({ redis, rules }) =>
      problemIf(redis !== undefined && rules.length === 0, ['redis'], NOTHING_TO_COUNT),
    ),
  )

type RuledSettings = NamingClients & {
  readonly authentication: { readonly jwt: { readonly providers: readonly unknown[] } }
  readonly costs: { readonly mode: string }
  readonly rate_limits: z.infer<typeof RateLimitsSection>
}

/** Returns the problems of rules that go by something which the router does not know. */
export function rateRuleProblems(settings: RuledSettings): readonly SettingProblem[] {
  const { authentication, costs, rate_limits: limits } = settings
  const hasTokens = authentication.jwt.providers.length > 0
  return limits.rules.flatMap(({ charge, key }, index) => {
    const path = ['rate_limits', 'rules', index]
    const isByClaim = key.some((part) => typeof part === 'object' && 'claim' in part)
    return [
      ...problemIf(charge === 'cost' && costs.mode === 'off', [...path, 'charge'], NO_COSTS),
      ...problemIf(isByClaim && !hasTokens, [...path, 'key'], NO_TOKENS),
      ...uselessNames(settings, key.includes('client') ? [[...path, 'key']] : []),
    ]
  })
}

/** Rules for how often a client may ask. Times in milliseconds. */
export type RateLimitsConfig = ReturnType<typeof rateLimitsConfigOf>

/** The settings under the names that code uses. `folder` is the one that paths in them start from. */
export function rateLimitsConfigOf(limits: z.output<typeof RateLimitsSection>, folder: string) {
  return {
    rules: limits.rules.map((rule) => camelCased(rule)),
    maxKeys: limits.max_keys,
    onFailure: limits.on_failure,
    /** Null if each process counts for itself. */
    redis: redisConfigOf(limits.redis, folder),
  } as const
}
