/**
 * Keeps exports of the registry in a folder: writes one more, and removes the oldest.
 *
 * A file that is there is an export that can be imported: it was read back and checked before it got its
 * name. Its name tells when it was made and how many records of the registry's log it holds, as
 * `switchyard-20261127T231500Z-18.ndjson.gz` does.
 *
 * After a log was lost or set back, a backup holds less than those of before, which somebody may need badly.
 * So none is removed that holds more records than the newest one.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { TransferCounts } from '@switchyard/contracts'
import { removeStaleTemporaries, syncDirectory } from '@switchyard/files'
import { checkExport, MAX_LINE_BYTES } from './export-check.ts'
import { exportLines, type ExportSource } from './export-lines.ts'
import { readLines } from './read-lines.ts'

export type BackUpOptions = Omit<ExportSource, 'onPiecesLeftOut'> & {
  readonly folder: string
  /** Backups that are kept, the new one included. */
  readonly keep: number
}

export type BackUp = {
  readonly file: string
  readonly counts: TransferCounts
  /** The number of lists that records name and the backup lacks, and why. Null if it has all of them. */
  readonly piecesLeftOut: { readonly lists: number; readonly reason: string } | null
  /** Names of the files that were removed. */
  readonly removed: readonly string[]
  /** Names of files that are older than those that are kept, and hold more than the new one. */
  readonly spared: readonly string[]
}

/** The log holds nothing, as it does when NATS has lost its data. */
export class NothingToBackUpError extends Error {
  constructor() {
    super(
      'The registry log holds no record: nothing was ever done, or NATS has lost its data. Nothing was written, and no backup was removed.',
    )
    this.name = new.target.name
  }
}

const BACKUP = /^switchyard-(\d{8}T\d{6}Z)-(\d+)\.ndjson\.gz$/

/** Throws NothingToBackUpError, StorageError, or what the file system says; then every file is as it was. */
export async function backUp({ folder, keep, ...parts }: BackUpOptions): Promise<BackUp> {
  let piecesLeftOut: BackUp['piecesLeftOut'] = null
  const onPiecesLeftOut = (lists: number, reason: string) => void (piecesLeftOut = { lists, reason })
  const source = { ...parts, onPiecesLeftOut }
  if ((await source.log.last({ kind: 'log', log: 'registry' })) === null) throw new NothingToBackUpError()
  await removeStaleTemporaries(folder)
  const time = new Date(source.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const temporary = join(folder, `.switchyard-${time}.${randomUUID()}.tmp`)
  try {
    await writeExport(temporary, source)
    const { counts } = await pipeline(createReadStream(temporary), createGunzip(), (text) =>
      checkExport(readLines(text, MAX_LINE_BYTES)),
    )
    const name = `switchyard-${time}-${counts.records.registry}.ndjson.gz`
    await rename(temporary, join(folder, name))
    await syncDirectory(folder)
    return { file: join(folder, name), counts, piecesLeftOut, ...(await removeOldest(folder, keep)) }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Writes an export that only its owner can read, since it holds every schema and every routing URL. */
async function writeExport(path: string, source: ExportSource): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(exportLines(source)), createGzip(), file)
}

async function removeOldest(folder: string, keep: number): Promise<Pick<BackUp, 'removed' | 'spared'>> {
  const backups = (await readdir(folder)).flatMap((name) => {
    const [, time, records] = BACKUP.exec(name) ?? []
    return time === undefined ? [] : [{ name, time, records: Number(records) }]
  })
  const [newest, ...others] = backups.toSorted((one, other) => (one.time < other.time ? 1 : -1))
  const surplus = others.slice(keep - 1)
  const isSpared = ({ records }: (typeof backups)[number]) => records > (newest?.records ?? 0)
  const removed = surplus.filter((backup) => !isSpared(backup)).map(({ name }) => name)
  for (const name of removed) await rm(join(folder, name), { force: true })
  return { removed, spared: surplus.filter(isSpared).map(({ name }) => name) }
}
