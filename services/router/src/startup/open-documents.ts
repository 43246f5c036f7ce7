/** The documents that a router knows, by its settings. What other settings leave alone goes on. */
import type { RouterConfig } from '../config/router-config.ts'
import { AutomaticDocuments } from '../concerns/documents/automatic-documents.ts'
import { DocumentFiles } from '../concerns/documents/document-files.ts'
import { Documents } from '../concerns/documents/documents.ts'
import { KnownDocuments } from '../concerns/documents/known-documents.ts'
import type { SharedDocuments } from '../concerns/documents/shared-documents.ts'
import { PublishedManifests } from '../generations/published-documents.ts'
import type { DocumentEvents } from '../concerns/documents/events.ts'
import type { SharedDocumentEvents } from '../concerns/documents/shared-events.ts'
import { REDIS_TIMEOUT_MS } from '../stores/answer-in-time.ts'
import { KeptPart } from './kept-part.ts'

/**
 * The documents under one version of the settings. A member is null if the settings name no such documents.
 */
export type OpenDocuments = {
  readonly documents: Documents | null
  /** The documents of manifests. */
  readonly known: KnownDocuments | null
  readonly files: DocumentFiles | null
}

/** The identifier as the appendix of GraphQL over HTTP names it. */
const DOCUMENT_ID = 'documentId'
const NONE: OpenDocuments = { documents: null, known: null, files: null }

type DocumentObservers = {
  readonly documents: DocumentEvents
  readonly sharedDocuments: SharedDocumentEvents
}
type DocumentsConfig = RouterConfig['documents']
type ManifestConfig = Pick<DocumentsConfig, 'manifests' | 'maxManifestSize' | 'reloadInterval'>
type Listed = { readonly known: KnownDocuments; readonly files: DocumentFiles | null }
type ApqConfig = DocumentsConfig['apq']
type SharedConfig = ApqConfig & { readonly redis: NonNullable<ApqConfig['redis']> }

/** Opens the documents of one version of the settings after the other. */
export class DocumentParts {
  /** Manifests that were published for the graph; null if they are not used. */
  readonly published: PublishedManifests | null
  readonly #events: DocumentEvents
  readonly #listed: KeptPart<ManifestConfig, Listed>
  readonly #automatic: KeptPart<Pick<ApqConfig, 'maxSize'>, AutomaticDocuments>
  readonly #shared: KeptPart<SharedConfig, SharedDocuments>

  /** `inForce`: the settings at this moment. `redisTimeout`: milliseconds for an answer of Redis. */
  constructor(
    inForce: () => RouterConfig,
    { documents: events, sharedDocuments }: DocumentObservers,
    redisTimeout: number = REDIS_TIMEOUT_MS,
  ) {
    this.#events = events
    const maxManifestSize = () => inForce().documents.maxManifestSize
    const published = inForce().documents.published
      ? new PublishedManifests({ maxManifestSize, events })
      : null
    this.published = published
    this.#listed = new KeptPart(async (config, parts) => {
      const known = parts.use(new KnownDocuments(events))
      if (published !== null) parts.use(await published.attach(known))
      const hasFiles = config.manifests.length > 0
      const files = hasFiles ? parts.use(await DocumentFiles.open({ config, known, events })) : null
      return { known, files }
    })
    this.#automatic = new KeptPart(({ maxSize }) => new AutomaticDocuments(maxSize))
    this.#shared = new KeptPart((config, parts) => openShared(config, redisTimeout, sharedDocuments, parts))
  }

  /**
   * Opens the documents, and hands their parts to `parts`. Throws RouterConfigError,
   * InvalidStoreAddressError.
   */
  async open({ documents: config }: RouterConfig, parts: AsyncDisposableStack): Promise<OpenDocuments> {
    const { mode, apq, manifests, maxManifestSize, reloadInterval } = config
    if (mode === 'off' && !apq.enabled) return NONE
    const files = { manifests, maxManifestSize, reloadInterval }
    const listed = mode === 'off' ? null : parts.use(await this.#listed.hold(files)).part
    const { maxSize } = apq
    const documents = new Documents({
      mode,
      lists: () => listed?.known.lists ?? null,
      automatic: apq.enabled ? parts.use(await this.#automatic.hold({ maxSize })).part : null,
      shared: isShared(apq) ? parts.use(await this.#shared.hold(apq)).part : null,
      idParameters: [DOCUMENT_ID, ...config.idParameters],
      events: this.#events,
    })
    return { documents, known: listed?.known ?? null, files: listed?.files ?? null }
  }
}

function isShared(apq: ApqConfig): apq is SharedConfig {
  return apq.enabled && apq.redis !== null
}

async function openShared(
  { keptFor, maxSize: maxWritten, redis: { prefix, settings } }: SharedConfig,
  timeout: number,
  events: SharedDocumentEvents,
  parts: AsyncDisposableStack,
): Promise<SharedDocuments> {
  const [{ openRedisScripts }, { SharedDocuments: Shared }] = await Promise.all([
    import('@switchyard/config-store'),
    import('../concerns/documents/shared-documents.ts'),
  ])
  const redis = parts.use(await openRedisScripts(settings, 'switchyard-router-documents'))
  return new Shared({ redis, prefix, timeout, keptFor, maxWritten, events })
}
