/** The documents that a router knows, by its settings. */
import type { RouterConfig } from '../config/router-config.ts'
import { AutomaticDocuments } from '../documents/automatic-documents.ts'
import { DocumentFiles } from '../documents/document-files.ts'
import { Documents } from '../documents/documents.ts'
import { KnownDocuments } from '../documents/known-documents.ts'
import { PublishedDocuments } from '../generations/published-documents.ts'
import type { SharedDocuments } from '../documents/shared-documents.ts'
import type { DocumentEvents } from '../observe/document-events.ts'
import type { SharedDocumentEvents } from '../observe/shared-document-events.ts'

/** What was opened; null: the settings know of no such documents. */
export type OpenDocuments = {
  readonly documents: Documents | null
  /** Of manifests. */
  readonly known: KnownDocuments | null
  readonly files: DocumentFiles | null
  readonly published: PublishedDocuments | null
}

/** The identifier as the appendix of GraphQL over HTTP names it. */
const DOCUMENT_ID = 'documentId'

type DocumentObservers = {
  readonly documents: DocumentEvents
  readonly sharedDocuments: SharedDocumentEvents
}

/** What is watched is handed to `parts`. Throws RouterConfigError, InvalidStoreAddressError. */
export async function openDocuments(
  { documents: config }: RouterConfig,
  { documents: events, sharedDocuments }: DocumentObservers,
  parts: AsyncDisposableStack,
): Promise<OpenDocuments> {
  const { mode, apq, manifests, maxManifestSize } = config
  if (mode === 'off' && !apq.enabled) return { documents: null, known: null, files: null, published: null }
  const known = mode === 'off' ? null : new KnownDocuments(events)
  const files =
    known === null || manifests.length === 0
      ? null
      : parts.use(await DocumentFiles.open({ config, known, events }))
  const published =
    known === null || !config.published ? null : new PublishedDocuments({ known, maxManifestSize, events })
  const documents = new Documents({
    mode,
    lists: () => known?.lists ?? null,
    automatic: apq.enabled ? new AutomaticDocuments(apq.maxSize) : null,
    shared: apq.redis === null ? null : await openShared(apq, apq.redis, sharedDocuments, parts),
    idParameters: [DOCUMENT_ID, ...config.idParameters],
    events,
  })
  return { documents, known, files, published }
}

type AutomaticConfig = RouterConfig['documents']['apq']

async function openShared(
  { timeout, keptFor, maxSize: maxWritten }: AutomaticConfig,
  { prefix, settings }: NonNullable<AutomaticConfig['redis']>,
  events: SharedDocumentEvents,
  parts: AsyncDisposableStack,
): Promise<SharedDocuments> {
  const [{ openRedisScripts }, { SharedDocuments: Shared }] = await Promise.all([
    import('@switchyard/config-store'),
    import('../documents/shared-documents.ts'),
  ])
  const redis = parts.use(await openRedisScripts(settings, 'switchyard-router-documents'))
  return new Shared({ redis, prefix, timeout, keptFor, maxWritten, events })
}
