import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GraphKey } from '@switchyard/config-store'
import { describe, expect, it } from 'vitest'
import { createConfigStoreSource } from '../../src/generations/follow/config-store-source.ts'
import { createLastKnownGood, type KeptGeneration } from '../../src/generations/copy/last-known-good.ts'
import type { VerifiedConfig } from '../../src/generations/offered-config.ts'
import { verifyArtifacts } from '../../src/generations/verify/verify-artifacts.ts'
import { createManifestVerifier } from '../../src/generations/verify/verify-manifest.ts'
import { type BuiltArtifact, buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH, type Publication } from '../support/config-world.ts'

/** As many artifacts as wanted, all different. */
const artifactNumber = (port: number): BuiltArtifact =>
  buildArtifact('base', { products: `http://127.0.0.1:${port}/`, reviews: 'http://127.0.0.1:1/' })

async function copies(use: AsyncDisposableStack) {
  const world = use.use(await ConfigWorld.create())
  const verify = createManifestVerifier(world.keys)
  const source = createConfigStoreSource(world.store, verify)
  return {
    world,
    file: join(world.copies, 'default.shop.json'),
    folder: join(world.copies, 'default.shop.artifacts'),
    /** As a router that was started just now has it. */
    open: () => createLastKnownGood(world.copies, verify),
    async config(publication: Publication): Promise<VerifiedConfig> {
      await world.publish(publication)
      const stored = await source.read(GRAPH)
      if (stored === null) throw new Error('nothing was published')
      const offer = await source.offer(publication.graph ?? GRAPH, stored)
      const { base } = offer
      if (base === null) throw new Error('a tombstone')
      const readArtifact = (sha256: string) => world.store.getArtifact(GRAPH, sha256)
      return verifyArtifacts({ ...offer, base, readArtifact })
    },
  }
}

type Copies = Awaited<ReturnType<typeof copies>>

/** What a router would start with: everything checked. */
async function readWhole({ open }: Copies, graph: GraphKey = GRAPH, which: KeptGeneration = 'newest') {
  const offer = await open().read(graph, which)
  if (offer === null) return null
  const { base } = offer
  if (base === null) throw new Error('a tombstone')
  const { artifacts, version } = await verifyArtifacts({ ...offer, base })
  return { revision: version.revision, artifacts: [...artifacts.keys()].sort() }
}

/** The files of artifacts with the inode, which is another one when a file was written again. */
async function inodes(folder: string): Promise<Readonly<Record<string, number>>> {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  )
}

describe('the last-known-good copy', () => {
  it('writes an artifact once, and lets go of those that neither its file nor the one before names', async () => {
    await using use = new AsyncDisposableStack()
    const copy = await copies(use)
    const [base, first, second] = [artifactNumber(1), artifactNumber(2), artifactNumber(3)] as const
    const name = ({ sha256 }: BuiltArtifact) => `${sha256}.gz`
    const lastKnownGood = copy.open()

    await lastKnownGood.write(GRAPH, await copy.config({ revision: 1, base, flags: { a: first } }))
    const one = await inodes(copy.folder)
    expect(Object.keys(one)).toEqual([name(base), name(first)].sort())

    await lastKnownGood.write(GRAPH, await copy.config({ revision: 2, base, flags: { b: second } }))
    const two = await inodes(copy.folder)
    expect(two).toEqual({ ...one, [name(second)]: two[name(second)] })
    expect(Object.keys(two)).toHaveLength(3)

    // The revision before no longer named the first flag; a write after it lets go of it.
    await lastKnownGood.write(GRAPH, await copy.config({ revision: 3, base, flags: { b: second } }))
    await lastKnownGood.write(GRAPH, await copy.config({ revision: 4, base, flags: { b: second } }))
    const { [name(first)]: _, ...rest } = two
    expect(await inodes(copy.folder)).toEqual(rest)
    expect(await readWhole(copy)).toEqual({ revision: 4, artifacts: [base.sha256, second.sha256].sort() })
  })

  it('keeps the config that was served before, as long as a router could start from it', async () => {
    await using use = new AsyncDisposableStack()
    const copy = await copies(use)
    const [one, two, three] = [artifactNumber(1), artifactNumber(2), artifactNumber(3)] as const
    const first = copy.open()
    await first.write(GRAPH, await copy.config({ revision: 1, base: one }))
    expect(await readWhole(copy, GRAPH, 'before')).toBe(null)
    const config = await copy.config({ revision: 2, base: two })
    await first.write(GRAPH, config)
    const before = { revision: 1, artifacts: [one.sha256] }
    expect(await readWhole(copy, GRAPH, 'before')).toEqual(before)
    // The same config again is no other generation.
    await copy.open().write(GRAPH, config)
    expect(await readWhole(copy, GRAPH, 'before')).toEqual(before)
    const undo = await first.write(GRAPH, await copy.config({ revision: 3, base: three }))
    expect((await readWhole(copy, GRAPH, 'before'))?.revision).toBe(2)
    await undo()
    expect((await readWhole(copy))?.revision).toBe(2)
    expect(await readWhole(copy, GRAPH, 'before')).toEqual(before)
    // What is damaged takes no whole one's place.
    await writeFile(join(copy.folder, `${two.sha256}.gz`), two.gzipped.subarray(0, 40))
    await copy.open().write(GRAPH, await copy.config({ revision: 4, base: three }))
    expect((await readWhole(copy))?.revision).toBe(4)
    expect(await readWhole(copy, GRAPH, 'before')).toEqual(before)
  })

  it('is put back with its artifacts when what followed could not be served', async () => {
    await using use = new AsyncDisposableStack()
    const copy = await copies(use)
    const [base, flag, other] = [artifactNumber(1), artifactNumber(2), artifactNumber(3)] as const
    const lastKnownGood = copy.open()
    await lastKnownGood.write(GRAPH, await copy.config({ revision: 1, base, flags: { a: flag } }))
    const undo = await lastKnownGood.write(GRAPH, await copy.config({ revision: 2, base: other }))
    expect(await readWhole(copy)).toEqual({ revision: 2, artifacts: [other.sha256] })
    await undo()
    expect(await readWhole(copy)).toEqual({ revision: 1, artifacts: [base.sha256, flag.sha256].sort() })
  })

  it('repairs an artifact that was damaged or removed when it writes again, and leaves the whole ones', async () => {
    await using use = new AsyncDisposableStack()
    const copy = await copies(use)
    const [base, flag, other] = [artifactNumber(1), artifactNumber(2), artifactNumber(3)] as const
    const flags = { a: flag, b: other }
    const config = await copy.config({ revision: 1, base, flags })
    await copy.open().write(GRAPH, config)
    const before = await inodes(copy.folder)
    await writeFile(join(copy.folder, `${flag.sha256}.gz`), flag.gzipped.subarray(0, 40))
    await expect(readWhole(copy)).rejects.toThrow('cannot be unpacked')

    const lastKnownGood = copy.open()
    await lastKnownGood.write(GRAPH, config)
    const whole = { revision: 1, artifacts: [base, flag, other].map(({ sha256 }) => sha256).sort() }
    expect(await readWhole(copy)).toEqual(whole)
    const after = await inodes(copy.folder)
    const untouched = `${base.sha256}.gz`
    expect(after[untouched]).toBe(before[untouched])

    await rm(join(copy.folder, `${other.sha256}.gz`))
    await expect(readWhole(copy)).rejects.toThrow('is not there')
    await lastKnownGood.write(GRAPH, config)
    expect(await readWhole(copy)).toEqual(whole)
  })

  it('is usable beside what a router left that was killed while it wrote, and that is removed', async () => {
    await using use = new AsyncDisposableStack()
    const copy = await copies(use)
    const [base, next] = [artifactNumber(1), artifactNumber(2)] as const
    const config = await copy.config({ revision: 1, base })
    await copy.open().write(GRAPH, config)
    await writeFile(join(copy.folder, `${next.sha256}.gz`), next.gzipped)
    await writeFile(join(copy.folder, `.${next.sha256}.gz.tmp`), next.gzipped.subarray(0, 10))
    expect(await readWhole(copy)).toEqual({ revision: 1, artifacts: [base.sha256] })
    await copy.open().write(GRAPH, config)
    expect(await readdir(copy.folder)).toEqual([`${base.sha256}.gz`])
  })

  it('is kept for graphs with names longer than file systems allow', async () => {
    await using use = new AsyncDisposableStack()
    const copy = await copies(use)
    const graph = { namespace: 'default', graph: 'A'.repeat(100) }
    const other = { namespace: 'default', graph: `${'A'.repeat(99)}B` }
    const base = artifactNumber(1)
    await copy.open().write(graph, await copy.config({ revision: 4, base, graph }))
    expect(await readWhole(copy, graph)).toEqual({ revision: 4, artifacts: [base.sha256] })
    expect(await readWhole(copy, other)).toBe(null)
  })
})
