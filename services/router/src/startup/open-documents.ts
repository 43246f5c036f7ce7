/** The documents that a router knows, by its settings. */
import type { RouterConfig } from '../config/router-config.ts'
import { AutomaticDocuments } from '../documents/automatic-documents.ts'
import { DocumentFiles } from '../documents/document-files.ts'
import { Documents } from '../documents/documents.ts'
import type { DocumentEvents } from '../observe/document-events.ts'

/** What was opened; null: the settings know of no documents. */
export type OpenDocuments = { readonly documents: Documents | null; readonly files: DocumentFiles | null }

/** The identifier as the appendix of GraphQL over HTTP names it. */
const DOCUMENT_ID = 'documentId'

/** What is watched is handed to `parts`. Throws RouterConfigError. */
export async function openDocuments(
  { documents: config }: RouterConfig,
  events: DocumentEvents,
  parts: AsyncDisposableStack,
): Promise<OpenDocuments> {
  const { mode, apq } = config
  if (mode === 'off' && !apq.enabled) return { documents: null, files: null }
  const files = mode === 'off' ? null : parts.use(await DocumentFiles.open(config, events))
  const documents = new Documents({
    mode,
    lists: () => files?.lists ?? null,
    automatic: apq.enabled ? new AutomaticDocuments(apq.maxSize) : null,
    idParameters: [DOCUMENT_ID, ...config.idParameters],
    events,
  })
  return { documents, files }
}
