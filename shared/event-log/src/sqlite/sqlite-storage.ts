/**
 * Logs and blobs of one machine in one file, `<dataDir>/switchyard.db`.
 *
 * One process at a time owns the directory; a second one is refused when it opens. SQLite relies on the file
 * locks of the operating system, so the directory belongs on a local disk.
 */
import { dirname, join, resolve } from 'node:path'
import { syncDirectory } from '@switchyard/files'
import { makeFolder } from '@switchyard/service-kit/make-folder'
import { DataDirectoryUnusableError } from '../log/errors.ts'
import type { BlobStore, EventLog, KeyValueStore } from '../log/event-log.ts'
import { Growth } from './growth.ts'
import { SqliteBlobStore } from './sqlite-blob-store.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'
import { SqliteKeyValues } from './sqlite-key-values.ts'
import { WorkerClient } from './worker-client.ts'

const FILE_NAME = 'switchyard.db'

/** Disposing this closes all stores and the file. Disposing one of them closes only that view of it. */
export interface EmbeddedStorage extends AsyncDisposable {
  readonly log: EventLog
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  /** Values that are no records: usage of graphs. */
  readonly values: KeyValueStore
}

export type SqliteStorageOptions = {
  readonly dataDir: string
  /**
   * Refuses to grow the database beyond this size (DataDirectoryFullError); not set = as far as the disk
   * goes.
   */
  readonly maxBytes?: number
}

/**
 * Opens, or creates, the embedded storage of a directory. Throws DataDirectoryInUseError,
 * DataDirectoryUnusableError, DataDirectoryDamagedError, DataDirectoryFullError, DataDirectoryVersionError.
 */
export async function openSqliteEventLog({
  dataDir,
  maxBytes,
}: SqliteStorageOptions): Promise<EmbeddedStorage> {
  const directory = resolve(dataDir)
  await prepareDirectory(directory)
  const { client, heads } = await WorkerClient.start(directory, {
    file: join(directory, FILE_NAME),
    maxBytes: maxBytes ?? null,
  })
  await syncDirectory(directory)
  const growth = new Growth(heads)
  const log = new SqliteEventLog(client, growth)
  const blobs = new SqliteBlobStore(client, 'blobs')
  const pieces = new SqliteBlobStore(client, 'pieces')
  return {
    log,
    blobs,
    pieces,
    values: new SqliteKeyValues(client),
    async [Symbol.asyncDispose]() {
      await log[Symbol.asyncDispose]()
      await blobs[Symbol.asyncDispose]()
      await pieces[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
    },
  }
}

async function prepareDirectory(directory: string): Promise<void> {
  try {
    await makeFolder(directory, { mode: 0o700 })
    await syncDirectory(dirname(directory))
  } catch (cause) {
    throw new DataDirectoryUnusableError(directory, cause)
  }
}
