/** What a registry is started with. */
import type { Announcer, BlobStore, EventLog } from '@switchyard/event-log'
import type { FleetKey, Logger } from '@switchyard/service-kit'
import type { SeveralGraphs } from './http/api.ts'

export type RegistryOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly announcer: Announcer
  readonly logger: Logger
  readonly host: string
  /** 0: the system chooses. */
  readonly port: number
  /** May do everything. Without one, an API key has to be in the log already, else NoApiKeyError. */
  readonly bootstrapApiKey?: string
  /** Absent: no key can be made here, and no trace token signed. */
  readonly traceKeys?: {
    readonly file: string
    /** Whether the first key is made when the first token is asked for. */
    readonly createFirst: boolean
    /** How long a token waits for routers to learn its key; 5 s when it is not given. */
    readonly routersWaitMs?: number
  }
  /** Only heartbeats that are signed with it are believed; without one, all are. */
  readonly fleetKey?: FleetKey
  /** Addresses and networks whose `X-Forwarded-For` says who failed to authenticate. */
  readonly trustedProxies?: readonly string[]
  /** Unix milliseconds, for the times in records and the age of blobs. */
  readonly now?: () => number
  /**
   * Monotonic milliseconds, for the age of heartbeats, how long blobs had no name, and the rate of failed
   * authentications.
   */
  readonly monotonicNow?: () => number
  /** Blobs that no record names are looked for at the start and this often; an hour when it is not given. */
  readonly blobSweepIntervalMs?: number
  /** For a set-up that serves one graph only: see `SeveralGraphs`. */
  readonly severalGraphs?: SeveralGraphs
  /** Ends a start that is still waiting for the log. */
  readonly signal?: AbortSignal
}
