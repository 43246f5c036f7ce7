import type { Announcer, BlobStore, EventLog, LogName } from '../log/event-log.ts'
import type { AnnouncerOptions } from '../memory/memory-announcer.ts'
import { connectNats, type NatsLink } from './connect-nats.ts'
import { createNatsAnnouncer } from './nats-announcer.ts'
import { openNatsBlobStore } from './nats-blob-store.ts'
import { openNatsEventLog } from './nats-event-log.ts'
import type { NatsSettings } from './nats-settings.ts'
import type { CreateOptions } from './streams.ts'
import type { StartWait } from './until-it-works.ts'

/** Disposing this closes all three and their connection. */
export interface NatsStorage extends AsyncDisposable {
  readonly link: NatsLink
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly announcer: Announcer
}

export type NatsStorageOptions = AnnouncerOptions &
  NatsSettings &
  CreateOptions &
  StartWait & {
    readonly name: string
    readonly owns: readonly LogName[]
    readonly reads?: readonly LogName[]
    readonly ownsBlobs: boolean
  }

/** Logs, blobs and notices of a service over one connection. */
export async function openNatsStorage(settings: NatsStorageOptions): Promise<NatsStorage> {
  const { ownsBlobs, ...options } = settings
  const link = await connectNats(options)
  try {
    const blobs = await openNatsBlobStore({ ...options, link, owns: ownsBlobs })
    const log = await openNatsEventLog({ ...options, link })
    const announcer = createNatsAnnouncer({ ...options, link })
    return {
      link,
      log,
      blobs,
      announcer,
      async [Symbol.asyncDispose]() {
        await announcer[Symbol.asyncDispose]()
        await log[Symbol.asyncDispose]()
        await blobs[Symbol.asyncDispose]()
        await link[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await link[Symbol.asyncDispose]()
    throw error
  }
}
