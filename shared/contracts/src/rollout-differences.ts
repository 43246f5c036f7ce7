/**
 * Results of shadows: how the answers of a flag's composition differ from those of base. Routers count them,
 * and tell them to the registry as totals since their start, so that a lost message loses nothing.
 */
import { z } from 'zod'
import { Namespace, ResourceName } from './names.ts'
import { encodeToken } from './encode-token.ts'
import type { GraphName } from './subjects.ts'

/** How often routers tell their results, in milliseconds. They tell nothing while none has changed. */
export const DIFFERENCES_INTERVAL_MS = 5000
/** Characters of JSON of one message. What is rarest is left out of a longer one. */
export const MAX_DIFFERENCES_LENGTH = 32 * 1024
/** How long the registry keeps results of a router that tells none any more, in milliseconds. */
export const DIFFERENCES_KEPT_MS = 24 * 60 * 60_000

const MAX_NAME = 200
const MAX_PATH = 500
const MAX_VALUE = 200
const MAX_ROWS = 1000
const Count = z.number().min(0)

/**
 * The cause of a difference. `null`, `missing` and `no-error`: base had a value, the member, or an error.
 * `not-null`, `extra` and `error` are their opposites. `order`: a list has the same items at other places.
 */
export const DifferenceCause = z.enum([
  'value',
  'type',
  'null',
  'not-null',
  'missing',
  'extra',
  'length',
  'order',
  'error',
  'no-error',
])
export type DifferenceCause = z.infer<typeof DifferenceCause>

/** A value that differed. */
const DifferentSide = z.object({
  /** The name of its object type if the answer tells it, or else its type in JSON; `list` for an array. */
  type: z.string().max(MAX_NAME),
  /**
   * A hash of the value by a key that only this process of the router has: equal for equal values, and of no
   * use to find the value. Null for values that are counted by type alone.
   */
  hash: z.string().max(MAX_NAME).nullable(),
  /** The value as JSON, cut. Only routers with `shadow.keep_values` tell values. */
  value: z.string().max(MAX_VALUE).optional(),
})

/** Differences of one operation at one path, for one cause. */
export const DifferenceRow = z.object({
  /** The name of the operation, or `anonymous:` and the beginning of its document's hash. */
  operation: z.string().max(MAX_NAME),
  /** Names of the answer's members, with `*` for any place of a list; empty for the answer as a whole. */
  path: z.string().max(MAX_PATH),
  cause: DifferenceCause,
  /** The code of the error; null for other causes. */
  code: z.string().max(MAX_NAME).nullable(),
  /** Answers that differ like this. */
  count: Count,
  /** When that was seen first and last, Unix milliseconds. */
  first: z.number(),
  last: z.number(),
  /** The values that were seen last. */
  base: DifferentSide,
  flag: DifferentSide,
})
export type DifferenceRow = z.infer<typeof DifferenceRow>

/** Results of one operation, as counts of samples. */
export const ComparedOperation = z.object({
  operation: z.string().max(MAX_NAME),
  /** Answers that were compared. */
  compared: Count,
  equal: Count,
  /** Equal but for the order of lists that were declared unordered. */
  reordered: Count,
  different: Count,
  /** Compared answers that took clearly longer than those of base. */
  slower: Count,
  /** The flag's composition does not know what the operation asks for. */
  unanswerable: Count,
  /** Samples that could not be compared, by the reason. */
  notComparable: z.record(z.string().max(MAX_NAME), Count),
  /** Milliseconds that base and flag took for all compared answers together. */
  baseMs: Count,
  flagMs: Count,
})
export type ComparedOperation = z.infer<typeof ComparedOperation>

const RESULTS = {
  operations: z.array(ComparedOperation).max(MAX_ROWS),
  differences: z.array(DifferenceRow).max(MAX_ROWS),
  /** Paths at which base differs from itself. Differences there, and below, are not counted. */
  noise: z
    .array(z.object({ operation: z.string().max(MAX_NAME), path: z.string().max(MAX_PATH) }))
    .max(MAX_ROWS),
  /** Samples that were not taken, since the router had other things to do. */
  dropped: Count,
  /** Operations and differences that are not listed, since there are too many. */
  leftOut: Count,
}

/** `router.differences.<ns>.<graph>.<instance>`: results of one process of a router. */
export const RouterDifferences = z.object({
  instance: z.string().min(1).max(MAX_NAME),
  /** Changes with every start of the process. */
  boot: z.string().min(1).max(MAX_NAME),
  namespace: Namespace,
  graph: ResourceName,
  rollouts: z
    .array(
      z.object({
        rollout: ResourceName,
        flag: ResourceName,
        /** The beginning of the counts, Unix milliseconds. */
        since: z.number(),
        ...RESULTS,
      }),
    )
    .max(50),
})
export type RouterDifferences = z.infer<typeof RouterDifferences>
/** Results of one rollout by one process of a router. */
export type RolloutResults = RouterDifferences['rollouts'][number]

/** Results of a rollout by all routers. */
export const RolloutDifferences = z.object({
  namespace: z.string(),
  rollout: z.string(),
  graph: z.string(),
  flag: z.string(),
  /** Processes of routers that told results. */
  routers: z.int().min(0),
  /** The beginning of the counts, Unix milliseconds; null if no router has told anything yet. */
  since: z.number().nullable(),
  ...RESULTS,
})
export type RolloutDifferences = z.infer<typeof RolloutDifferences>

/** Notice: results of the shadows of one router. */
export function routerDifferencesSubject(graph: GraphName, instance: string): string {
  return `router.differences.${encodeToken(graph.namespace)}.${encodeToken(graph.graph)}.${encodeToken(instance)}`
}
export const ALL_ROUTER_DIFFERENCES = 'router.differences.>'

/** Returns the results that came on a subject; null if they speak for another router than it names. */
export function routerDifferencesFrom(subject: string, message: unknown): RouterDifferences | null {
  const parsed = RouterDifferences.safeParse(message)
  if (!parsed.success) return null
  const { instance } = parsed.data
  if (routerDifferencesSubject(parsed.data, instance) !== subject) return null
  return JSON.stringify(parsed.data).length > 2 * MAX_DIFFERENCES_LENGTH ? null : parsed.data
}
