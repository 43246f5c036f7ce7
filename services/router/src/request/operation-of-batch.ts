/** One operation of a batch as a request of its own. */
import type { Decision } from './decision.ts'
import type { RateCount } from './rate-count.ts'
import { VirtualRequest } from '../http/virtual-request.ts'

/** A request that is a part of a batch, for which some things are settled with the batch. */
export abstract class OperationOfBatch extends VirtualRequest {
  /** The rate limits that it counts for already; null if it is still to be counted. */
  abstract readonly rateCounts: readonly RateCount[] | null
  /** The choice of a composition, which is the same for all operations of the batch. */
  abstract readonly decision: Decision | null
}
