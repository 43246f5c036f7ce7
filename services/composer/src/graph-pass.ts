/**
 * One pass over a graph: the compositions of its base and of its flags, and the record of what is there of
 * them. A flag that is still being composed stands in a record with its previous result.
 */
import { createHash } from 'node:crypto'
import { artifactOf, COMPOSITION_PENDING, isFirstPending } from '@switchyard/contracts'
import type { CompositionRecord, RecordedResult, DocumentReference, GraphName } from '@switchyard/contracts'
import type { CompositionInputs, PublishedDocuments } from '@switchyard/domain'
import type { CompositionClaim, Compositions } from './compositions.ts'
import { inputHash } from './input-hash.ts'

export type CompletedRecord = Extract<CompositionRecord, { type: 'composition.completed' }>

type RecordedResults = Pick<
  CompletedRecord,
  'base' | 'featureFlags' | 'pinnedRevision' | 'republished' | 'documents'
>

/** `featureFlag` is null for the base. */
type PartOfPass = {
  readonly featureFlag: string | null
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
  readonly #likeBase: ReadonlySet<string | null>
  /** Results by flag, as far as they are there. */
  readonly #results = new Map<string | null, RecordedResult>()
  /** Resolves when everything is composed. */
  readonly finished: Promise<void>
  /** Resolves when the base is composed. */
  readonly base: Promise<void>

  /** Claims all compositions of the graph, its base first. */
  constructor({ graph, inputs, compositions, last }: GraphPassParts) {
    const { base, flags, allowUnenforcedAuthorization } = inputs
    this.#inputs = inputs
    const options = { allowUnenforcedAuthorization }
    const trusted = artifactsOf(last)
    const wanted = [
      ...(base.length === 0 ? [] : [{ featureFlag: null, subgraphs: base }]),
      ...flags.map(({ name, subgraphs }) => ({ featureFlag: name, subgraphs })),
    ]
    const hashed = wanted.map((part) => ({ ...part, inputHash: inputHash(part.subgraphs, options) }))
    const [ofBase] = hashed
    // The result of base is that of a launched flag, too, so that no record holds only one of them.
    const isBase = ({ featureFlag, inputHash: hash }: (typeof hashed)[number]) =>
      featureFlag !== null && hash === ofBase?.inputHash
    this.#likeBase = new Set(hashed.filter(isBase).map(({ featureFlag }) => featureFlag))
    this.#parts = hashed
      .filter((part) => !isBase(part))
      .map(({ subgraphs, ...part }) => ({
        ...part,
        claim: compositions.claim({ graph, featureFlag: part.featureFlag, subgraphs, options, trusted }),
      }))
    const taken = this.#parts.map(async ({ featureFlag, claim }) => {
      this.#results.set(featureFlag, await claim.result)
    })
    const [first = Promise.resolve()] = taken
    this.base = base.length === 0 ? Promise.resolve() : first
    this.finished = Promise.all(taken).then(() => {})
    // Whoever waits for them hears of their failures; a pass that was interrupted has nobody who waits.
    this.base.catch(() => {})
    this.finished.catch(() => {})
  }

  get claims(): readonly CompositionClaim[] {
    return this.#parts.map(({ claim }) => claim)
  }

  /**
   * The results as a record holds them, to be called when the base is composed. `last` is the record that
   * this one comes after: what an incomplete one of the same sequence holds is taken from it.
   */
  results(last: CompositionRecord | undefined, registrySequence: number): RecordedResults {
    const { flags, pinnedRevision, republished, documents } = this.#inputs
    const earlier = entriesOf(last)
    const isSamePass = last?.registrySequence === registrySequence
    const hashes = new Map(this.#parts.map(({ featureFlag, inputHash: hash }) => [featureFlag, hash]))
    const resultOf = (featureFlag: string | null): RecordedResult | null => {
      const part = this.#likeBase.has(featureFlag) ? null : featureFlag
      const before = earlier.get(featureFlag)
      const result = this.#results.get(part)
      const isRecorded =
        isSamePass && before?.isPending === false && hashOf(before.result) === hashes.get(part)
      if (isRecorded) return before.result
      return result === undefined ? null : withUnchangedForGraph(result, before?.result)
    }
    return {
      base: resultOf(null) ?? { status: 'empty' },
      featureFlags: flags.map(({ name, unpublished }) => {
        const entry = { name, unpublished: [...unpublished] }
        const result = resultOf(name)
        if (result !== null) return { ...entry, result }
        const previous = earlier.get(name)?.result
        const hash = hashes.get(name) ?? ''
        return { ...entry, result: previous ?? firstPending(hash), pending: true as const }
      }),
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

/** The results by flag; null stands for base. A flag that is composed for the first time has none. */
export function entriesOf(record: CompositionRecord | undefined): ReadonlyMap<string | null, RecordedEntry> {
  if (record?.type !== 'composition.completed') return new Map()
  const flags = record.featureFlags.filter(({ result }) => !isFirstPending(result))
  return new Map<string | null, RecordedEntry>([
    [null, { result: record.base, isPending: false }],
    ...flags.map(({ name, result, pending = false }) => [name, { result, isPending: pending }] as const),
  ])
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
