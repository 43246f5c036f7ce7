/** Backups by the clock: a folder in which every file can be imported. */
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { LOG_NAMES, openNatsStorage } from '@switchyard/event-log'
import { natsServerAvailable, replaced, startNatsServer, temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { backUp } from '../../src/transfer/back-up.ts'
import { runBackUp } from '../../src/transfer/run-back-up.ts'
import { openStorage, startClient, type Storage } from '../harness.ts'
import { hash, textsIn } from '../pieces.ts'
import { asImported, exportText, fillRegistry, importText, linesOf, PIECES } from './support.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-11-27T23:15:07.123Z')

async function filled(): Promise<Storage> {
  const storage = await openStorage()
  await fillRegistry(storage)
  return storage
}

const after = (hours: number) => () => START + hours * HOUR

describe('a backup', () => {
  it('is an export that can be imported, for its owner only, and its name says when and how much', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    const made = await backUp({ ...storage, folder: folder.path, keep: 3, now: after(0) })
    expect(made).toEqual({
      file: join(folder.path, 'switchyard-20261127T231507Z-9.ndjson.gz'),
      counts: { blobs: 4, pieces: 3, records: { configs: 1, compositions: 1, registry: 9 } },
      piecesLeftOut: null,
      removed: [],
      spared: [],
    })
    expect((await stat(made.file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder.path)).toHaveLength(1)
    const text = gunzipSync(await readFile(made.file)).toString('utf8')
    await using target = await openStorage()
    await using client = await startClient(target)
    expect((await importText(client, text)).status).toBe(200)
    const imported = linesOf(await exportText(client))
    expect(imported.slice(1)).toEqual(asImported(linesOf(text)).slice(1))
  })

  it('takes the place of the oldest one, and leaves alone what is no backup', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    await writeFile(join(folder.path, 'switchyard-notes.txt'), 'mine')
    for (const hours of [0, 1, 2, 3]) {
      await backUp({ ...storage, folder: folder.path, keep: 2, now: after(hours) })
    }
    expect((await readdir(folder.path)).sort()).toEqual([
      'switchyard-20261128T011507Z-9.ndjson.gz',
      'switchyard-20261128T021507Z-9.ndjson.gz',
      'switchyard-notes.txt',
    ])
  })

  it('of a log that was set back removes none that holds more', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    const older = 'switchyard-20261101T000000Z-8.ndjson.gz'
    const richer = 'switchyard-20261102T000000Z-10.ndjson.gz'
    for (const name of [older, richer]) await writeFile(join(folder.path, name), '')
    const made = await backUp({ ...storage, folder: folder.path, keep: 1, now: after(0) })
    expect(made).toMatchObject({ removed: [older], spared: [richer] })
    expect(await readdir(folder.path)).toContain(richer)
  })

  it('of an empty log is refused, and removes nothing', async () => {
    await using storage = await openStorage()
    await using folder = await temporaryDirectory()
    const name = 'switchyard-20261101T000000Z-8.ndjson.gz'
    await writeFile(join(folder.path, name), '')
    const attempt = backUp({ ...storage, folder: folder.path, keep: 1, now: after(0) })
    await expect(attempt).rejects.toThrow('The registry log holds no record')
    expect(await readdir(folder.path)).toEqual([name])
  })

  it('that cannot be finished leaves nothing behind, and removes nothing', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    await backUp({ ...storage, folder: folder.path, keep: 1, now: after(0) })
    const before = await readdir(folder.path)
    const blobs = replaced(storage.blobs, { get: () => Promise.reject(new Error('the disk is damaged')) })
    const attempt = backUp({ ...storage, blobs, folder: folder.path, keep: 1, now: after(1) })
    await expect(attempt).rejects.toThrow('the disk is damaged')
    expect(await readdir(folder.path)).toEqual(before)
  })

  it('that does not hold what it should is no backup', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    const blobs = replaced(storage.blobs, { get: async () => Buffer.from('something else') })
    const attempt = backUp({ ...storage, blobs, folder: folder.path, keep: 1, now: after(0) })
    await expect(attempt).rejects.toThrow('the content of the blob has the hash')
    expect(await readdir(folder.path)).toEqual([])
  })

  it('holds artifacts as a whole where their pieces are lost, and says so', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    await storage.pieces.delete(PIECES.list)
    const made = await backUp({ ...storage, folder: folder.path, keep: 1, now: after(0) })
    expect(made).toMatchObject({
      counts: { blobs: 4, pieces: 0 },
      piecesLeftOut: { lists: 1, reason: `The piece ${PIECES.list} is not in the store.` },
    })
    await using target = await openStorage()
    await using client = await startClient(target)
    const text = gunzipSync(await readFile(made.file)).toString('utf8')
    expect((await importText(client, text)).status).toBe(200)
  })

  it('clears away what one that was killed left behind', async () => {
    await using storage = await filled()
    await using folder = await temporaryDirectory()
    const left = join(folder.path, `.switchyard-20261101T000000Z.${crypto.randomUUID()}.tmp`)
    await writeFile(left, 'half')
    await utimes(left, 0, 0)
    await backUp({ ...storage, folder: folder.path, keep: 1, now: Date.now })
    expect(await readdir(folder.path)).toHaveLength(1)
  })
})

describe('the command back-up', () => {
  it.each(['0', '-1', '1.5', 'all', ''])('refuses to keep "%s" backups', async (keep) => {
    await expect(runBackUp({ folder: '/nowhere', keep, env: {} })).rejects.toThrow(
      'is no number of backups to keep: expected 1 to 100000',
    )
  })

  it('says which variable it needs', async () => {
    await expect(runBackUp({ folder: '/nowhere', keep: '1', env: {} })).rejects.toThrow(
      'SWITCHYARD_NATS_URL is not set: expected nats://backup:',
    )
  })

  it('says what it waited for when NATS cannot be used', async () => {
    const env = { SWITCHYARD_NATS_URL: 'nats://127.0.0.1:1' }
    await expect(runBackUp({ folder: '/nowhere', keep: '1', env, patienceMs: 1000 })).rejects.toThrow(
      /NATS could not be used within 1 s: NATS at 127\.0\.0\.1:1 cannot be reached/,
    )
  })

  it.skipIf(!natsServerAvailable())('says that there are no streams, and makes none', async () => {
    await using server = await startNatsServer()
    await using folder = await temporaryDirectory()
    const env = { SWITCHYARD_NATS_URL: server.url }
    for (const _attempt of [1, 2]) {
      const attempt = runBackUp({ folder: folder.path, keep: '1', env, patienceMs: 3000 })
      await expect(attempt).rejects.toThrow(/NATS could not be used within 3 s: .*blobs/)
    }
    expect(await readdir(folder.path)).toEqual([])
  })

  it.skipIf(!natsServerAvailable())('holds the pieces that it finds, and says which it lacks', async () => {
    await using origin = await filled()
    await using exporter = await startClient(origin)
    const text = await exportText(exporter)
    await using server = await startNatsServer()
    await using folder = await temporaryDirectory()
    const access = { url: server.url, owns: LOG_NAMES, ownsBlobs: true }
    await using storage = await openNatsStorage({ ...access, name: 'registry', ownsPieces: true })
    await using client = await startClient(storage)
    expect((await importText(client, text)).status).toBe(200)
    const env = { SWITCHYARD_NATS_URL: server.url }
    const told = await runBackUp({ folder: folder.path, keep: '5', env })
    expect(told).toMatch(/^Wrote .*: 9 changes, .*, 4 blobs, 3 pieces of artifacts\.\n$/)
    const [name = ''] = await readdir(folder.path)
    const written = gunzipSync(await readFile(join(folder.path, name))).toString('utf8')
    expect(linesOf(written).slice(1)).toEqual(asImported(linesOf(text)).slice(1))
    for (const text of await textsIn(storage.pieces)) await storage.pieces.delete(hash(text))
    expect(await runBackUp({ folder: folder.path, keep: '5', env })).toContain(
      `4 blobs, 0 pieces of artifacts.\nIt holds artifacts as a whole only, and not in pieces (1 of them): The piece ${PIECES.list} is not in the store.`,
    )
  })
})
