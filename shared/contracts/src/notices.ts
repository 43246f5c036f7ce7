/** Messages of the announcer: at most once, every one of them may be lost. */
import { MAX_FIGURES_BYTES, RouterFigures } from '@switchyard/guards/schemas'
import { z } from 'zod'
import { ProcessLoad } from './studio-api.ts'
import { Namespace, ResourceName, Sequence, Sha256, TraceParent } from './names.ts'
import { routerDifferencesSubject, routerFiguresSubject, routerStatusSubject } from './subjects.ts'

/** `config.<ns>.<graph>`: a manifest of this version is in the config store. */
export const ConfigNotice = z.object({
  epoch: z.int(),
  revision: z.int(),
  traceparent: TraceParent.optional(),
})
export type ConfigNotice = z.infer<typeof ConfigNotice>

export const HEARTBEAT_INTERVAL_MS = 5000
/** Alive = heard within this time by the receiver's monotonic clock. */
export const ALIVE_WITHIN_MS = 15_000

/** Names in `flagsInUse` of a heartbeat, and UTF-16 units that they have together, at most. */
export const MOST_FLAGS_IN_USE = 200
export const MOST_FLAGS_IN_USE_TEXT = 16 * 1024

/** `router.status.<ns>.<graph>.<instance>`: at every swap, at every rejection, and every 5 s. */
export const RouterHeartbeat = z.object({
  instance: z.string().min(1).max(200),
  /** Changes with every start of the process. */
  boot: z.string(),
  namespace: Namespace,
  graph: ResourceName,
  /** The epoch of the served configuration. It and the revision are 0 while nothing is served. */
  epoch: z.int().min(0),
  revision: z.int().min(0),
  registrySequence: Sequence,
  /**
   * sha256 of the served manifest's text. Absent while nothing is served that was published, and from routers
   * that are older than this member.
   */
  manifest: Sha256.optional(),
  /** Flags of the manifest that are served, sorted. */
  flags: z.array(z.string()),
  /**
   * Names of the manifest's parts that are left out, since their artifacts are damaged or missing in the
   * config store. Absent if nothing is left out, or if the router is older than this member.
   */
  leftOut: z.object({ flags: z.array(z.string()), documents: z.array(z.string()) }).optional(),
  /**
   * Flags that clients asked for in the last 15 minutes, the most recent one first: a router that starts
   * compiles them before it is ready. Absent if the router does not report them.
   */
  flagsInUse: z.array(z.string()).max(MOST_FLAGS_IN_USE).optional(),
  /** When the served manifest was created, RFC 3339; null while nothing is served. */
  configCreatedAt: z.string().nullable(),
  /** The version of Switchyard that the router runs. Absent if the router is older than this member. */
  version: z.string().max(64).optional(),
  /** The forms of artifacts that the router reads. Absent if it reads the first only. */
  formats: z.array(z.int()).max(10).optional(),
  /** Absent if the router is older than this member. */
  load: ProcessLoad.optional(),
  state: z.enum(['starting', 'serving', 'draining', 'graph-deleted', 'stopped']),
  rejected: z.object({ epoch: z.int(), revision: z.int(), code: z.string(), message: z.string() }).optional(),
})
export type RouterHeartbeat = z.infer<typeof RouterHeartbeat>

/** Names of flags and other texts of one heartbeat, in UTF-16 units: a receiver keeps it for a minute. */
const MAX_HEARTBEAT_TEXT = 64 * 1024

/**
 * The heartbeat that came on a subject; null when it is none, is too large to be kept, or speaks for another
 * router than its subject names. Who may publish to which subject is a matter of permissions, which would
 * mean nothing otherwise.
 */
export function routerHeartbeatFrom(subject: string, message: unknown): RouterHeartbeat | null {
  const parsed = RouterHeartbeat.safeParse(message)
  if (!parsed.success) return null
  const {
    namespace,
    graph,
    instance,
    boot,
    flags,
    leftOut,
    flagsInUse = [],
    configCreatedAt,
    rejected,
  } = parsed.data
  if (routerStatusSubject({ namespace, graph }, instance) !== subject) return null
  const texts = [boot, configCreatedAt ?? '', rejected?.code ?? '', rejected?.message ?? '', ...flags]
  texts.push(...(leftOut?.flags ?? []), ...(leftOut?.documents ?? []))
  const isTooLarge = lengthOf(texts) > MAX_HEARTBEAT_TEXT || lengthOf(flagsInUse) > MOST_FLAGS_IN_USE_TEXT
  return isTooLarge ? null : parsed.data
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/**
 * The figures that came on a subject; null when they are none, are too large, or speak for another router
 * than the subject names.
 */
export function routerFiguresFrom(subject: string, message: unknown): RouterFigures | null {
  const parsed = RouterFigures.safeParse(message)
  if (!parsed.success || Buffer.byteLength(JSON.stringify(message)) > MAX_FIGURES_BYTES) return null
  return routerFiguresSubject(parsed.data, parsed.data.instance) === subject ? parsed.data : null
}

/** The facts that tell one manifest from all others. */
export type ManifestIdentity = {
  /** The hash of the manifest's text, in hexadecimal digits. */
  readonly sha256: string
  readonly epoch: number
  readonly revision: number
  readonly createdAt: string
}

/**
 * Whether the router that sent the heartbeat serves this manifest. Its hash says so and nothing else does,
 * since epoch and revision are given a second time once an event log was restored to an earlier state. The
 * heartbeat of a router of before names no hash: epoch, revision and the moment of creation have to be the
 * same then, all three.
 */
export function isManifestOf(
  { sha256, epoch, revision, createdAt }: ManifestIdentity,
  heartbeat: RouterHeartbeat,
): boolean {
  if (heartbeat.manifest !== undefined) return heartbeat.manifest === sha256
  return (
    heartbeat.epoch === epoch && heartbeat.revision === revision && heartbeat.configCreatedAt === createdAt
  )
}

const NUMBER_DIGITS = 12

/**
 * A manifest as metrics tell it, of its SHA-256: the first 48 bits, which a number of a metric holds exactly.
 * Two that differ are two manifests; which one is newer it does not say.
 */
export function manifestNumber(sha256: string): number {
  return Number.parseInt(sha256.slice(0, NUMBER_DIGITS), 16)
}

/** Graphs of one heartbeat; a composer that composes more than that tells of the first. */
export const MOST_COMPOSING = 100

/** The message on `composer.status.<instance>`, which tells who shares the work. */
export const ComposerHeartbeat = z.object({
  instance: z.string().min(1).max(200),
  stopping: z.boolean(),
  /**
   * Graphs that are being composed at this moment, `<namespace>/<graph>`. The heartbeat is sent every second
   * while there are any.
   */
  composing: z.array(z.string().max(201)).max(MOST_COMPOSING).default([]),
  /** Absent if the composer is older than these members. */
  version: z.string().max(64).optional(),
  load: ProcessLoad.optional(),
})
export type ComposerHeartbeat = z.infer<typeof ComposerHeartbeat>

/** How often routers tell their results, in milliseconds. They tell nothing while none has changed. */
export const DIFFERENCES_INTERVAL_MS = 2000
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

/** Members of results, which those of all routers have as well. */
export const DIFFERENCE_RESULTS = {
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
        ...DIFFERENCE_RESULTS,
      }),
    )
    .max(50),
})
export type RouterDifferences = z.infer<typeof RouterDifferences>
/** Results of one rollout by one process of a router. */
export type RolloutResults = RouterDifferences['rollouts'][number]

/** Whether a path of an answer is this one, or leads to what is below it. The empty path is above all. */
export function isAtOrBelow(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}.`)
}

/** Returns the results that came on a subject; null if they speak for another router than it names. */
export function routerDifferencesFrom(subject: string, message: unknown): RouterDifferences | null {
  const parsed = RouterDifferences.safeParse(message)
  if (!parsed.success) return null
  const { instance } = parsed.data
  if (routerDifferencesSubject(parsed.data, instance) !== subject) return null
  return JSON.stringify(parsed.data).length > 2 * MAX_DIFFERENCES_LENGTH ? null : parsed.data
}
