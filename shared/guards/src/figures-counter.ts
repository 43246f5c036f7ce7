/** Counts the requests of one guarded rollout in one router, from the beginning of a step. */
import { CLUSTERS } from './clusters.ts'
import { type Figures, type Group, type GroupFigures, MOST_NAMES, MOST_REQUESTS } from './figures.ts'
import { FrequentNames } from './frequent-names.ts'
import { LATENCY_BUCKETS, latencyBucket, SLOWNESS_BOUNDS_MS, slownessOf } from './latency-buckets.ts'

/** One answered request. */
export type CountedRequest = {
  /** The code of its error; null if it was answered without one that counts. */
  readonly error: string | null
  /** From the request to its answer. */
  readonly milliseconds: number
  /** The name or hash of its operation; null if it has neither. */
  readonly operation: string | null
}

/**
 * Totals of both groups. Memory is bounded (some 50 KB) whatever names clients make up, and a request costs a
 * few lookups and additions.
 */
export class FiguresCounter {
  readonly #inside = new GroupCounter()
  readonly #control = new GroupCounter()
  /** Counts of an operation: requests and errors inside, then those of the control group. */
  readonly #operations = new FrequentNames(4)

  /** Counts a request whose key is in this cluster (`clusterOf`). */
  count(group: Group, cluster: number, { error, milliseconds, operation }: CountedRequest): void {
    // Both groups stop at once, so that they keep telling of the same seconds.
    if (this.#inside.requests >= MOST_REQUESTS || this.#control.requests >= MOST_REQUESTS) return
    const isInside = group === 'inside'
    const counter = isInside ? this.#inside : this.#control
    counter.count(cluster & (CLUSTERS - 1), error, latencyBucket(milliseconds))
    const counts = operation === null ? undefined : this.#operations.counted(operation)?.counts
    if (counts === undefined) return
    const at = isInside ? 0 : 2
    counts[at] = (counts[at] ?? 0) + 1
    if (error !== null) counts[at + 1] = (counts[at + 1] ?? 0) + 1
  }

  /** Returns the totals until now, to be sent. */
  figures(): Figures {
    return {
      inside: this.#inside.figures(),
      control: this.#control.figures(),
      operations: this.#operations.mostFrequent(MOST_NAMES).map(({ name, counts }) => {
        const [inside = 0, insideErrors = 0, control = 0, controlErrors = 0] = counts
        return { name, inside: [inside, insideErrors], control: [control, controlErrors] }
      }),
    }
  }
}

const SLOWNESSES = SLOWNESS_BOUNDS_MS.length + 1

class GroupCounter {
  requests = 0
  #errors = 0
  readonly #codes = new FrequentNames(1)
  readonly #clusterRequests = new Float64Array(CLUSTERS)
  readonly #clusterErrors = new Float64Array(CLUSTERS)
  /** Requests by cluster and by how many bounds of slowness they reached. */
  readonly #clusterSlowness = new Float64Array(CLUSTERS * SLOWNESSES)
  readonly #latency = new Float64Array(LATENCY_BUCKETS)

  count(cluster: number, error: string | null, bucket: number): void {
    this.requests += 1
    addOne(this.#clusterRequests, cluster)
    addOne(this.#latency, bucket)
    addOne(this.#clusterSlowness, cluster * SLOWNESSES + slownessOf(bucket))
    if (error === null) return
    this.#errors += 1
    addOne(this.#clusterErrors, cluster)
    const counts = this.#codes.counted(error)?.counts
    if (counts !== undefined) counts[0] = (counts[0] ?? 0) + 1
  }

  figures(): GroupFigures {
    return {
      requests: this.requests,
      errors: this.#errors,
      codes: this.#codes.mostFrequent(MOST_NAMES).map(({ name, counts }) => [name, counts[0] ?? 0]),
      clusterRequests: [...this.#clusterRequests],
      clusterErrors: [...this.#clusterErrors],
      clusterSlow: Array.from({ length: CLUSTERS }, (_, cluster) => this.#slowOf(cluster)),
      latency: [...this.#latency].flatMap((count, bucket) => (count === 0 ? [] : [[bucket, count]])),
    }
  }

  /** Returns how many requests of a cluster reached each bound, without the bounds that none reached. */
  #slowOf(cluster: number): number[] {
    const slow: number[] = []
    let reached = 0
    for (let bounds = SLOWNESSES - 1; bounds > 0; bounds -= 1) {
      reached += this.#clusterSlowness[cluster * SLOWNESSES + bounds] ?? 0
      if (reached > 0) slow.push(reached)
    }
    return slow.reverse()
  }
}

function addOne(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1
}
