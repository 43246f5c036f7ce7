/** Documents of manifests while settings come and go. */
import { readManifest } from '@switchyard/documents'
import { createLogger } from '@switchyard/service-kit'
import { expect, it } from 'vitest'
import { KnownDocuments } from '../../../src/concerns/documents/known-documents.ts'
import { DocumentEvents } from '../../../src/concerns/documents/events.ts'

class Counted extends DocumentEvents {
  known = 0
  override read(documents: number, before: number): void {
    this.known += documents - before
  }
  override letGo(documents: number): void {
    this.known -= documents
  }
}

it('documents that are read while nobody uses them any more are not counted', async () => {
  const events = new Counted(createLogger({ name: 'router', level: 'silent' }))
  const known = new KnownDocuments(events)
  const manifestOf = async (texts: Readonly<Record<string, string>>) => ({
    name: 'm',
    clients: null,
    documents: await readManifest(Buffer.from(JSON.stringify(texts))),
  })
  const manifest = await manifestOf({ a: '{ a }' })
  await known.use({ files: [manifest] })
  expect(events.known).toBe(1)
  let changes = 0
  known.onChanged(() => changes++)
  const more = await manifestOf({ b: '{ b }' })
  const late = known.use({ files: [manifest, more] })
  known[Symbol.dispose]()
  await late
  expect([events.known, changes]).toEqual([0, 0])
})
