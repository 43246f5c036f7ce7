/**
 * A writer that dies between any two writes to the config store. Whatever it left there, no reader finds a
 * manifest without its whole artifacts, or a list without its chunks, and the next writer completes it.
 */
import { ConfigStoreUnavailableError } from '@switchyard/config-store'
import type { ConfigStore } from '@switchyard/config-store'
import type { RecordedResult } from '@switchyard/contracts'
import { parsePieceList } from '@switchyard/contracts/artifact-pieces'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { completed, composed, composedInPieces, cut, GRAPH, hash } from './records.ts'
import { type Bench, intercepted, openBench, servedManifest, unusablePieces } from './setup.ts'

/** Each run starts a service for each write. */
const run = new RandomRun(import.meta.url, 2, 20)

const CHUNKS = ['type A\n', 'type B\n', 'type C\n', 'type D\n']
const ARTIFACT = fc.record({
  chunks: fc.subarray(CHUNKS, { minLength: 1 }),
  isInPieces: fc.boolean(),
})
/** A base and flags, all of them whole and some of them in pieces as well. */
const STEP = fc.record({ base: ARTIFACT, flags: fc.dictionary(fc.constantFrom('a', 'b'), ARTIFACT) })
type Drawn = { readonly chunks: readonly string[]; readonly isInPieces: boolean }
type Step = { readonly base: Drawn; readonly flags: Readonly<Record<string, Drawn>> }

it(
  'leaves nothing that a reader or the next writer could trip over',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 3 }), async (steps) => {
        for (let writes = 0; await isCutShort(steps, writes); writes += 1);
      }),
      run.parameters,
    )
  },
  run.timeout(120_000),
)

/** Publishes these steps, and dies after so many writes. Returns false if there were no more of them. */
async function isCutShort(steps: readonly Step[], writes: number): Promise<boolean> {
  await using bench = await openBench()
  const dying = storeFor(bench.store, writes)
  const compose = async (step: Step, index: number): Promise<void> => {
    const base = await stored(bench, `base ${index}`, step.base)
    const flags: Record<string, RecordedResult> = {}
    for (const [name, artifact] of Object.entries(step.flags))
      flags[name] = await stored(bench, `${name} ${index}`, artifact)
    await bench.compose(completed(index + 1, base, flags))
  }
  {
    await using service = bench.start({ store: dying.store })
    for (const [index, step] of steps.entries()) {
      await compose(step, index)
      if (!dying.isDead()) await Promise.race([service.idle(), dying.death])
    }
  }
  await expectUsable(bench)
  await using next = bench.start()
  await next.idle()
  const manifest = await servedManifest(bench.store, bench.signingKey)
  expect(manifest?.registrySequence).toBe(steps.length)
  if (manifest !== null) expect(await unusablePieces(bench.store, manifest)).toEqual([])
  await expectUsable(bench)
  return dying.isDead()
}

/** Throws if a manifest lacks a whole artifact, or a list a chunk. */
async function expectUsable({ store, signingKey }: Bench): Promise<void> {
  await servedManifest(store, signingKey)
  const pieces = new Set((await store.listPieces(GRAPH)).map(({ sha256 }) => sha256))
  for (const name of pieces) {
    const text = gunzipSync((await store.getPiece(GRAPH, name)) ?? '').toString('utf8')
    expect(hash(text)).toBe(name)
    if (!text.startsWith('{')) continue
    for (const { sha256 } of parsePieceList(Buffer.from(text)).chunks) expect(pieces).toContain(sha256)
  }
}

async function stored(bench: Bench, name: string, { chunks, isInPieces }: Drawn): Promise<RecordedResult> {
  if (!isInPieces) {
    await bench.artifacts(name)
    return composed(name)
  }
  const artifact = cut(name, chunks)
  await bench.cutArtifacts(artifact)
  return composedInPieces(artifact)
}

/** The same store for a process that dies after so many writes. */
function storeFor(store: ConfigStore, writes: number) {
  const death = Promise.withResolvers<void>()
  let left = writes
  let isDead = false
  const write = (): void => {
    left -= 1
    if (left >= 0) return
    isDead = true
    death.resolve()
    throw new ConfigStoreUnavailableError('the process died')
  }
  const dying = intercepted(store, async (method, args) => {
    if (method !== 'putPieces') return /^(?:put|replace|renew|delete)/.test(method) && write()
    // Each of the pieces is a write of its own.
    for (const piece of args[1] instanceof Map ? args[1] : []) {
      write()
      await store.putPieces(GRAPH, new Map([piece]))
    }
  })
  return { store: dying, death: death.promise, isDead: () => isDead }
}
