import type { Announcer, BlobStore, EventLog, LogName } from '../event-log.ts'
import type { AnnouncerOptions } from '../memory/memory-announcer.ts'
import { connectNats, type NatsLink } from './connect-nats.ts'
import { createNatsAnnouncer } from './nats-announcer.ts'
import { openNatsBlobStore } from './nats-blob-store.ts'
import { openNatsEventLog } from './nats-event-log.ts'
import type { Waiting } from './until-it-works.ts'

/** Disposing this closes all three and their connection. */
export interface NatsStorage extends AsyncDisposable {
  readonly link: NatsLink
  readonly log: EventLog
  readonly blobs: BlobStore
  readonly announcer: Announcer
}

export type NatsStorageOptions = AnnouncerOptions &
  Waiting & {
    readonly url: string
    readonly name: string
    readonly owns: readonly LogName[]
    readonly reads?: readonly LogName[]
    readonly ownsBlobs: boolean
    readonly replicas?: number
  }

/** Logs, blobs and notices of a service over one connection. */
export async function openNatsStorage({
  url,
  name,
  ownsBlobs,
  ...options
}: NatsStorageOptions): Promise<NatsStorage> {
  const link = await connectNats({ ...options, url, name })
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
