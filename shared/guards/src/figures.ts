/**
 * The figures that a router reports of one guarded rollout, as totals since it started (`boot`) and since the
 * step began there. A lost message loses nothing, since the next one has all of it again.
 */
import { z } from 'zod'
import { CLUSTERS } from './clusters.ts'
import { LATENCY_BUCKETS, SLOWNESS_BOUNDS_MS } from './latency-buckets.ts'

/** Most bytes of a message's JSON. No counting leads to a longer one. */
export const MAX_FIGURES_BYTES = 32 * 1024
/** Most operations, and most codes of a group. All others are in the totals only. */
export const MOST_NAMES = 20
/** Most characters of an operation or code that is counted by its name. */
export const MOST_NAME_CHARACTERS = 64
/** Most requests of one group. A router that gets there stops counting both groups of the step. */
export const MOST_REQUESTS = 999_999_999

/** The form of names of operations and codes. Those of other forms are in the totals only. */
export const FIGURES_NAME = /^[\w.:/-]{1,64}$/

const Count = z.int().min(0).max(MOST_REQUESTS)
const Name = z.string().regex(FIGURES_NAME)

/** The figures of one group: the requests inside the percentage, or those outside it. */
export const GroupFigures = z.object({
  requests: Count,
  errors: Count,
  /** The most frequent codes of errors, each with its errors. */
  codes: z.array(z.tuple([Name, Count])).max(MOST_NAMES),
  /** Requests and errors of each cluster of keys (`clusterOf`). */
  clusterRequests: z.array(Count).length(CLUSTERS),
  clusterErrors: z.array(Count).length(CLUSTERS),
  /**
   * Requests of each cluster that took 2, 4, 8 … 2048 ms or longer (`SLOWNESS_BOUNDS_MS`). Zeros at the end
   * are left out.
   */
  clusterSlow: z.array(z.array(Count).max(SLOWNESS_BOUNDS_MS.length)).length(CLUSTERS),
  /** Buckets of latency that have requests, in their order, each with its requests. */
  latency: z
    .array(
      z.tuple([
        z
          .int()
          .min(0)
          .max(LATENCY_BUCKETS - 1),
        Count,
      ]),
    )
    .max(LATENCY_BUCKETS),
})
export type GroupFigures = z.infer<typeof GroupFigures>

const RequestsAndErrors = z.tuple([Count, Count])

/** The requests and errors of one operation, in both groups. */
export const OperationFigures = z.object({
  name: Name,
  inside: RequestsAndErrors,
  control: RequestsAndErrors,
})
export type OperationFigures = z.infer<typeof OperationFigures>

/** The figures of both groups, counted in the same seconds. */
export const Figures = z
  .object({
    inside: GroupFigures,
    control: GroupFigures,
    /** The most frequent operations of both groups together. */
    operations: z.array(OperationFigures).max(MOST_NAMES),
  })
  .superRefine((figures, context) => {
    const message = contradictionIn(figures)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
export type Figures = z.infer<typeof Figures>

/** The two groups that are compared. */
export type Group = 'inside' | 'control'
export const GROUPS: readonly Group[] = ['inside', 'control']

const Text = z.string().min(1).max(100)

/** The message of one router about one guarded rollout. */
export const RouterFigures = z.object({
  instance: z.string().min(1).max(200),
  /** Changes with every start of the process. */
  boot: Text,
  namespace: Text,
  graph: Text,
  rollout: Text,
  /** The sequence of the registry's record that began the step. It tells the step from all others. */
  step: z.int().min(0),
  /** Epoch and revision that the router serves. */
  epoch: z.int().min(0),
  revision: z.int().min(0),
  /** Counts the messages of this boot: a later one about a step replaces all earlier ones about it. */
  beat: z.int().min(1),
  figures: Figures,
  /**
   * The requests inside the percentage of ten seconds whose errors exceeded the emergency stop: the router
   * treats the rollout as 0 % until it serves another revision, and counts nothing meanwhile. Absent if not.
   */
  stopped: z
    .object({ requests: Count, errors: Count, failedClusters: z.int().min(0).max(CLUSTERS) })
    .optional(),
})
export type RouterFigures = z.infer<typeof RouterFigures>

/** Returns a sentence about figures that no counting can lead to; null if they fit together. */
function contradictionIn({ inside, control, operations }: Figures): string | null {
  const names = operations.map(({ name }) => name)
  if (new Set(names).size < names.length) return 'an operation is named twice'
  for (const group of GROUPS) {
    const figures = group === 'inside' ? inside : control
    const contradiction =
      contradictionInGroup(figures) ?? contradictionOfOperations(figures, operations, group)
    if (contradiction !== null) return `${group}: ${contradiction}`
  }
  return null
}

function contradictionInGroup(figures: GroupFigures): string | null {
  const { requests, errors, codes, clusterRequests, clusterErrors, clusterSlow, latency } = figures
  if (errors > requests) return 'more errors than requests'
  if (sumOf(clusterRequests) !== requests) return 'the clusters do not have the requests of the group'
  if (sumOf(clusterErrors) !== errors) return 'the clusters do not have the errors of the group'
  if (clusterErrors.some((count, cluster) => count > (clusterRequests[cluster] ?? 0)))
    return 'a cluster has more errors than requests'
  if (clusterSlow.some((counts, cluster) => !falls(clusterRequests[cluster] ?? 0, counts)))
    return 'a cluster has more slow requests than requests, or more that took longer'
  if (new Set(codes.map(([code]) => code)).size < codes.length) return 'a code is named twice'
  if (sumOf(codes.map(([, count]) => count)) > errors) return 'the codes have more errors than the group'
  if (latency.some(([bucket], at) => at > 0 && bucket <= (latency[at - 1]?.[0] ?? 0)))
    return 'the buckets of latency are not in their order'
  return sumOf(latency.map(([, count]) => count)) === requests
    ? null
    : 'the buckets of latency do not have the requests of the group'
}

function contradictionOfOperations(
  { requests, errors }: GroupFigures,
  operations: readonly OperationFigures[],
  group: Group,
): string | null {
  const counts = operations.map((operation) => operation[group])
  if (counts.some(([of, failed]) => failed > of)) return 'an operation has more errors than requests'
  const isTooMuch =
    sumOf(counts.map(([of]) => of)) > requests || sumOf(counts.map(([, failed]) => failed)) > errors
  return isTooMuch ? 'the operations have more requests or errors than the group' : null
}

function falls(first: number, counts: readonly number[]): boolean {
  return counts.every((count, at) => count <= (counts[at - 1] ?? first))
}

function sumOf(counts: readonly number[]): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}
