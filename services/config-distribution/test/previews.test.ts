/** Previews on their way from composition records into manifests. */
import { type CompositionRecord, contentAfter, Manifest, type RecordedResult } from '@switchyard/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, openBench } from './setup.ts'
import { completed, composed, failed, firstPending, hash, removed } from './records.ts'

const FLAG = 'pr-481-0123456789abcdef'
const EXPIRES = '2026-12-01T00:00:00.000Z'
const LATER = '2026-12-05T00:00:00.000Z'

type PreviewInRecord = { readonly result: RecordedResult; readonly expires?: string; readonly pending?: true }

function withPreview(record: CompositionRecord, { result, expires = EXPIRES, pending }: PreviewInRecord) {
  if (record.type === 'graph.removed') return record
  const entry = { name: FLAG, unpublished: [], result, expires, ...(pending ? { pending } : {}) }
  return { ...record, previews: [entry] }
}

describe('what a record means for a preview', () => {
  const last = contentAfter(
    null,
    withPreview(completed(1, composed('base')), { result: composed('pr') }),
    null,
  )
  const after = (record: CompositionRecord, pinned = null as typeof last) =>
    contentAfter(last, record, pinned)?.previews
  const served = { [FLAG]: { artifact: hash('pr'), expires: EXPIRES } }

  it('serves it when it is composed, apart from the flags', () => {
    expect(last?.featureFlags).toEqual({})
    expect(last?.previews).toEqual(served)
  })

  it('lets it leave when it fails on a base that composes, or is listed no more', () => {
    expect(after(withPreview(completed(2, composed('base 2')), { result: failed() }))).toBeUndefined()
    expect(after(completed(2, composed('base 2')))).toBeUndefined()
    expect(after(completed(2, failed()))).toBeUndefined()
    expect(after(removed(2))).toBeUndefined()
  })

  it('keeps it when base fails as well, with the end that it has now', () => {
    const both = withPreview(completed(2, failed()), { result: failed(), expires: LATER })
    expect(after(both)).toEqual({ [FLAG]: { artifact: hash('pr'), expires: LATER } })
  })

  it('keeps its previous result while it is being composed, and makes a new one wait', () => {
    const base = completed(2, composed('base 2'))
    expect(after(withPreview(base, { result: composed('pr'), pending: true }))).toEqual(served)
    expect(after(withPreview(base, { result: failed(), pending: true }))).toEqual(served)
    expect(after(withPreview(base, { result: firstPending(), pending: true }))).toBeUndefined()
  })

  it('follows the newest record on a graph that is held', () => {
    const held = completed(2, composed('base 2'), {}, 1)
    const next = withPreview(held, { result: composed('pr 2') })
    expect(contentAfter(last, next, last)?.base).toEqual(last?.base)
    expect(after(next, last)).toEqual({ [FLAG]: { artifact: hash('pr 2'), expires: EXPIRES } })
    expect(after(held, last)).toBeUndefined()
  })
})

describe('previews in manifests', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench()
    await bench.artifacts('base', 'pr', 'pr 2')
  })
  afterEach(async () => {
    await bench[Symbol.asyncDispose]()
  })
  const manifests = async () => (await bench.configRecords()).map(({ manifest }) => JSON.parse(manifest))

  it('are a member that readers of before ignore, and their artifacts are in the store', async () => {
    await using service = bench.start()
    await bench.compose(withPreview(completed(1, composed('base')), { result: composed('pr') }))
    await service.idle()
    const [manifest] = await manifests()
    expect(manifest.featureFlags).toEqual({})
    expect(manifest.previews).toEqual({ [FLAG]: { artifact: hash('pr'), expires: EXPIRES } })
    const before = Manifest.omit({ previews: true }).parse(manifest)
    expect(JSON.stringify(before)).not.toContain(FLAG)
    expect(await bench.store.getArtifact({ namespace: 'default', graph: 'shop' }, hash('pr'))).not.toBeNull()
  })

  it('are a revision of their own when only their end changes, and when they leave', async () => {
    await using service = bench.start()
    for (const record of [
      withPreview(completed(1, composed('base')), { result: composed('pr') }),
      withPreview(completed(2, composed('base')), { result: composed('pr') }),
      withPreview(completed(3, composed('base')), { result: composed('pr'), expires: LATER }),
      completed(4, composed('base')),
    ]) {
      await bench.compose(record)
      await service.idle()
    }
    const ends = (await manifests()).map(({ previews }) => previews?.[FLAG]?.expires)
    expect(ends).toEqual([EXPIRES, LATER, undefined])
    expect((await bench.configRecords()).map(({ cause }) => cause.reason)).toEqual([
      'composition',
      'composition',
      'removal',
    ])
  })
})
