/**
 * Usage: what routers count of the requests that they answer, minute by minute, and what the registry
 * answers from it.
 */
import { z } from 'zod'
import { Namespace, ResourceName, Sha256 } from './names.ts'
import { routerUsageSubject } from './subjects.ts'

/** Most bytes of the JSON of one minute's message of a router. */
export const MAX_USAGE_BYTES = 64 * 1024
/** Buckets of latency. Bucket `b` begins at 0.1 ms × 2^(b/4); the first one has everything below, too. */
export const USAGE_BUCKETS = 84
/** How long usage is kept unless a setting says otherwise, and the longest that a setting may say. */
export const USAGE_DAYS = { default: 30, most: 90 } as const

const MAX_NAME = 200
/** Characters of a document that is kept; a longer one is told by its hash alone. */
export const MAX_USED_DOCUMENT = 4096
const MAX_COORDINATE = 500
const Count = z.int().min(0)
const Name = z.string().max(MAX_NAME)
/** Unix time in whole minutes. */
const Minute = z.int().min(0)

/** Returns the bucket of a latency in milliseconds. */
export function usageBucket(ms: number): number {
  const bucket = Math.floor(4 * Math.log2(ms / 0.1))
  return Math.min(USAGE_BUCKETS - 1, Math.max(0, Number.isNaN(bucket) ? 0 : bucket))
}

/** Returns the beginning of a bucket, in milliseconds. */
export function usageBucketMs(bucket: number): number {
  return 0.1 * 2 ** (bucket / 4)
}

/** Counts by bucket, only those that are not 0: pairs of a bucket and its count, by bucket. */
export const LatencyCounts = z
  .array(
    z.tuple([
      z
        .int()
        .min(0)
        .max(USAGE_BUCKETS - 1),
      z.int().min(1),
    ]),
  )
  .max(USAGE_BUCKETS)
export type LatencyCounts = z.infer<typeof LatencyCounts>

const Kind = z.enum(['query', 'mutation', 'subscription'])

/** Requests of one minute. Errors are answers with at least one GraphQL error, and failed requests. */
const COUNTS = { requests: Count, errors: Count, latency: LatencyCounts }

/** The coordinates that an operation uses in a composition: `Type.field`, `Type.field(argument:)`. */
const Coordinates = z.array(z.string().max(MAX_COORDINATE)).max(20_000)

/**
 * `router.usage.<ns>.<graph>.<instance>`: one minute of one router process. A router that counts sends one
 * for every minute, also without any request, since that is evidence, too.
 */
export const RouterUsage = z.object({
  instance: z.string().min(1).max(MAX_NAME),
  /** Changes with every start of the process. */
  boot: z.string().min(1).max(MAX_NAME),
  namespace: Namespace,
  graph: ResourceName,
  /** The minute that is over. */
  minute: Minute,
  /** The minute in which this process began to count. Messages are due from it on, without gaps. */
  since: Minute,
  /** Compositions that answered: `flag` is null for base; previews are told by their names. */
  compositions: z
    .array(z.object({ artifact: Sha256, flag: Name.nullable(), isPreview: z.literal(true).optional() }))
    .max(2000),
  /** Clients by the names and versions that they gave; null if they gave none. */
  clients: z.array(z.object({ name: Name.nullable(), version: Name.nullable() })).max(5000),
  /**
   * Operations that were executed without errors of validation: the hash of the document with its literals
   * taken out, and the name of the operation, null without a name.
   */
  operations: z.array(z.object({ hash: Sha256, name: Name.nullable(), kind: Kind })).max(5000),
  /** Counts; the first three members are places in the lists above. */
  rows: z.array(z.object({ composition: Count, client: Count, operation: Count, ...COUNTS })).max(5000),
  /**
   * Requests of operations for which there was no room, one entry for each composition, with all coordinates
   * that they use; null if these are too many. Requests that were refused before they were executed count
   * here, too, and use nothing.
   */
  rest: z.array(z.object({ composition: Count, ...COUNTS, coordinates: Coordinates.nullable() })).max(2000),
  /** Said once for each operation and composition by a process, and again after six hours of use. */
  documents: z
    .array(
      z.object({
        hash: Sha256,
        artifact: Sha256,
        /** The document, printed, with `0`, `""`, `[]` and `{}` for literals. Null if it is too long. */
        text: z.string().max(MAX_USED_DOCUMENT).nullable(),
        /** Null if they are too many: such an operation may use everything. */
        coordinates: Coordinates.nullable(),
      }),
    )
    .max(5000),
  /**
   * Input fields (`Input.field`) and enum values (`Enum.VALUE`) that variables held, by operation and
   * composition; told once an hour each.
   */
  values: z.array(z.object({ hash: Sha256, artifact: Sha256, coordinates: Coordinates })).max(5000),
  /** Operations whose documents or values are not told yet. */
  untold: Count,
})
export type RouterUsage = z.infer<typeof RouterUsage>

/** Returns the usage that came on a subject; null if it speaks for another router than the subject names. */
export function routerUsageFrom(subject: string, message: unknown): RouterUsage | null {
  const parsed = RouterUsage.safeParse(message)
  if (!parsed.success || Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_USAGE_BYTES) return null
  return routerUsageSubject(parsed.data, parsed.data.instance) === subject ? parsed.data : null
}

const Milliseconds = z.number().nullable()
/** Quantiles of latency: the beginning of a bucket that is 19 % wide. Null without requests. */
export const UsageLatency = z.object({ p50: Milliseconds, p90: Milliseconds, p99: Milliseconds })

const TOTALS = { requests: Count, errors: Count, latencyMs: UsageLatency }

/** How much of the time is known. */
export const UsageCoverage = z.object({
  /** Minutes of routers that were told, and minutes that routers were alive, added up over all of them. */
  reportedMinutes: Count,
  aliveMinutes: Count,
  /** The first divided by the second; null if no router was alive. */
  share: z.number().min(0).max(1).nullable(),
  /** Minutes of the window in which no registry listened, so that nobody knows which routers were alive. */
  unheardMinutes: Count,
  /** Whether that something is unused may be said from it. */
  isEvidence: z.boolean(),
  /** A sentence that says why not; null if it is evidence. */
  reason: z.string().nullable(),
})
export type UsageCoverage = z.infer<typeof UsageCoverage>

export const USAGE_GROUPS = ['operation', 'client', 'flag', 'coordinate', 'hour'] as const

/** One row of an answer: the members of the group that was asked for are there, the others are absent. */
export const UsageGroup = z.object({
  operation: z.object({ hash: Sha256, name: z.string().nullable(), kind: Kind }).optional(),
  client: z.object({ name: z.string().nullable(), version: z.string().nullable() }).optional(),
  /** Null is base. */
  flag: z.string().nullable().optional(),
  coordinate: z.string().optional(),
  /** The beginning of the hour, Unix milliseconds. */
  hour: z.number().optional(),
  ...TOTALS,
  /** The last minute with a request, Unix milliseconds. */
  lastSeen: z.number(),
})
export type UsageGroup = z.infer<typeof UsageGroup>

/** `GET /v1/usage/{ns}/{graph}`. Times are Unix milliseconds. */
export const UsageReport = z.object({
  namespace: z.string(),
  graph: z.string(),
  from: z.number(),
  to: z.number(),
  retentionDays: z.int(),
  coverage: UsageCoverage,
  totals: z.object(TOTALS),
  /** Those with most requests first; hours in their order. */
  groups: z.array(UsageGroup),
  /** Groups that are not listed. */
  leftOut: Count,
  /** Requests that belong to operations which routers had no room to tell apart. */
  restRequests: Count,
  /**
   * Coordinates that were asked about and that the served schema does not have: they are misspelt, or gone.
   * Absent if none was asked about, and from registries that are older than this member.
   */
  unknownCoordinates: z.array(z.string()).optional(),
})
export type UsageReport = z.infer<typeof UsageReport>

/** `GET /v1/usage/{ns}/{graph}/operations/{hash}`. */
export const UsedOperation = z.object({
  hash: Sha256,
  name: z.string().nullable(),
  kind: Kind,
  /** Null if it was too long to be told. */
  document: z.string().nullable(),
  /** The coordinates in all compositions together; null if those of one are not known. */
  coordinates: z.array(z.string()).nullable(),
  coverage: UsageCoverage,
  totals: z.object(TOTALS),
  clients: z.array(UsageGroup),
  flags: z.array(UsageGroup),
  hours: z.array(UsageGroup),
})
export type UsedOperation = z.infer<typeof UsedOperation>

/** `GET /v1/usage/{ns}/{graph}/unused`: coordinates of the served base that nobody asked for. */
export const UnusedCoordinates = z.object({
  coverage: UsageCoverage,
  /**
   * The first 20,000 at most, sorted. Null if the coverage is no evidence, or an untold operation might use
   * any of them.
   */
  unused: z.array(z.string()).nullable(),
  /** A sentence that says why there is no list; null if there is one. */
  reason: z.string().nullable(),
  /** Their number, also of those that are not listed. */
  total: Count,
})
export type UnusedCoordinates = z.infer<typeof UnusedCoordinates>

/** One composition in one minute of the figures of a graph. */
const MinuteFigures = z.object({
  /** Null is base. */
  flag: z.string().nullable(),
  ...TOTALS,
})

/** `GET /v1/figures/{ns}/{graph}?minutes=`: the last minutes of a graph, oldest first. */
export const GraphFigures = z.object({
  minutes: z.array(
    z.object({
      /** The beginning of the minute, Unix milliseconds. */
      time: z.number(),
      /** Router processes that told this minute. */
      routers: Count,
      compositions: z.array(MinuteFigures),
    }),
  ),
})
export type GraphFigures = z.infer<typeof GraphFigures>
