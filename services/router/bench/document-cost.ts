/**
 * Measures the time to find the document of a request, in microseconds for each request: an identifier of a
 * manifest, a text of it, the same text with other white space, and a text that is in no manifest.
 *
 *     node services/router/bench/document-cost.ts [documents]
 */
import { hash } from 'node:crypto'
import { createLogger } from '@switchyard/service-kit'
import { askedDocument } from '../src/concerns/documents/asked-document.ts'
import { AutomaticDocuments } from '../src/concerns/documents/automatic-documents.ts'
import { DocumentLists } from '../src/concerns/documents/document-list.ts'
import { Documents, type DocumentsMode } from '../src/concerns/documents/documents.ts'
import { readManifest } from '@switchyard/documents'
import { DocumentEvents } from '../src/concerns/documents/events.ts'
import { paramsOfBody } from '../src/request/graphql-params.ts'

const ROUNDS = 200_000
const count = Number(process.argv[2] ?? 1000)

const text = (name: string): string =>
  `query ${name}($first: Int) { topProducts(first: $first) { upc name price reviews { body author { name } } } }`
const texts = Array.from({ length: count }, (_, index) => text(`Operation${index}`))
const manifest = Object.fromEntries(texts.map((one) => [hash('sha256', one), one]))
const began = performance.now()
const documents = await readManifest(Buffer.from(JSON.stringify(manifest)))
const lists = await DocumentLists.of([{ name: 'manifest', clients: null, documents }], 1)
process.stdout.write(`reading ${count} documents: ${(performance.now() - began).toFixed(0)} ms\n`)

const events = new DocumentEvents(createLogger({ name: 'router', level: 'silent' }))
const known = (mode: DocumentsMode, automatic: AutomaticDocuments | null = null): Documents =>
  new Documents({ mode, lists: () => lists, automatic, idParameters: ['documentId', 'doc_id'], events })
const automatic = new AutomaticDocuments(1024 * 1024)
const added = text('Added')
automatic.add(hash('sha256', added), added, '192.0.2.1')

const first = texts[0] ?? ''
const apq = (of: string) => ({ persistedQuery: { version: 1, sha256Hash: hash('sha256', of) } })
measure('off, a text', null, { query: first })
measure('by identifier', known('ids_only'), { documentId: hash('sha256', first) })
measure('by identifier, as Apollo sends it', known('ids_only'), { extensions: apq(first) })
measure('by identifier, with the text', known('safelist'), { query: first, extensions: apq(first) })
measure('by text', known('safelist'), { query: first })
measure('by text with other white space', known('safelist'), { query: first.replaceAll(' ', '  ') })
measure('in no manifest', known('log_unknown'), { query: text('Unlisted') })
measure('automatic', known('allow', automatic), { extensions: apq(added) })

/** Reading the body is not counted. */
function measure(name: string, of: Documents | null, body: Readonly<Record<string, unknown>>): void {
  const params = paramsOfBody(JSON.stringify(body))
  const client = { name: '', address: '192.0.2.1', operationName: null }
  const list = of?.listOf('') ?? null
  let characters = 0
  const round = (): void => {
    const found =
      of === null ? params.query : of.resolve(askedDocument(params, of.idParameters), list, client)
    characters += found?.length ?? 0
  }
  for (let index = 0; index < ROUNDS / 10; index++) round()
  const { user, system } = process.cpuUsage()
  for (let index = 0; index < ROUNDS; index++) round()
  const used = process.cpuUsage({ user, system })
  const each = (used.user + used.system) / ROUNDS
  process.stdout.write(`${name}: ${each.toFixed(2)} µs${characters === 0 ? ' (nothing was found)' : ''}\n`)
}
