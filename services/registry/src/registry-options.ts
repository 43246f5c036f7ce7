/** The options that a registry is started with. */
import type { Announcer, BlobStore, EventLog } from '@switchyard/event-log'
import type { FleetKey, Logger } from '@switchyard/service-kit'
import type { SeveralGraphs } from './http/api/api.ts'
import type { SignInSettings } from './openid-connect/sign-in-settings.ts'
import type { ToldUrls } from './reading/public-urls.ts'
import type { SessionKeys } from './sessions/session-keys.ts'
import type { UsageOptions } from './usage/open-usage.ts'

export type RegistryOptions = {
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  readonly announcer: Announcer
  readonly logger: Logger
  readonly host: string
  /** The port to listen on. 0 means that the system chooses one. */
  readonly port: number
  /** The name of this registry, unique among those of a log; `registry` if it is not given. */
  readonly instance?: string
  /** An API key that may do everything. Without it, a log that holds no API key causes a NoApiKeyError. */
  readonly bootstrapApiKey?: string
  /** The trace keys of this registry. Without them, it can neither make a key nor sign a trace token. */
  readonly traceKeys?: {
    readonly file: string
    /** Whether the first key is made when the first token is asked for. */
    readonly createFirst: boolean
    /** How long a token waits for routers to learn its key; 5 s when it is not given. */
    readonly routersWaitMs?: number
  }
  /** Only heartbeats that are signed with it are believed; without one, all are. */
  readonly fleetKey?: FleetKey
  /** Sessions of pages in a browser. Without them, only API keys are accepted. */
  readonly sessions?: SignInSettings & {
    readonly keys: SessionKeys
    /** Whether one-time links begin sessions. Only for a registry that is the only one. */
    readonly links?: boolean
  }
  /** Public URLs of graphs that have none in their records. */
  readonly publicUrls?: ToldUrls
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
  /** How often previews are looked for whose time is over; every 10 s or so when it is not given. */
  readonly previewExpiryIntervalMs?: number
  /** How often `GET /v1/live` tells figures; every 5 s when it is not given. */
  readonly liveTickMs?: number
  /** The warning that a set-up for one graph gives when there are several. See `SeveralGraphs`. */
  readonly severalGraphs?: SeveralGraphs
  /** Usage that routers tell. If it is absent, nobody hears it. */
  readonly usage?: UsageOptions
  /** Ends a start that is still waiting for the log. */
  readonly signal?: AbortSignal
}
