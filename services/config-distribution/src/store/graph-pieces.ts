/**
 * Keeps the artifacts of one graph in the config store in pieces. Each of them is written there as a whole as
 * well, so pieces only save time: nothing here fails, or holds up for long what is published. What goes wrong
 * is told, and is tried again at the next comparison of log and store.
 */
import { MAX_PIECE_LIST_BYTES } from '@switchyard/contracts'
import type { GraphName, ManifestContent } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import type { BlobStore } from '@switchyard/event-log'
import { artifactsOf, type PieceReference, piecesOf, type Revision } from '../log/config-log.ts'
import type { ConfigDistributionEvents } from '../observe/events.ts'
import { isPackedForm } from './packed.ts'
import { LatestWork } from './latest-work.ts'
import { type KnownList, PieceLists, type UnusableLists } from './piece-lists.ts'
import { PieceReader } from './piece-reader.ts'
import { sweepPieces } from './piece-sweep.ts'
import { putPieces } from './put-pieces.ts'

/** Milliseconds that a publication waits for its pieces. Without them routers read whole artifacts. */
const WAITED_FOR_MS = 2000

export type GraphPiecesParts = {
  readonly pieces: BlobStore
  readonly store: ConfigStore
  readonly events: ConfigDistributionEvents
  readonly signal: AbortSignal
  /** Called whenever this may have become idle. */
  readonly onChange: () => void
}

/** The work on pieces that a manifest must not come before. */
export type PiecesBeforeManifest = {
  readonly pieces: Promise<void>
  /** Hashes of artifacts. */
  readonly needed: Promise<ReadonlySet<string>>
}

/** Pieces are looked for by name often, and compared by their bytes from time to time. */
type Check = 'names' | 'bytes'

export class GraphPieces {
  readonly #graph: GraphName
  readonly #parts: GraphPiecesParts
  readonly #areRead: () => boolean
  readonly #lists = new PieceLists()
  readonly #putting: LatestWork
  readonly #verifying: LatestWork
  readonly #sweeping: LatestWork
  /** The lists that were in the store with all of their chunks when they could be looked for last. */
  #whole: readonly KnownList[] = []
  /**
   * Hashes of the lists that are in the store with all of their chunks, as the last comparison found. Empty
   * from the beginning of a comparison until it has succeeded.
   */
  #complete: ReadonlySet<string> = new Set()
  /** Hashes of the lists that each check could not put, which was told. */
  readonly #told: Record<Check, ReadonlySet<string>> = { names: new Set(), bytes: new Set() }
  /** The checks that failed as a whole, which was told. */
  readonly #failed = new Set<Check>()
  /** True from when a publication went on without its pieces until they are put. */
  #isLate = false

  /** `areRead`: whether all routers of the graph read artifacts in pieces. */
  constructor(graph: GraphName, parts: GraphPiecesParts, areRead: () => boolean) {
    const { onChange } = parts
    this.#areRead = areRead
    this.#graph = graph
    this.#parts = parts
    this.#putting = new LatestWork(() => {
      this.#isLate = false
      onChange()
    })
    this.#verifying = new LatestWork(onChange)
    this.#sweeping = new LatestWork(onChange)
  }

  /**
   * Puts what the store lacks of this content, and has the rest of it count as stored now. Resolves when that
   * is done, or when it takes too long to wait for: then it goes on in the background.
   */
  async put(content: ManifestContent): Promise<void> {
    const references = piecesOf(content)
    if (references.length === 0 && this.#lists.isEmpty) return
    const work = () => this.#check('names', () => this.#putMissing(references))
    const done = this.#putting.ask(work)
    if (this.#isLate || (await isDoneWithin(done, WAITED_FOR_MS))) return
    this.#isLate = this.#putting.isRunning
  }

  /**
   * Begins to put the pieces of this content. `needed` are the artifacts that routers need as a whole all the
   * same: those whose pieces are not all in the store, and all of them while any router reads no pieces.
   */
  putBefore(content: ManifestContent): PiecesBeforeManifest {
    const pieces = this.put(content)
    const artifacts = artifactsOf(content)
    if (!this.#areRead()) return { pieces, needed: Promise.resolve(artifacts) }
    return { pieces, needed: pieces.then(() => this.#withoutPieces(content, artifacts)) }
  }

  #withoutPieces(content: ManifestContent, artifacts: ReadonlySet<string>): ReadonlySet<string> {
    const others = new Set(artifacts)
    for (const { artifact, pieces } of piecesOf(content))
      if (this.#complete.has(pieces)) others.delete(artifact)
    return others
  }

  /** Compares the stored bytes with their hashes, in the background. Puts those again that are damaged. */
  verify(): void {
    void this.#verifying.ask(() => this.#check('bytes', () => this.#putDamaged()))
  }

  /** Removes what no list of these revisions names, in the background. */
  sweep(revisions: () => Promise<readonly Revision[]>, now: number): void {
    void this.#sweeping.ask(() => this.#sweep(revisions, now))
  }

  get isBusy(): boolean {
    return [this.#putting, this.#verifying, this.#sweeping].some((work) => work.isRunning)
  }

  async stopped(): Promise<void> {
    await Promise.all([this.#putting, this.#verifying, this.#sweeping].map((work) => work.ended()))
  }

  async #check(check: Check, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#failed.delete(check)
    } catch (error) {
      if (this.#failed.has(check) || this.#parts.signal.aborted) return
      this.#failed.add(check)
      this.#parts.events.piecesLeftOut(this.#graph, [], error)
    }
  }

  async #putMissing(references: readonly PieceReference[]): Promise<void> {
    const { pieces, store, signal } = this.#parts
    this.#complete = new Set()
    const reader = new PieceReader(pieces, signal)
    const { lists, unusable: unread } = await this.#lists.of(references, reader)
    const missing = lists.length === 0 ? [] : await store.renewPieces(this.#graph, sizesOf(lists).keys())
    const { put, unusable } = await putPieces({
      graph: this.#graph,
      store,
      reader,
      lists,
      missing: new Set(missing),
      signal,
    })
    // Then some may not have been put.
    if (signal.aborted) return
    const lost = sizesOf(this.#whole)
    this.#tellRepaired(put.filter((sha256) => lost.has(sha256)))
    this.#whole = lists.filter(({ sha256 }) => !unusable.has(sha256))
    this.#complete = new Set(this.#whole.map(({ sha256 }) => sha256))
    this.#tellUnusable('names', new Map([...unread, ...unusable]))
  }

  async #putDamaged(): Promise<void> {
    const { pieces, store, signal } = this.#parts
    this.#lists.forgetRefused()
    const lists = this.#whole
    const damaged = new Set<string>()
    for (const [sha256, most] of sizesOf(lists)) {
      if (signal.aborted) return
      const packed = await store.getPiece(this.#graph, sha256)
      if (packed === null || !(await isPackedForm(packed, sha256, most))) damaged.add(sha256)
    }
    const reader = new PieceReader(pieces, signal)
    const { put, unusable } = await putPieces({
      graph: this.#graph,
      store,
      reader,
      lists,
      missing: damaged,
      signal,
    })
    this.#tellRepaired(put)
    this.#tellUnusable('bytes', unusable)
  }

  async #sweep(revisions: () => Promise<readonly Revision[]>, now: number): Promise<void> {
    const { pieces, store, events, signal } = this.#parts
    try {
      const count = await sweepPieces({ graph: this.#graph, pieces, store, revisions, now, signal })
      if (count > 0) events.piecesSwept(this.#graph, count)
    } catch (error) {
      if (!signal.aborted) events.sweepFailed(this.#graph, 'pieces of artifacts', error)
    }
  }

  #tellRepaired(put: readonly string[]): void {
    if (put.length > 0) this.#parts.events.piecesRepaired(this.#graph, put)
  }

  #tellUnusable(check: Check, unusable: UnusableLists): void {
    if (this.#parts.signal.aborted) return
    for (const [sha256, error] of unusable) if (error.lasts) this.#lists.refuse(sha256, error)
    const untold = [...unusable].filter(([sha256]) => !this.#told[check].has(sha256))
    // One outage of the blob store is the reason for all lists that were not read.
    for (const [error, lists] of Map.groupBy(untold, ([, reason]) => reason)) {
      this.#parts.events.piecesLeftOut(
        this.#graph,
        lists.map(([sha256]) => sha256),
        error,
      )
    }
    this.#told[check] = new Set(unusable.keys())
  }
}

/** Hashes of the lists and of their chunks, with the most bytes that each may have. */
function sizesOf(lists: readonly KnownList[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { chunks } of lists) {
    for (const { sha256, bytes } of chunks) sizes.set(sha256, Math.max(bytes, sizes.get(sha256) ?? 0))
  }
  for (const { sha256 } of lists) sizes.set(sha256, MAX_PIECE_LIST_BYTES)
  return sizes
}

async function isDoneWithin(done: Promise<void>, milliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, milliseconds, false)
  void done.then(() => resolve(true))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
