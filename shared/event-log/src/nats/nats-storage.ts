import type { Announcer, BlobStore, EventLog, KeyValueStore, LogName } from '../log/event-log.ts'
import type { AnnouncerOptions } from '../memory/memory-announcer.ts'
import { connectNats, type NatsLink } from './connect-nats.ts'
import { createNatsAnnouncer } from './nats-announcer.ts'
import { openNatsBlobStore, openNatsPieces } from './nats-blob-store.ts'
import { openNatsEventLog } from './nats-event-log.ts'
import { NatsKeyValues } from './nats-key-values.ts'
import type { NatsSettings } from './nats-settings.ts'
import { NatsUsage } from './nats-usage.ts'
import type { CreateOptions } from './streams.ts'
import type { StartWait } from './until-it-works.ts'

const USAGE_BUCKET = 'switchyard-usage'

/** Disposing this closes all of them and their connection. */
export interface NatsStorage extends AsyncDisposable {
  readonly link: NatsLink
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. The bucket may be missing. */
  readonly pieces: BlobStore
  readonly announcer: Announcer
  /** Usage of graphs: what was added up, and what routers tell. Only the registry has the rights. */
  readonly values: KeyValueStore
  readonly usage: NatsUsage
}

export type NatsStorageOptions = AnnouncerOptions &
  NatsSettings &
  CreateOptions &
  StartWait & {
    readonly name: string
    readonly owns: readonly LogName[]
    readonly reads?: readonly LogName[]
    readonly ownsBlobs: boolean
    /** Whether the service creates the bucket of pieces: the composer does, and the registry. */
    readonly ownsPieces?: boolean
  }

/** Logs, blobs and notices of a service over one connection. */
export async function openNatsStorage(settings: NatsStorageOptions): Promise<NatsStorage> {
  const { ownsBlobs, ownsPieces = false, ...options } = settings
  const link = await connectNats(options)
  try {
    const blobs = await openNatsBlobStore({ ...options, link, owns: ownsBlobs })
    const pieces = openNatsPieces(link, { ...options, owns: ownsPieces })
    const log = await openNatsEventLog({ ...options, link })
    const announcer = createNatsAnnouncer({ ...options, link })
    const usage = new NatsUsage(link, options)
    return {
      link,
      log,
      blobs,
      pieces,
      announcer,
      values: new NatsKeyValues(link, USAGE_BUCKET, options),
      usage,
      async [Symbol.asyncDispose]() {
        usage[Symbol.dispose]()
        await announcer[Symbol.asyncDispose]()
        await log[Symbol.asyncDispose]()
        await pieces[Symbol.asyncDispose]()
        await blobs[Symbol.asyncDispose]()
        await link[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await link[Symbol.asyncDispose]()
    throw error
  }
}
