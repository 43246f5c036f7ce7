import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  DataDirectoryDamagedError,
  DataDirectoryFullError,
  DataDirectoryInUseError,
  DataDirectoryVersionError,
  openSqliteEventLog,
} from '../src/index.ts'
import { collect } from './collect.ts'
import { isLongRun, temporaryDirectory } from '@switchyard/testkit'

const SUBJECT = 'registry.events.shop'
const filter = { kind: 'subject', subject: SUBJECT } as const
/** How often a process is killed. */
const ROUNDS = isLongRun() ? 5 : 2
const PROGRAM = join(import.meta.dirname, 'append-until-killed.ts')

describe('a data directory', () => {
  it('has every acknowledged record and its blob after its process was killed, again and again', async () => {
    await using directory = await temporaryDirectory()
    let acknowledged = 0
    for (let round = 1; round <= ROUNDS; round += 1) {
      acknowledged = await appendUntilKilled(directory.path, acknowledged + 20 * round)
      await using storage = await openSqliteEventLog({ dataDir: directory.path })
      const entries = await collect(storage.log.read(filter, 1))
      const sequences = entries.map(({ sequence }) => sequence)
      expect(sequences).toEqual(Array.from({ length: entries.length }, (_, index) => index + 1))
      expect(entries.length).toBeGreaterThanOrEqual(acknowledged)
      for (const { record } of entries) {
        const { blob } = z.object({ blob: z.string() }).parse(record)
        expect(await storage.blobs.has(blob)).toBe(true)
      }
      acknowledged = entries.length
    }
  })

  it.each([0o600, 0o644])(
    'is readable by its owner only, also where its files had the mode %o',
    async (mode) => {
      await using directory = await temporaryDirectory()
      const file = join(directory.path, 'switchyard.db')
      await (await openSqliteEventLog({ dataDir: directory.path }))[Symbol.asyncDispose]()
      await chmod(file, mode)
      await using storage = await openSqliteEventLog({ dataDir: directory.path })
      await storage.log.append(SUBJECT, {}, 0)
      for (const name of (await readdir(directory.path)).filter((name) => name.startsWith('switchyard.db')))
        expect([name, (await stat(join(directory.path, name))).mode & 0o777]).toEqual([name, 0o600])
    },
  )

  it('is refused to a second process while the first one has it open', async () => {
    await using directory = await temporaryDirectory()
    const first = await openSqliteEventLog({ dataDir: directory.path })
    const second = spawnSync(process.execPath, [PROGRAM, directory.path], { encoding: 'utf8' })
    expect(second.status).toBe(1)
    expect(second.stderr).toContain('DATA_DIRECTORY_IN_USE')
    expect(second.stderr).toContain(`The data directory ${directory.path} is in use by another process`)
    await first[Symbol.asyncDispose]()
  })

  it('is refused to a second opener of the same process, and free when the first one closed', async () => {
    await using directory = await temporaryDirectory()
    const first = await openSqliteEventLog({ dataDir: directory.path })
    await expect(openSqliteEventLog({ dataDir: directory.path })).rejects.toThrow(DataDirectoryInUseError)
    await first.log.append(SUBJECT, {}, 0)
    await first[Symbol.asyncDispose]()
    await using second = await openSqliteEventLog({ dataDir: directory.path })
    expect((await second.log.last(filter))?.sequence).toBe(1)
  })

  it('refuses appends when it is full and keeps what it has', async () => {
    await using directory = await temporaryDirectory()
    await using storage = await openSqliteEventLog({ dataDir: directory.path, maxBytes: 300_000 })
    let last = 0
    const fill = async (): Promise<never> => {
      for (;;) last = await storage.log.append(SUBJECT, { padding: 'x'.repeat(10_000) }, last)
    }
    const failure = await fill().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DataDirectoryFullError)
    expect(failure).toMatchObject({ code: 'DATA_DIRECTORY_FULL', directory: directory.path })
    expect(last).toBeGreaterThan(5)
    expect(await collect(storage.log.read(filter, 1))).toHaveLength(last)
    await expect(storage.blobs.put(new Uint8Array(400_000))).rejects.toThrow(DataDirectoryFullError)
    await storage[Symbol.asyncDispose]()
    await using larger = await openSqliteEventLog({ dataDir: directory.path })
    expect(await larger.log.append(SUBJECT, {}, last)).toBe(last + 1)
  })

  it('stores all of many pieces or none when it is full', async () => {
    await using directory = await temporaryDirectory()
    await using storage = await openSqliteEventLog({ dataDir: directory.path, maxBytes: 300_000 })
    const pieces = [Buffer.from('first'), new Uint8Array(400_000), Buffer.from('last')]
    await expect(storage.pieces.putAll(pieces)).rejects.toThrow(DataDirectoryFullError)
    expect(await collect(storage.pieces.list())).toEqual([])
    expect(await storage.pieces.putAll(pieces.slice(0, 1))).toHaveLength(1)
  })

  it('of an earlier version, without a table of pieces, gets one', async () => {
    await using directory = await temporaryDirectory()
    const before = await openSqliteEventLog({ dataDir: directory.path })
    await before.log.append(SUBJECT, {}, 0)
    await before[Symbol.asyncDispose]()
    const db = new DatabaseSync(join(directory.path, 'switchyard.db'))
    db.exec('DROP TABLE pieces')
    db.close()
    await using storage = await openSqliteEventLog({ dataDir: directory.path })
    const sha256 = await storage.pieces.put(Buffer.from('a piece'))
    expect(await storage.pieces.has(sha256)).toBe(true)
    expect(await storage.blobs.has(sha256)).toBe(false)
    expect((await storage.log.last(filter))?.sequence).toBe(1)
  })

  it('says why its directory cannot be made', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'file'), '')
    const places = ['/dev/null/data', join(directory.path, 'file'), join(directory.path, 'file', 'data')]
    for (const dataDir of existsSync('/proc/self') ? [...places, '/proc/no-such'] : places)
      await expect(openSqliteEventLog({ dataDir })).rejects.toMatchObject({
        code: 'DATA_DIRECTORY_UNUSABLE',
        message: expect.stringMatching(/is no folder|takes no new folders/),
      })
  })

  it('says that its database is damaged when the file is no database', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(
      join(directory.path, 'switchyard.db'),
      'this is not a database, and it is long enough'.repeat(200),
    )
    const failure = await openSqliteEventLog({ dataDir: directory.path }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DataDirectoryDamagedError)
    expect(failure).toMatchObject({ code: 'DATA_DIRECTORY_DAMAGED', directory: directory.path })
  })

  it('says that its database is damaged when pages were overwritten', async () => {
    await using directory = await temporaryDirectory()
    const before = await openSqliteEventLog({ dataDir: directory.path })
    let last = 0
    while (last < 200) last = await before.log.append(SUBJECT, { padding: 'x'.repeat(500) }, last)
    await before[Symbol.asyncDispose]()
    const file = await open(join(directory.path, 'switchyard.db'), 'r+')
    const { size } = await file.stat()
    await file.write(Buffer.alloc(size - 8192, 0xee), 0, undefined, 8192)
    await file.close()
    const readAll = async (): Promise<unknown> => {
      await using storage = await openSqliteEventLog({ dataDir: directory.path })
      return collect(storage.log.read(filter, 1))
    }
    await expect(readAll()).rejects.toMatchObject({ code: 'DATA_DIRECTORY_DAMAGED' })
  })

  it('is left alone when a newer version wrote it', async () => {
    await using directory = await temporaryDirectory()
    const db = new DatabaseSync(join(directory.path, 'switchyard.db'))
    db.exec('PRAGMA user_version = 99')
    db.close()
    await expect(openSqliteEventLog({ dataDir: directory.path })).rejects.toThrow(DataDirectoryVersionError)
  })

  it('is created with its parents when it does not exist', async () => {
    await using directory = await temporaryDirectory()
    await using storage = await openSqliteEventLog({ dataDir: join(directory.path, 'a', 'b') })
    expect(await storage.log.append(SUBJECT, {}, 0)).toBe(1)
  })
})

/**
 * Runs the appending program and kills it at once when it acknowledged `atLeast`. Returns what it
 * acknowledged last.
 */
async function appendUntilKilled(dataDir: string, atLeast: number): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (lastLine(output) >= atLeast) child.kill('SIGKILL')
  })
  await exit
  expect(child.signalCode, errors).toBe('SIGKILL')
  return lastLine(output)
}

/** The last complete line: the one being written when the process died does not count. */
function lastLine(output: string): number {
  return Number(output.split('\n').at(-2) ?? 0)
}
