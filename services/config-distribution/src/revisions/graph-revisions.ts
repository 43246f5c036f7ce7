/**
 * Decides what the next revision of one graph is, and commits it: the append to the config log is the commit.
 *
 * Several instances may do this at once; the expected sequence of the append lets one of them win, and the
 * others read what it wrote.
 */
import {
  configSubject,
  contentAfter,
  EXECUTION_CONFIG_FORMAT,
  keepsServed,
  sameContent,
} from '@switchyard/contracts'
import type {
  CompositionRecord,
  ConfigRecord,
  GraphName,
  Manifest,
  ManifestContent,
  RouterHeartbeat,
} from '@switchyard/contracts'
import { AppendConflictError, AppendOutcomeUnknownError } from '@switchyard/event-log'
import type { EventLog } from '@switchyard/event-log'
import { findRevision, lastRevision, revisionOf } from '../log/config-log.ts'
import type { Revision } from '../log/config-log.ts'
import { Epochs } from './epochs.ts'
import type { ConfigDistributionEvents } from '../observe/events.ts'
import { publishReason } from './publish-reason.ts'
import { isSignedWith, manifestText, signManifest } from '../log/sign-manifest.ts'
import type { SigningKey } from '../log/signing-key.ts'
import { ManifestFacts, type ManifestFactsParts } from './manifest-facts.ts'
import { UnpinnedContent } from './unpinned-content.ts'

/** A composition record and its place in the log. */
export type LoggedComposition = { readonly sequence: number; readonly record: CompositionRecord }

export type GraphRevisionsParts = ManifestFactsParts & {
  readonly log: EventLog
  readonly signingKey: SigningKey
  /** Unix milliseconds. */
  readonly now: () => number
  readonly events: ConfigDistributionEvents
}

export class GraphRevisions {
  readonly #graph: GraphName
  readonly #parts: GraphRevisionsParts
  readonly #unpinned: UnpinnedContent
  readonly #epochs: Epochs
  readonly #facts: ManifestFacts
  #last: Revision | null = null
  #isCurrent = false
  #pinned: Revision | null = null
  #signedByAnother = false

  constructor(graph: GraphName, parts: GraphRevisionsParts) {
    this.#graph = graph
    this.#parts = parts
    this.#unpinned = new UnpinnedContent(parts.log, graph)
    this.#epochs = new Epochs(parts.now)
    this.#facts = new ManifestFacts(parts)
  }

  get last(): Revision | null {
    return this.#last
  }

  /** Sequence of the last composition record that a revision carries out. */
  get carriedOut(): number {
    return this.#last?.record.cause.compositionSequence ?? 0
  }

  /** False if the log may hold more than this. */
  get isCurrent(): boolean {
    return this.#isCurrent
  }

  /**
   * The last revision was signed with a key that this instance does not have, or routers would not take it,
   * since the log was set back.
   */
  get mustBePublishedAgain(): boolean {
    return this.#signedByAnother || (this.#last !== null && this.#epochs.isDue(this.#last))
  }

  /**
   * Notes a router that serves a version unknown to the log. `believed` is true if it proved to be a router.
   */
  heardAhead(heartbeat: RouterHeartbeat, believed: boolean): void {
    this.#epochs.heard(heartbeat, believed)
  }

  outdated(): void {
    this.#isCurrent = false
  }

  async read(): Promise<void> {
    if (this.#isCurrent) return
    const { log, signingKey } = this.#parts
    const before = this.#last
    this.#last = await lastRevision(log, this.#graph)
    // The log was imported, or the key was replaced. Checked only at the first look: two instances with
    // different keys would otherwise replace each other's signature for ever.
    if (before === null && this.#last !== null) {
      this.#signedByAnother = !(await isSignedWith(this.#last.record, signingKey))
      if (this.#signedByAnother) this.#parts.events.signedByAnother(this.#graph, this.#last)
    }
    this.#isCurrent = true
  }

  /** The projection found a newer one in the log. */
  adopt(revision: Revision): void {
    this.#last = revision
  }

  /** Resolves when this instance has read all that decided the rollouts of the last revision. */
  async requireFacts(): Promise<void> {
    await this.#facts.require(this.#last)
  }

  /**
   * Returns the content to serve after these records. Null if there is nothing to serve, or if the last
   * revision has it already and nobody asked to publish it once more.
   */
  async wanted(records: readonly LoggedComposition[]): Promise<ManifestContent | null> {
    let content: ManifestContent | null = this.#last?.manifest ?? null
    for (const { sequence, record } of records) content = await this.#contentAfter(content, sequence, record)
    const isAsked = republishedBy(records.at(-1)) > republishedBy(this.#last)
    return content === null || (!isAsked && this.#isServed(content)) ? null : content
  }

  /**
   * Commits a revision. Returns false if another instance was first, or may have been; everything has to be
   * read again then.
   */
  async commit(
    content: ManifestContent,
    newest: LoggedComposition | undefined,
    traceparent: string,
  ): Promise<boolean> {
    const { log, now, signingKey, events } = this.#parts
    const last = this.#last
    const time = now()
    const republished = Math.max(republishedBy(newest), republishedBy(last))
    const isAsked = republished > republishedBy(last)
    const isEpoch = last === null || isAsked || this.#epochs.isDue(last)
    // Numbers count on in a new epoch, so that a pin and the history name one revision each.
    const version = {
      epoch: isEpoch ? this.#epochs.next(last) : last.record.epoch,
      revision: (last?.record.revision ?? 0) + 1,
    }
    const registrySequence = newest?.record.registrySequence ?? last?.manifest.registrySequence ?? 0
    const manifest: Manifest = {
      formatVersion: EXECUTION_CONFIG_FORMAT,
      graph: { namespace: this.#graph.namespace, name: this.#graph.graph },
      ...version,
      createdAt: new Date(time).toISOString(),
      registrySequence,
      ...membersOf(content),
      ...this.#facts.membersFor(content),
    }
    const rolloutsSequence = this.#facts.rolloutsSequenceAfter(last)
    const text = manifestText(manifest)
    const record: ConfigRecord = {
      v: 1,
      type: 'config.published',
      ...version,
      manifest: text,
      signature: await signManifest(text, signingKey),
      cause: {
        compositionSequence: newest?.sequence ?? this.carriedOut,
        registrySequence,
        reason: this.#reason(content, newest, isEpoch),
        traceparent,
        ...(republished === 0 ? {} : { republished }),
        ...(rolloutsSequence === 0 ? {} : { rolloutsSequence }),
      },
    }
    try {
      const sequence = await log.append(configSubject(this.#graph), record, last?.sequence ?? 0)
      this.#last = revisionOf(sequence, record, manifest)
      this.#signedByAnother = false
      if (isEpoch && last !== null) {
        this.#epochs.begun()
        events.epochBegan(this.#graph, last, this.#last)
      }
      events.revisionPublished(this.#graph, this.#last)
      return true
    } catch (error) {
      if (!(error instanceof AppendConflictError || error instanceof AppendOutcomeUnknownError)) throw error
      // Whichever instance wrote it, the last record of the log says what is left to do.
      this.#isCurrent = false
      return false
    }
  }

  async #contentAfter(
    content: ManifestContent | null,
    sequence: number,
    record: CompositionRecord,
  ): Promise<ManifestContent | null> {
    const unpinned = keepsServed(record) ? await this.#unpinned.before(sequence) : null
    return contentAfter(unpinned ?? content, record, await this.#pinnedContent(record))
  }

  async #pinnedContent(record: CompositionRecord): Promise<ManifestContent | null> {
    if (record.type !== 'composition.completed' || record.pinnedRevision === null) return null
    if (this.#pinned?.record.revision !== record.pinnedRevision) {
      this.#pinned = await findRevision(this.#parts.log, this.#graph, record.pinnedRevision)
    }
    if (this.#pinned === null) this.#parts.events.pinUnknown(this.#graph, record.pinnedRevision)
    return this.#pinned?.manifest ?? null
  }

  #isServed(content: ManifestContent): boolean {
    const last = this.#last?.manifest
    if (last === undefined) return content.base === null
    if (this.mustBePublishedAgain || !sameContent(last, content)) return false
    return last.base === null || this.#facts.areIn(last)
  }

  #reason(
    content: ManifestContent,
    newest: LoggedComposition | undefined,
    isEpoch: boolean,
  ): ConfigRecord['cause']['reason'] {
    const last = this.#last
    if (last === null) return publishReason(null, content, newest?.record ?? null, isEpoch)
    const { manifest, record } = last
    const before = {
      content: manifest,
      reason: record.cause.reason,
      hasRollouts: this.#facts.hasRollouts(manifest),
    }
    return publishReason(before, content, newest?.record ?? null, isEpoch)
  }
}

/** The members of a manifest that a composition record decides. */
function membersOf({ base, featureFlags, previews, documents }: ManifestContent): ManifestContent {
  return {
    base,
    featureFlags,
    ...(previews === undefined ? {} : { previews }),
    ...(documents === undefined ? {} : { documents }),
  }
}

/** Returns the registry record that last asked to publish the content once more. 0 means that none did. */
function republishedBy(where: LoggedComposition | Revision | null | undefined): number {
  if (where === null || where === undefined) return 0
  const { record } = where
  if (record.type === 'config.published') return record.cause.republished ?? 0
  return record.type === 'graph.removed' ? 0 : (record.republished ?? 0)
}
