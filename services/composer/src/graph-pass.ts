/**
 * One pass over a graph: the compositions of its base, of its flags and of its previews, and the record of
 * what is there of them. What is still being composed stands in a record with its previous result.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { artifactOf, COMPOSITION_PENDING, isFirstPending } from '@switchyard/contracts'
import type {
  CompositionRecord,
  DocumentReference,
  GraphName,
  RecordedResult,
  VariantEntry,
} from '@switchyard/contracts'
import type { CompositionInputs, FlagInput, PublishedDocuments } from '@switchyard/domain'
import type { CompositionClaim, Compositions } from './compositions.ts'
import { inputHash } from './input-hash.ts'

export type CompletedRecord = Extract<CompositionRecord, { type: 'composition.completed' }>

type RecordedResults = Pick<
  CompletedRecord,
  'base' | 'featureFlags' | 'previews' | 'pinnedRevision' | 'republished' | 'documents'
>

/** Names one composition of a graph: null for base, `flag <name>` or `preview <name>`. */
type PartKey = string | null

const ofFlag = ({ name }: { readonly name: string }): PartKey => `flag ${name}`
const ofPreview = ({ name }: { readonly name: string }): PartKey => `preview ${name}`

/** `late`: base is there for a while. `flags`: only previews are missing. */
export type PassStage = 'late' | 'flags' | 'finished'

type PartOfPass = {
  readonly key: PartKey
  readonly inputHash: string
  readonly claim: CompositionClaim
}

export type GraphPassParts = {
  readonly graph: GraphName
  readonly inputs: CompositionInputs
  readonly compositions: Compositions
  /** The graph's last record, whose artifacts are known to be stored. */
  readonly last: CompositionRecord | undefined
}

export class GraphPass {
  readonly #inputs: CompositionInputs
  readonly #parts: readonly PartOfPass[]
  /** Flags with the inputs of the base. */
  readonly #likeBase: ReadonlySet<PartKey>
  /** The results that are there. */
  readonly #results = new Map<PartKey, RecordedResult>()
  /** Resolves when everything is composed. */
  readonly finished: Promise<void>
  /** Resolves when the base is composed. */
  readonly base: Promise<void>
  /** Resolves when everything but previews is composed: nobody else waits for these. */
  readonly flags: Promise<void>

  /** Claims all compositions of the graph: its base first, previews last. */
  constructor({ graph, inputs, compositions, last }: GraphPassParts) {
    const { base, flags, previews, allowUnenforcedAuthorization } = inputs
    this.#inputs = inputs
    const options = { allowUnenforcedAuthorization }
    const trusted = artifactsOf(last)
    const wanted = [
      ...(base.length === 0 ? [] : [{ key: null, featureFlag: null, subgraphs: base }]),
      ...flags.map((flag) => ({ key: ofFlag(flag), featureFlag: flag.name, subgraphs: flag.subgraphs })),
      ...previews.map((preview) => ({
        key: ofPreview(preview),
        featureFlag: preview.name,
        subgraphs: preview.subgraphs,
      })),
    ]
    const hashed = wanted.map((part) => ({ ...part, inputHash: inputHash(part.subgraphs, options) }))
    const [ofBase] = hashed
    // The result of base is that of a launched flag, too, so that no record holds only one of them.
    const isBase = ({ key, inputHash: hash }: (typeof hashed)[number]) =>
      key !== null && hash === ofBase?.inputHash
    this.#likeBase = new Set(hashed.filter(isBase).map(({ key }) => key))
    this.#parts = hashed
      .filter((part) => !isBase(part))
      .map(({ subgraphs, ...part }) => ({
        ...part,
        claim: compositions.claim({ graph, featureFlag: part.featureFlag, subgraphs, options, trusted }),
      }))
    const taken = this.#parts.map(async ({ key, claim }) => {
      this.#results.set(key, await claim.result)
    })
    const [first = Promise.resolve()] = taken
    this.base = base.length === 0 ? Promise.resolve() : first
    this.flags = Promise.all(taken.slice(0, taken.length - previews.length)).then(() => {})
    this.finished = Promise.all(taken).then(() => {})
    // Whoever waits for them hears of their failures; a pass that was interrupted has nobody who waits.
    this.base.catch(() => {})
    this.flags.catch(() => {})
    this.finished.catch(() => {})
  }

  /**
   * Resolves when there is more to record than after the stage before: a while after the base, when all but
   * previews is there, and when everything is.
   */
  async next(after: PassStage | 'begun', waitMs: number, signal: AbortSignal): Promise<PassStage> {
    const stages = [this.finished.then(() => 'finished' as const)]
    const late = async () => {
      await this.base
      await sleep(waitMs, undefined, { signal })
      return 'late' as const
    }
    if (after === 'begun') return Promise.race([...stages, late()])
    return Promise.race([...stages, ...(after === 'late' ? [this.flags.then(() => 'flags' as const)] : [])])
  }

  get claims(): readonly CompositionClaim[] {
    return this.#parts.map(({ claim }) => claim)
  }

  /**
   * The results as a record holds them, to be called when the base is composed. `last` is the record that
   * this one comes after: what an incomplete one of the same sequence holds is taken from it.
   */
  results(last: CompositionRecord | undefined, registrySequence: number): RecordedResults {
    const { flags, previews, pinnedRevision, republished, documents } = this.#inputs
    const earlier = entriesOf(last)
    const isSamePass = last?.registrySequence === registrySequence
    const hashes = new Map(this.#parts.map(({ key, inputHash: hash }) => [key, hash]))
    const resultOf = (key: PartKey): RecordedResult | null => {
      const part = this.#likeBase.has(key) ? null : key
      const before = earlier.get(key)
      const result = this.#results.get(part)
      const isRecorded =
        isSamePass && before?.isPending === false && hashOf(before.result) === hashes.get(part)
      if (isRecorded) return before.result
      return result === undefined ? null : withUnchangedForGraph(result, before?.result)
    }
    const entryOf = ({ name, unpublished }: FlagInput, key: PartKey): VariantEntry => {
      const entry = { name, unpublished: [...unpublished] }
      const result = resultOf(key)
      if (result !== null) return { ...entry, result }
      const previous = earlier.get(key)?.result
      const hash = hashes.get(key) ?? ''
      return { ...entry, result: previous ?? firstPending(hash), pending: true as const }
    }
    const ofPreviews = previews.map((preview) => ({
      ...entryOf(preview, ofPreview(preview)),
      expires: preview.expires,
    }))
    return {
      base: resultOf(null) ?? { status: 'empty' },
      featureFlags: flags.map((flag) => entryOf(flag, ofFlag(flag))),
      ...(ofPreviews.length === 0 ? {} : { previews: ofPreviews }),
      pinnedRevision,
      ...(republished === null ? {} : { republished }),
      ...(documents.length === 0 ? {} : { documents: documents.map(referenceOf) }),
    }
  }
}

function referenceOf({ name, manifest, clients }: PublishedDocuments): DocumentReference {
  return { name, manifest, ...(clients === null ? {} : { clients: [...clients] }) }
}

type RecordedEntry = { readonly result: RecordedResult; readonly isPending: boolean }

/** The results of a record. A flag or preview that is composed for the first time has none. */
function entriesOf(record: CompositionRecord | undefined): ReadonlyMap<PartKey, RecordedEntry> {
  if (record?.type !== 'composition.completed') return new Map()
  const entries = (variants: readonly VariantEntry[], keyOf: (entry: VariantEntry) => PartKey) =>
    variants
      .filter(({ result }) => !isFirstPending(result))
      .map((entry) => {
        const { result, pending = false } = entry
        return [keyOf(entry), { result, isPending: pending }] as const
      })
  return new Map<PartKey, RecordedEntry>([
    [null, { result: record.base, isPending: false }],
    ...entries(record.featureFlags, ofFlag),
    ...entries(record.previews ?? [], ofPreview),
  ])
}

/**
 * Returns the flags whose compositions fail in a record, and not because they are still being composed; null
 * stands for base. A preview that fails is the concern of its author alone.
 */
export function failingIn(record: CompositionRecord | undefined): readonly (string | null)[] {
  if (record?.type !== 'composition.completed') return []
  const flags = record.featureFlags.filter(
    ({ result }) => result.status === 'failed' && !isFirstPending(result),
  )
  return [...(record.base.status === 'failed' ? [null] : []), ...flags.map(({ name }) => name)]
}

function hashOf(result: RecordedResult): string | null {
  return result.status === 'empty' ? null : result.inputHash
}

/**
 * Returns the entry of a flag that has no previous result. Its hash is that of no inputs: a composer that
 * does not know the code would otherwise take it for the result of the flag's inputs.
 */
function firstPending(hash: string): RecordedResult {
  const message = 'The feature flag is being composed for the first time.'
  return {
    status: 'failed',
    inputHash: createHash('sha256').update(`pending\n${hash}`).digest('hex'),
    unchanged: false,
    errors: [{ code: COMPOSITION_PENDING, message, subgraphs: [], locations: [] }],
    errorCount: 1,
    hints: [],
  }
}

/**
 * Sets `unchanged` of a failure: it is true only if the graph failed in the same way before. A failure that
 * is known from another graph, or from before the flag was switched off, is new for this graph.
 */
function withUnchangedForGraph(result: RecordedResult, before: RecordedResult | undefined): RecordedResult {
  if (result.status !== 'failed') return result
  const stood = before?.status === 'failed' && before.inputHash === result.inputHash
  return { ...result, unchanged: result.unchanged && stood }
}

function artifactsOf(record: CompositionRecord | undefined): ReadonlySet<string> {
  const artifacts = new Set<string>()
  for (const { result } of entriesOf(record).values()) {
    const artifact = artifactOf(result)
    if (artifact !== null) artifacts.add(artifact)
  }
  return artifacts
}
