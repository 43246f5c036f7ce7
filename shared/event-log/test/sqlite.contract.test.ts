import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createMemoryAnnouncer, type EmbeddedStorage, openSqliteEventLog } from '../src/index.ts'
import { describeAnnouncer } from './announcer.contract.ts'
import { describeBlobStore } from './blob-store.contract.ts'
import { describeEventLog } from './event-log.contract.ts'
import { describeKeyValues } from './key-values.contract.ts'
import { temporaryDirectory } from '@switchyard/testkit'

/** One data directory, of which one storage is open at a time. */
async function openPlace() {
  const directory = await temporaryDirectory()
  let storage: EmbeddedStorage | null = null
  const close = async (): Promise<void> => {
    await storage?.[Symbol.asyncDispose]()
    storage = null
  }
  return {
    async reopen(): Promise<EmbeddedStorage> {
      await close()
      storage = await openSqliteEventLog({ dataDir: directory.path })
      return storage
    },
    async edit(sql: string, ...values: (string | number | Uint8Array)[]): Promise<void> {
      await close()
      const db = new DatabaseSync(join(directory.path, 'switchyard.db'))
      db.prepare(sql).run(...values)
      db.close()
    },
    async [Symbol.asyncDispose]() {
      await close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

describeEventLog('SQLite', async () => {
  const place = await openPlace()
  return {
    open: async () => (await place.reopen()).log,
    damage: (subject, text) =>
      place.edit(
        `INSERT INTO records (log, sequence, subject, record)
         SELECT 'registry', coalesce(max(sequence), 0) + 1, ?, ? FROM records WHERE log = 'registry'`,
        subject,
        text,
      ),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
})

describeKeyValues('SQLite', async () => {
  const place = await openPlace()
  return { open: () => place.reopen(), [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
})

for (const table of ['blobs', 'pieces'] as const) {
  describeBlobStore(`SQLite, as the table ${table}`, async () => {
    const place = await openPlace()
    return {
      open: async () => (await place.reopen())[table],
      damage: (sha256, bytes) => place.edit(`UPDATE ${table} SET bytes = ? WHERE sha256 = ?`, bytes, sha256),
      age: (sha256, storedAt) =>
        place.edit(`UPDATE ${table} SET stored_at = ? WHERE sha256 = ?`, storedAt, sha256),
      [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    }
  })
}

describeAnnouncer('inside one process', async () => ({
  async open(onError) {
    const announcer = createMemoryAnnouncer({ onError })
    return { near: announcer, far: announcer }
  },
  async [Symbol.asyncDispose]() {},
}))
