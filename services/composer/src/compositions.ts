/**
 * Returns the composition of a set of subgraphs: it may be known, may be computed for somebody else right
 * now, or is computed here.
 */
import type { ArtifactReference, RecordedResult, GraphName } from '@switchyard/contracts'
import type { SubgraphToCompose } from '@switchyard/domain'
import type { BlobStore } from '@switchyard/event-log'
import { type ComposeOutcome, type CompositionOptions, failedWith } from './lanes/compose-task.ts'
import { CompositionEndedError, SupersededError } from './lanes/errors.ts'
import { inputHash } from './input-hash.ts'
import type { KnownResult, KnownResults } from './known-results.ts'
import type { CompositionLanes, LaneEvent } from './lanes/composition-lanes.ts'
import type { SentComposeTask } from './lanes/serve-compositions.ts'
import type { StoredPieces } from './stored-pieces.ts'
import type { WholeNeeded } from './whole-needed.ts'
import type { SdlCache } from './sdl-cache.ts'

export type CompositionRequest = {
  readonly graph: GraphName
  /** Null means the base. */
  readonly featureFlag: string | null
  readonly subgraphs: readonly SubgraphToCompose[]
  readonly options: CompositionOptions
  /** Artifacts that the current record refers to, so they are in the blob store. */
  readonly trusted: ReadonlySet<string>
}

/** A composition that somebody waits for. It is computed as long as anybody holds a claim on it. */
export type CompositionClaim = {
  readonly result: Promise<RecordedResult>
  /**
   * Gives up the claim. Its holder must not wait for `result` any more, which may reject with
   * SupersededError.
   */
  release(): void
}

/** A composition that waits for its turn or is being computed, for all who claim it. */
type SharedComposition = {
  readonly result: Promise<KnownResult>
  readonly end: AbortController
  claims: number
}

type ComposedOutcome = Extract<ComposeOutcome, { kind: 'composed' }>

/** Artifacts of which it is remembered that they are stored. Others are looked for. */
const MOST_STORED = 10_000
/** Milliseconds for which it is remembered: far less than the least age of a blob that is swept. */
const STORED_FOR_MS = 60 * 60 * 1000

export class Compositions {
  readonly #blobs: BlobStore
  readonly #pieces: StoredPieces
  readonly #whole: Pick<WholeNeeded, 'isNeeded'>
  readonly #sdl: SdlCache
  readonly #lanes: CompositionLanes
  readonly #onLaneEvent: (event: LaneEvent) => void
  readonly #known: KnownResults
  /** When artifacts were found stored as a whole, or were stored. */
  readonly #storedSince = new Map<string, number>()
  /**
   * Compositions under way, by namespace and input hash. Two namespaces share results but not places in the
   * queue, or else a namespace that publishes the same would have to wait for the other one's turn.
   */
  readonly #running = new Map<string, SharedComposition>()

  constructor(parts: {
    readonly blobs: BlobStore
    readonly pieces: StoredPieces
    readonly whole: Pick<WholeNeeded, 'isNeeded'>
    readonly sdl: SdlCache
    readonly lanes: CompositionLanes
    readonly onLaneEvent: (event: LaneEvent) => void
    readonly known: KnownResults
  }) {
    this.#blobs = parts.blobs
    this.#pieces = parts.pieces
    this.#whole = parts.whole
    this.#sdl = parts.sdl
    this.#lanes = parts.lanes
    this.#onLaneEvent = parts.onLaneEvent
    this.#known = parts.known
  }

  /**
   * Joins a composition under way before it returns, so that releasing an older claim afterwards does not end
   * it.
   */
  claim(request: CompositionRequest): CompositionClaim {
    const hash = inputHash(request.subgraphs, request.options)
    const held = new Set<SharedComposition>()
    let isReleased = false
    const compute = async (): Promise<RecordedResult> => {
      if (isReleased) throw new SupersededError()
      const work = this.#join(hash, request)
      held.add(work)
      return asResult(await work.result, false)
    }
    const known = this.#known.get(hash)
    const result =
      known === undefined
        ? compute()
        : this.#isUsable(known, request.trusted).then((usable) =>
            usable ? asResult(known, true) : compute(),
          )
    // A released claim's result is not looked at any more.
    result.catch(() => {})
    return {
      result,
      release: () => {
        isReleased = true
        for (const work of held) {
          work.claims -= 1
          if (work.claims === 0) work.end.abort(new SupersededError())
        }
        held.clear()
      },
    }
  }

  async #isUsable(known: KnownResult, trusted: ReadonlySet<string>): Promise<boolean> {
    if ('errors' in known || (await this.#isStored(known, trusted.has(known.artifact)))) return true
    this.#known.forget(known.inputHash)
    return false
  }

  /** `isTrusted`: a record names it, so that it is stored, but perhaps not in the form that is needed now. */
  async #isStored({ artifact, pieces }: ArtifactReference, isTrusted: boolean): Promise<boolean> {
    if (pieces === undefined) return isTrusted || (await this.#blobs.has(artifact))
    const needsWhole = this.#whole.isNeeded
    if (isTrusted && !needsWhole) return true
    if (needsWhole && !this.#isWhole(artifact)) {
      if (!(await this.#blobs.has(artifact))) return false
      this.#noteWhole(artifact)
    }
    return isTrusted || (await this.#pieces.has(pieces))
  }

  #isWhole(artifact: string): boolean {
    const since = this.#storedSince.get(artifact)
    return since !== undefined && performance.now() - since < STORED_FOR_MS
  }

  #noteWhole(artifact: string): void {
    if (this.#storedSince.size >= MOST_STORED) this.#storedSince.clear()
    this.#storedSince.set(artifact, performance.now())
  }

  #join(hash: string, request: CompositionRequest): SharedComposition {
    const key = `${request.graph.namespace}/${hash}`
    const running = this.#running.get(key)
    if (running !== undefined && !running.end.signal.aborted) {
      running.claims += 1
      return running
    }
    const end = new AbortController()
    const result = this.#compute(hash, request, end.signal).finally(() => {
      if (this.#running.get(key) === work) this.#running.delete(key)
    })
    result.catch(() => {})
    const work: SharedComposition = { result, end, claims: 1 }
    this.#running.set(key, work)
    return work
  }

  async #compute(hash: string, request: CompositionRequest, signal: AbortSignal): Promise<KnownResult> {
    const known = await this.#store(hash, await this.#run(request, signal))
    this.#known.add(known)
    return known
  }

  async #run(request: CompositionRequest, signal: AbortSignal): Promise<ComposeOutcome> {
    const { graph, featureFlag, subgraphs } = request
    try {
      return await this.#lanes.run({
        ...graph,
        subject: JSON.stringify([graph.namespace, graph.graph, featureFlag]),
        bytes: subgraphs.reduce((sum, { bytes }) => sum + bytes, 0),
        // All who name no flag wait for a base.
        goesFirst: featureFlag === null,
        task: () => this.#read(request),
        signal,
        onEvent: this.#onLaneEvent,
      })
    } catch (error) {
      if (!(error instanceof CompositionEndedError)) throw error
      const names = subgraphs.map(({ name }) => name)
      return failedWith([{ code: error.code, message: error.message, subgraphs: names, locations: [] }])
    }
  }

  /** Called when the turn of the composition has come, so that queued ones hold no schemas in memory. */
  async #read({ subgraphs, options }: CompositionRequest): Promise<SentComposeTask> {
    return {
      options,
      subgraphs: await Promise.all(
        subgraphs.map(async ({ name, routingUrl, schema, baseName, preview }) => ({
          name,
          routingUrl,
          baseName,
          ...(preview === undefined ? {} : { preview }),
          sdl: await this.#sdl.get(schema),
        })),
      ),
    }
  }

  async #store(hash: string, outcome: ComposeOutcome): Promise<KnownResult> {
    const { hints } = outcome
    if (outcome.kind === 'composed') {
      return { inputHash: hash, ...(await this.#storeArtifact(outcome)), hints }
    }
    const { errors, errorCount, allErrors } = outcome
    const failed = { inputHash: hash, errors, errorCount, hints }
    return allErrors === null ? failed : { ...failed, errorsBlob: await this.#blobs.put(allErrors) }
  }

  async #storeArtifact({ artifact: bytes, pieces: cut }: ComposedOutcome): Promise<ArtifactReference> {
    if (cut !== null && !this.#whole.isNeeded) {
      const pieces = await this.#pieces.put(cut, { evenYoung: true })
      if (pieces !== null) return { artifact: cut.artifact, pieces }
    }
    const [artifact, pieces] = await Promise.all([this.#blobs.put(bytes), this.#pieces.put(cut)])
    this.#noteWhole(artifact)
    return { artifact, ...(pieces === null ? {} : { pieces }) }
  }
}

function asResult(known: KnownResult, again: boolean): RecordedResult {
  return 'errors' in known
    ? { status: 'failed', unchanged: again, ...known }
    : { status: again ? 'reused' : 'composed', ...known }
}
