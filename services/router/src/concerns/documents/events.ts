/** Documents that the router knows: what they are read from, who uses them, and which no longer fit. */
import { hash } from 'node:crypto'
import { metrics } from '@opentelemetry/api'
import {
  createCheapCounter,
  declareCounter,
  declareGauge,
  logEvent,
  type Logger,
} from '@switchyard/service-kit'
import { MAX_HASH, MAX_LOGGED } from '../../observe/logged.ts'
import { RecentTexts } from '../../memory/recent-texts.ts'
import { METER } from '../../observe/meter.ts'

/** The way in which a request named its document. */
export type DocumentUse = 'by-id' | 'listed-text' | 'unlisted-text' | 'automatic' | 'automatic-new'

/** A document that a composition cannot answer, and why. */
export type UnfitDocument = {
  readonly id: string
  readonly operation: string | null
  readonly reason: string
}

/** Most documents in one log line. */
const MAX_LISTED = 20
const MAX_REASON = 200
/** About texts in no manifest: so many lines within so many milliseconds. */
const MAX_LINES = 50
const WINDOW_MS = 10_000
const TOLD_BYTES = 1024 * 1024
const NAME = /\b(?:query|mutation)\s+([_A-Za-z]\w*)/
/** Characters at the beginning of a document in which the name of its operation is looked for. */
const HEAD = 2000

export const DOCUMENT_REQUESTS = declareCounter('switchyard.router.document_requests', {
  description: 'Requests of clients by how the router came to their document, where documents are known',
  labels: { use: ['by-id', 'listed-text', 'unlisted-text', 'automatic', 'automatic-new'] },
})

export const DOCUMENTS = declareGauge('switchyard.router.documents', {
  description: 'Documents of the manifests that are used',
})

export const UNFIT_DOCUMENTS = declareGauge('switchyard.router.unfit_documents', {
  description: 'Documents of the manifests that are not valid, of all compositions in memory together',
})

/** The log events of this file. */
export const LOGGED = {
  unlisted: logEvent('documents.unlisted', {
    level: 'warn',
    fields: ['client', 'operation', 'sha256'],
    says: 'With `documents.mode: log_unknown`, a document was executed that is in no manifest for its client. One line for each document, at most 50 in 10 seconds.',
    advice: 'Add it to a manifest before you choose `safelist`',
  }),
  read: logEvent('documents.read', {
    level: 'info',
    fields: ['documents', 'before'],
    says: 'The [manifests of documents](persisted-documents.md) were read, at the start or because they have changed. `documents`: how many documents are known now; `before`: how many were known.',
  }),
  notRead: logEvent('documents.not-read', {
    level: 'error',
    fields: ['problems'],
    says: 'The manifests of documents have changed and cannot be used: those read before stay, and they are tried again',
    advice:
      'Write them again, each as a new file that you rename; the router tries again at every `documents.reload_interval`',
  }),
  publishedNotUsed: logEvent('documents.published-not-used', {
    level: 'error',
    fields: ['problems'],
    says: 'Manifests of documents that were published for the graph cannot be used: those used before stay',
    advice: 'Correct and publish each of them again, or delete it',
  }),
  unfit: logEvent('documents.unfit', {
    level: 'warn',
    fields: ['artifact', 'documents', 'unfit', 'listed'],
    says: 'Some documents of the manifests are not valid for this composition (`unfit` of `documents`). `listed`: the first 20, with `id`, `operation` and `reason`.',
    advice: 'Clients that send them get errors: correct the schema, or release clients without them',
  }),
}

/** Counts and logs what becomes of documents. */
export class DocumentEvents {
  readonly #log: Logger
  readonly #uses = createCheapCounter(METER, DOCUMENT_REQUESTS)
  readonly #known
  readonly #unfit
  /** Hashes of texts that the log has told of. */
  readonly #told = new RecentTexts<true>(TOLD_BYTES)
  #window = { ends: 0, lines: 0 }

  constructor(logger: Logger) {
    this.#log = logger
    const meter = metrics.getMeter(METER)
    this.#known = meter.createUpDownCounter(DOCUMENTS.name, DOCUMENTS.options)
    this.#unfit = meter.createUpDownCounter(UNFIT_DOCUMENTS.name, UNFIT_DOCUMENTS.options)
  }

  used(use: DocumentUse): void {
    this.#uses.of(use).record(1)
  }

  /** A text that is in no manifest is carried out all the same. */
  unlistedText(client: string, operationName: string | null, text: string): void {
    this.used('unlisted-text')
    const sha256 = hash('sha256', text)
    if (this.#told.get(sha256) === true || !this.#mayTell()) return
    this.#told.set(sha256, true)
    const operation = (operationName ?? NAME.exec(text.slice(0, HEAD))?.[1] ?? null)?.slice(0, MAX_LOGGED)
    LOGGED.unlisted.write(
      this.#log,
      { client, operation, sha256 },
      'A document was carried out that is in no manifest for its client (documents.mode: log_unknown)',
    )
  }

  #mayTell(): boolean {
    const now = performance.now()
    if (now >= this.#window.ends) this.#window = { ends: now + WINDOW_MS, lines: 0 }
    return ++this.#window.lines <= MAX_LINES
  }

  /** `before`: how many there were. */
  read(documents: number, before: number): void {
    this.#known.add(documents - before)
    LOGGED.read.write(this.#log, { documents, before }, 'The manifests of documents were read')
  }

  /** Other settings are in force, and requests do not need these documents any more. */
  letGo(documents: number): void {
    this.#known.add(-documents)
  }

  notRead(problems: readonly string[]): void {
    LOGGED.notRead.write(this.#log, { problems })
  }

  publishedNotUsed(problems: readonly string[]): void {
    LOGGED.publishedNotUsed.write(this.#log, { problems })
  }

  /** `before`: how many did not fit when the composition was checked last. */
  checked(artifact: string, documents: number, unfit: readonly UnfitDocument[], before: number): void {
    this.#unfit.add(unfit.length - before)
    const [first] = unfit
    if (first === undefined) return
    const listed = unfit.slice(0, MAX_LISTED).map(({ id, operation, reason }) => ({
      id: id.slice(0, MAX_LOGGED),
      operation: operation?.slice(0, MAX_LOGGED) ?? null,
      reason: reason.slice(0, MAX_REASON),
    }))
    LOGGED.unfit.write(
      this.#log,
      { artifact: artifact.slice(0, MAX_HASH), documents, unfit: unfit.length, listed },
      `${unfit.length} of ${documents} documents cannot be answered by a composition: clients that send them get errors`,
    )
  }

  /** A composition is gone for which so many did not fit. */
  forgotten(unfit: number): void {
    this.#unfit.add(-unfit)
  }
}
