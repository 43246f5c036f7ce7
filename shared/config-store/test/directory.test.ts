import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MAX_ARTIFACT_BYTES } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { openConfigStore, openDirectoryConfigStore } from '../src/index.ts'
import { describeConfigStore } from './config-store.contract.ts'
import { artifactOf, manifestOf, SHOP } from './samples.ts'
import { temporaryDirectory } from '@switchyard/testkit'

describeConfigStore('a directory', async () => {
  const directory = await temporaryDirectory()
  return {
    open: () => openConfigStore({ kind: 'directory', directory: directory.path }, { name: 'contract' }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
})

describe('a config directory', () => {
  it('counts a truncated manifest as missing, reports it, and takes the same version again', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    await using store = await openDirectoryConfigStore({
      directory: directory.path,
      onCorruption: (path) => reports.push(path),
    })
    await store.putManifest(SHOP, manifestOf(1, 1))
    const path = join(directory.path, 'default', 'shop', 'manifest.json')
    const whole = await readFile(path)
    for (const length of [0, 1, whole.length / 2, whole.length - 1]) {
      await truncate(path, Math.floor(length))
      reports.length = 0
      expect(await store.getManifest(SHOP)).toBeNull()
      expect(reports).toEqual([path])
      expect(await store.putManifest(SHOP, manifestOf(1, 1))).toBe('written')
      expect(await store.getManifest(SHOP)).toEqual(manifestOf(1, 1))
    }
  })

  it('counts a truncated artifact as missing and reports it, until it is stored again', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    await using store = await openDirectoryConfigStore({
      directory: directory.path,
      onCorruption: (path) => reports.push(path),
    })
    const { sha256, gzipped } = artifactOf('content '.repeat(1_000))
    await store.putArtifact(SHOP, sha256, gzipped)
    expect(await store.hasArtifact(SHOP, sha256)).toBe(true)
    const path = join(directory.path, 'default', 'shop', 'artifacts', `${sha256}.gz`)
    await truncate(path, gzipped.length - 3)
    expect(await store.hasArtifact(SHOP, sha256)).toBe(false)
    expect(await store.getArtifact(SHOP, sha256)).toBeNull()
    expect(new Set(reports)).toEqual(new Set([path]))
    await store.putArtifact(SHOP, sha256, gzipped)
    expect(await store.hasArtifact(SHOP, sha256)).toBe(true)
    expect(await store.getArtifact(SHOP, sha256)).toEqual(gzipped)
  })

  it('reads nothing of files that are larger than any that was written', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    await using store = await openDirectoryConfigStore({
      directory: directory.path,
      onCorruption: (_, problem) => reports.push(problem),
    })
    const { sha256, gzipped } = artifactOf('x')
    await store.putManifest(SHOP, manifestOf(1, 1))
    await store.putArtifact(SHOP, sha256, gzipped)
    const graph = join(directory.path, 'default', 'shop')
    // Holes in files: larger than what can be read at once, and nothing on the disk.
    const size = 5 * 1024 ** 3
    for (const name of ['manifest.json', 'history.json', `artifacts/${sha256}.gz`]) {
      await truncate(join(graph, name), size)
    }
    expect(await store.getManifest(SHOP)).toBeNull()
    expect(await store.getArtifact(SHOP, sha256)).toBeNull()
    expect(await store.history(SHOP, 10)).toEqual([])
    expect(reports).toHaveLength(4)
    for (const report of reports) expect(report).toContain(`has ${size} bytes, expected`)
    await store.putArtifact(SHOP, sha256, gzipped)
    expect(await store.getArtifact(SHOP, sha256)).toEqual(gzipped)
  })

  it('counts a truncated piece as missing, also when it is renewed, until it is stored again', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    const onCorruption = (path: string) => void reports.push(path)
    await using store = await openDirectoryConfigStore({ directory: directory.path, onCorruption })
    await using reader = await openDirectoryConfigStore({ directory: directory.path, onCorruption })
    const { sha256, gzipped } = artifactOf('content '.repeat(1_000))
    const path = join(directory.path, 'default', 'shop', 'pieces', `${sha256}.gz`)
    for (const length of [0, 2, gzipped.length - 3]) {
      await store.putPieces(SHOP, new Map([[sha256, gzipped]]))
      expect(await store.renewPieces(SHOP, [sha256])).toEqual([])
      expect(await reader.getPiece(SHOP, sha256)).toEqual(gzipped)
      await truncate(path, length)
      reports.length = 0
      expect(await store.renewPieces(SHOP, [sha256])).toEqual([sha256])
      expect(await reader.getPiece(SHOP, sha256)).toBeNull()
      expect(reports).toEqual([path, path])
    }
  })

  it('reads nothing of pieces that are larger than any that was written', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    await using store = await openDirectoryConfigStore({
      directory: directory.path,
      onCorruption: (_, problem) => reports.push(problem),
    })
    const { sha256, gzipped } = artifactOf('x')
    await store.putPieces(SHOP, new Map([[sha256, gzipped]]))
    const size = 5 * 1024 ** 3
    await truncate(join(directory.path, 'default', 'shop', 'pieces', `${sha256}.gz`), size)
    expect(await store.getPiece(SHOP, sha256)).toBeNull()
    expect(await store.renewPieces(SHOP, [sha256])).toEqual([sha256])
    expect(reports).toHaveLength(2)
    for (const report of reports) expect(report).toContain(`has ${size} bytes, expected`)
  })

  it('takes no piece that unpacks to more than an artifact may have', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    await using store = await openDirectoryConfigStore({
      directory: directory.path,
      onCorruption: (_, problem) => reports.push(problem),
    })
    const { sha256 } = artifactOf('bomb')
    await store.putPieces(SHOP, new Map([[sha256, gzipSync(Buffer.alloc(MAX_ARTIFACT_BYTES + 1))]]))
    expect(await store.getPiece(SHOP, sha256)).toBeNull()
    expect(reports).toEqual([`it unpacks to more than ${MAX_ARTIFACT_BYTES} bytes`])
  })

  it('writes the time of a renewed piece to its file only when that is many minutes behind', async () => {
    await using directory = await temporaryDirectory()
    await using store = await openDirectoryConfigStore({ directory: directory.path })
    const { sha256, gzipped } = artifactOf('x')
    await store.putPieces(SHOP, new Map([[sha256, gzipped]]))
    const path = join(directory.path, 'default', 'shop', 'pieces', `${sha256}.gz`)
    const minute = 60_000
    for (const [age, isWritten] of [
      [5 * minute, false],
      [60 * minute, true],
    ] as const) {
      const old = new Date(Date.now() - age)
      await utimes(path, old, old)
      const before = Date.now()
      expect(await store.renewPieces(SHOP, [sha256])).toEqual([])
      expect((await store.listPieces(SHOP))[0]?.storedAt).toBeGreaterThanOrEqual(before)
      await store.deletePiece(SHOP, sha256, before)
      expect((await stat(path)).mtimeMs >= before).toBe(isWritten)
    }
    await using next = await openDirectoryConfigStore({ directory: directory.path })
    expect(await next.getPiece(SHOP, sha256)).toEqual(gzipped)
  })

  it('lists the oldest 10,000 of more pieces', async () => {
    await using directory = await temporaryDirectory()
    const pieces = join(directory.path, 'default', 'shop', 'pieces')
    await mkdir(pieces, { recursive: true })
    const names = Array.from({ length: 10_003 }, (_, index) => index.toString(16).padStart(64, '0'))
    await Promise.all(names.map((name) => writeFile(join(pieces, `${name}.gz`), '')))
    const old = names.slice(5_000, 5_010)
    for (const name of old) await utimes(join(pieces, `${name}.gz`), new Date(0), new Date(0))
    await using store = await openDirectoryConfigStore({ directory: directory.path })
    const listed = (await store.listPieces(SHOP)).map(({ sha256 }) => sha256)
    expect(listed).toHaveLength(10_000)
    expect(listed.slice(0, 10).toSorted()).toEqual(old)
  })

  it('has the written manifest in its history when the process died before the history was written', async () => {
    await using directory = await temporaryDirectory()
    await using store = await openDirectoryConfigStore({ directory: directory.path })
    await store.putManifest(SHOP, manifestOf(1, 1))
    const history = join(directory.path, 'default', 'shop', 'history.json')
    const earlier = await readFile(history)
    await store.putManifest(SHOP, manifestOf(1, 2))
    await writeFile(history, earlier)
    expect((await store.history(SHOP, 10)).map(({ revision }) => revision)).toEqual([2, 1])
    await store.putManifest(SHOP, manifestOf(1, 3))
    expect((await store.history(SHOP, 10)).map(({ revision }) => revision)).toEqual([3, 2, 1])
  })

  it('shows readers whole manifests only while they are replaced', async () => {
    await using directory = await temporaryDirectory()
    const reports: string[] = []
    await using writer = await openDirectoryConfigStore({ directory: directory.path })
    await using reader = await openDirectoryConfigStore({
      directory: directory.path,
      onCorruption: (path) => reports.push(path),
    })
    await writer.putManifest(SHOP, manifestOf(1, 1))
    const written = new AbortController()
    const write = async (): Promise<void> => {
      for (let revision = 2; revision <= 100; revision += 1)
        await writer.putManifest(SHOP, manifestOf(1, revision))
      written.abort()
    }
    const read = async (): Promise<void> => {
      let newest = 1
      while (!written.signal.aborted) {
        const revision = (await reader.getManifest(SHOP))?.version.revision ?? 0
        expect(revision).toBeGreaterThanOrEqual(newest)
        newest = revision
      }
    }
    await Promise.all([write(), read()])
    expect(reports).toEqual([])
    expect(await reader.getManifest(SHOP)).toEqual(manifestOf(1, 100))
  })

  it('ignores what a killed writer left behind and removes it when it is old', async () => {
    await using directory = await temporaryDirectory()
    const artifacts = join(directory.path, 'default', 'shop', 'artifacts')
    await mkdir(artifacts, { recursive: true })
    const { sha256, gzipped } = artifactOf('x')
    const fresh = `.${sha256}.gz.00000000-0000-4000-8000-000000000001.tmp`
    const stale = `.${sha256}.gz.00000000-0000-4000-8000-000000000002.tmp`
    for (const name of [fresh, stale]) await writeFile(join(artifacts, name), 'half')
    await utimes(join(artifacts, stale), new Date(0), new Date(0))
    await using store = await openDirectoryConfigStore({ directory: directory.path })
    expect(await store.listArtifacts(SHOP)).toEqual([])
    await store.putArtifact(SHOP, sha256, gzipped)
    expect((await store.listArtifacts(SHOP)).map((artifact) => artifact.sha256)).toEqual([sha256])
    expect((await readdir(artifacts)).toSorted()).toEqual([fresh, `${sha256}.gz`].toSorted())
  })

  it('says that it cannot be used when its place is taken by a file', async () => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'taken')
    await writeFile(path, '')
    await expect(openDirectoryConfigStore({ directory: path })).rejects.toMatchObject({
      code: 'CONFIG_STORE_UNAVAILABLE',
    })
  })
})
