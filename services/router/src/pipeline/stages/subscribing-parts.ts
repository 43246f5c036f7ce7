/** The parts of the router that serve subscriptions. */
import type { SentClaims } from '../../concerns/headers/claim-header.ts'
import type { RunningParts } from './run-plan.ts'
import type { SubscriptionMetrics } from '../../subscriptions/metrics.ts'
import type { OpenSubscriptions } from '../../subscriptions/open-subscriptions.ts'
import type { SharedCompletions } from '../../subscriptions/events/shared-completions.ts'
import type { BrokerUpstreams } from '../../subscriptions/upstream/brokers/broker-upstreams.ts'
import type { Upstreams } from '../../subscriptions/upstream/upstream.ts'

/** The parts that are the same for all subscriptions. */
export type SubscribingParts = Pick<RunningParts, 'config' | 'served' | 'client' | 'answers' | 'costs'> & {
  readonly subscriptions: {
    readonly open: OpenSubscriptions
    readonly upstreams: Upstreams
    /** Subscriptions at brokers. */
    readonly brokers: Pick<BrokerUpstreams, 'open'>
    readonly completions: SharedCompletions
    /** Reads what subgraphs may be sent of claims. Null if the tokens themselves are compared. */
    readonly sentClaims: SentClaims | null
    readonly metrics: SubscriptionMetrics
  }
}
