/** Adds up the totals of several routers. */
import { CLUSTERS } from './clusters.ts'
import { type Figures, GROUPS, type GroupFigures, MOST_NAMES, type OperationFigures } from './figures.ts'
import { SLOWNESS_BOUNDS_MS } from './latency-buckets.ts'

/** Returns the sums of figures that have no request in common. */
export function addFigures(all: readonly Figures[]): Figures {
  return {
    inside: groupSum(all.map(({ inside }) => inside)),
    control: groupSum(all.map(({ control }) => control)),
    operations: operationSums(all.flatMap(({ operations }) => operations)),
  }
}

function groupSum(groups: readonly GroupFigures[]): GroupFigures {
  const codes = countsByKey(groups.flatMap((group) => group.codes))
  const latency = countsByKey(groups.flatMap((group) => group.latency))
  return {
    requests: sumOf(groups, ({ requests }) => requests),
    errors: sumOf(groups, ({ errors }) => errors),
    codes: [...codes].toSorted(byCountAndName).slice(0, MOST_NAMES),
    clusterRequests: overClusters((at) => sumOf(groups, (group) => group.clusterRequests[at] ?? 0)),
    clusterErrors: overClusters((at) => sumOf(groups, (group) => group.clusterErrors[at] ?? 0)),
    clusterSlow: overClusters((at) => slowSums(groups.map((group) => group.clusterSlow[at] ?? []))),
    latency: [...latency].toSorted(([one], [other]) => one - other),
  }
}

function operationSums(all: readonly OperationFigures[]): OperationFigures[] {
  const sums = new Map<string, OperationFigures>()
  for (const operation of all) {
    const sum = sums.get(operation.name) ?? { name: operation.name, inside: [0, 0], control: [0, 0] }
    sums.set(operation.name, sum)
    for (const group of GROUPS) {
      sum[group][0] += operation[group][0]
      sum[group][1] += operation[group][1]
    }
  }
  const requestsOf = ({ inside, control }: OperationFigures): number => inside[0] + control[0]
  return [...sums.values()]
    .toSorted((one, other) => requestsOf(other) - requestsOf(one) || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_NAMES)
}

function slowSums(counts: readonly (readonly number[])[]): number[] {
  const sums = SLOWNESS_BOUNDS_MS.map((_, bound) => sumOf(counts, (slow) => slow[bound] ?? 0))
  return sums.filter((sum) => sum > 0)
}

function countsByKey<Key>(pairs: readonly (readonly [Key, number])[]): Map<Key, number> {
  const sums = new Map<Key, number>()
  for (const [key, count] of pairs) sums.set(key, (sums.get(key) ?? 0) + count)
  return sums
}

function byCountAndName(
  [name, count]: readonly [string, number],
  [other, otherCount]: readonly [string, number],
): number {
  return otherCount - count || (name < other ? -1 : 1)
}

function overClusters<Item>(of: (cluster: number) => Item): Item[] {
  return Array.from({ length: CLUSTERS }, (_, cluster) => of(cluster))
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += count(item)
  return sum
}
