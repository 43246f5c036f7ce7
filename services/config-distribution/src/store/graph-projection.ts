/**
 * Keeps the config store in line with one graph's log, and tells routers. A commit never waits for this: the
 * log is the truth, and the store follows it.
 */
import { configNoticeSubject } from '@switchyard/contracts'
import type { ConfigNotice, GraphName, ManifestContent } from '@switchyard/contracts'
import { ConfigStoreError } from '@switchyard/config-store'
import type { ConfigStore } from '@switchyard/config-store'
import type { Announcer, EventLog } from '@switchyard/event-log'
import { KEPT_REVISIONS, sweepArtifacts } from './artifact-sweep.ts'
import { artifactsOf, recentRevisions } from '../log/config-log.ts'
import type { Revision } from '../log/config-log.ts'
import type { ConfigDistributionEvents } from '../observe/events.ts'
import type { GraphHead } from './graph-head.ts'
import type { GraphPieces } from './graph-pieces.ts'
import type { Projection } from './projection.ts'

export type GraphProjectionParts = {
  readonly log: EventLog
  readonly store: ConfigStore
  readonly projection: Projection
  readonly announcer: Announcer
  /** Unix milliseconds. */
  readonly now: () => number
  readonly events: ConfigDistributionEvents
}

/** Null if no heads are written, since no router asks for them. */
type RenewableHead = Pick<GraphHead, 'renew'> | null

type ProjectionRequest = {
  /** True if the stored bytes are compared, too. */
  readonly verify: boolean
  /** True if routers are told even if nothing had to be written. */
  readonly announce: boolean
  readonly traceparent?: string | undefined
}

export class GraphProjection {
  readonly #graph: GraphName
  readonly #parts: GraphProjectionParts
  readonly #pieces: GraphPieces
  readonly #head: RenewableHead
  #request: ProjectionRequest | null = null
  #sweepDue = false

  constructor(graph: GraphName, parts: GraphProjectionParts, pieces: GraphPieces, head: RenewableHead) {
    this.#graph = graph
    this.#parts = parts
    this.#pieces = pieces
    this.#head = head
  }

  get isDue(): boolean {
    return this.#request !== null || this.#sweepDue
  }

  request(wanted: ProjectionRequest): void {
    const before = this.#request
    this.#request = {
      verify: wanted.verify || (before?.verify ?? false),
      announce: wanted.announce || (before?.announce ?? false),
      traceparent: wanted.traceparent ?? before?.traceparent,
    }
  }

  requestSweep(): void {
    this.#sweepDue = true
  }

  /**
   * Artifacts and their pieces go first, so that a router never reads a manifest whose artifacts are not
   * there. A store that is down is no reason to wait: nobody can read the manifest from it either, and the
   * projection puts both later, in this order.
   */
  async putNewArtifacts(content: ManifestContent, last: Revision | null): Promise<void> {
    const known = last === null ? new Set<string>() : artifactsOf(last.manifest)
    const { pieces, needed } = this.#pieces.putBefore(content)
    const added = [...(await needed)].filter((artifact) => !known.has(artifact))
    const { projection } = this.#parts
    await Promise.all([nullIfStoreFails(projection.putArtifacts(this.#graph, added, { content })), pieces])
  }

  /** The first attempt. If it fails, the projection stays due. */
  async attempt(last: Revision | null): Promise<Revision | null> {
    return (await nullIfStoreFails(this.run(last))) ?? last
  }

  /** Returns what the log says now: newer than `last` when another instance committed meanwhile. */
  async run(last: Revision | null): Promise<Revision | null> {
    const request = this.#request
    if (request === null || last === null) {
      this.#request = null
      return last
    }
    const { projection, events } = this.#parts
    const { revision, manifest, needed, artifacts } = await projection.project(this.#graph, last, {
      verify: request.verify,
      putPieces: (content) => this.#pieces.putBefore(content),
    })
    if (request.verify) this.#pieces.verify()
    // After the manifest, so that a router that reads both never finds a head without the manifest that it
    // names.
    await this.#head?.renew(revision.record)
    if (manifest === 'replaced' || (manifest === 'written' && !request.announce)) {
      events.manifestRepaired(this.#graph, revision, manifest)
    }
    if (manifest !== 'current' || request.announce) this.#announce(revision, request.traceparent)
    // If the rest fails, what was announced is not announced again.
    const rest = { ...request, announce: false }
    if (this.#request === request) this.#request = rest
    const others = [...artifactsOf(revision.manifest)].filter((artifact) => !needed.has(artifact))
    const content = revision.manifest
    const put = await projection.putArtifacts(this.#graph, others, { content, verify: request.verify })
    if (this.#request === rest) this.#request = null
    // Those of a new manifest were put just now, so these are the ones that the store has lost.
    const repaired = [...artifacts, ...put]
    if (repaired.length > 0 && manifest !== 'written') events.artifactsRepaired(this.#graph, repaired)
    return revision
  }

  async sweep(): Promise<void> {
    if (!this.#sweepDue) return
    this.#sweepDue = false
    const { log, store, now, events } = this.#parts
    let read: ReturnType<typeof recentRevisions> | null = null
    const revisions = () => (read ??= recentRevisions(log, this.#graph, KEPT_REVISIONS))
    try {
      const count = await sweepArtifacts(store, this.#graph, revisions, now())
      if (count > 0) events.artifactsSwept(this.#graph, count)
    } catch (error) {
      events.sweepFailed(this.#graph, 'artifacts', error)
    }
    this.#pieces.sweep(revisions, now())
  }

  #announce({ record: { epoch, revision } }: Revision, traceparent: string | undefined): void {
    const notice: ConfigNotice = { epoch, revision, ...(traceparent === undefined ? {} : { traceparent }) }
    this.#parts.announcer.announce(configNoticeSubject(this.#graph), notice)
  }
}

async function nullIfStoreFails<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ConfigStoreError) return null
    throw error
  }
}
