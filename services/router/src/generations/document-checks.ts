/**
 * Validates the documents of manifests against every composition that is compiled, so that operators hear of
 * those that a composition cannot answer before their clients send them: of base and of each flag, when it is
 * built, and of all of them when the manifests have changed. The first ones are kept prepared and planned, so
 * that their first requests are answered like later ones.
 *
 * Nobody waits for it. A few milliseconds are worked at a time, with pauses that leave nine tenths of the
 * time to requests.
 */
import { setTimeout } from 'node:timers/promises'
import type { Graph } from '@switchyard/engine'
import { type ManifestDocument, reasonAgainst } from '@switchyard/documents'
import { messageOf } from '@switchyard/values'
import { ROUTER_ITSELF } from '../fairness/client.ts'
import type { CachedOperation, OperationRules } from '../operation/operation-cache.ts'
import type { GraphPlanner } from '../planning/planning.ts'
import type { DocumentEvents, UnfitDocument } from '../concerns/documents/events.ts'
import type { WarmUpTarget } from './build/warm-up.ts'

/** A compiled composition, with what it keeps of operations. */
export type CompositionToCheck = WarmUpTarget & { readonly artifact: string; readonly graph: Graph }

export type DocumentChecksOptions = {
  /** Returns the documents of the manifests in use. */
  readonly documents: () => readonly ManifestDocument[]
  /** Returns the rules by which documents are checked at this moment. */
  readonly rules: () => OperationRules
  /** Returns how many documents are kept prepared in each composition. */
  readonly warmUp: () => number
  readonly events: DocumentEvents
}

const WORK_MS = 3
const PAUSE_MS = 27

/** Disposing ends it. */
export class DocumentChecks implements Disposable {
  readonly #options: DocumentChecksOptions
  /** Number of documents that do not fit, by composition. It is 0 before the composition was checked. */
  readonly #unfit = new Map<CompositionToCheck, number>()
  readonly #waiting = new Set<CompositionToCheck>()
  #isWorking = false
  #isOver = false

  constructor(options: DocumentChecksOptions) {
    this.#options = options
  }

  /** A composition was compiled. */
  add(composition: CompositionToCheck): void {
    this.#unfit.set(composition, 0)
    this.#check(composition)
  }

  /** Forgets a composition whose memory is given back. */
  remove(composition: CompositionToCheck): void {
    this.#options.events.forgotten(this.#unfit.get(composition) ?? 0)
    this.#unfit.delete(composition)
    this.#waiting.delete(composition)
  }

  /** There are other documents, or other rules: all compositions are checked again. */
  again(): void {
    for (const composition of this.#unfit.keys()) this.#check(composition)
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#waiting.clear()
  }

  #check(composition: CompositionToCheck): void {
    this.#waiting.add(composition)
    if (!this.#isWorking) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (const composition of this.#waiting) {
      this.#waiting.delete(composition)
      const documents = this.#options.documents()
      if (documents.length === 0 && this.#unfit.get(composition) === 0) continue
      const unfit = await this.#unfitOf(composition, documents)
      const before = this.#unfit.get(composition)
      if (this.#isOver) break
      if (unfit === null || before === undefined) continue
      this.#unfit.set(composition, unfit.length)
      this.#options.events.checked(composition.artifact, documents.length, unfit, before)
    }
    this.#isWorking = false
  }

  /**
   * Checks all documents in slices. Null if the composition is gone, or is to be checked against other
   * documents.
   */
  async #unfitOf(
    composition: CompositionToCheck,
    documents: readonly ManifestDocument[],
  ): Promise<readonly UnfitDocument[] | null> {
    const unfit: UnfitDocument[] = []
    let began = performance.now()
    for (const [index, document] of documents.entries()) {
      if (performance.now() - began > WORK_MS) {
        await setTimeout(PAUSE_MS, undefined, { ref: false })
        if (this.#isOver || !this.#unfit.has(composition) || this.#waiting.has(composition)) return null
        began = performance.now()
      }
      const reason =
        index < this.#options.warmUp()
          ? reasonAfterWarmUp(document, composition)
          : reasonAgainst(document, composition.graph, this.#options.rules())
      if (reason !== null) unfit.push({ id: document.key, operation: document.operationName, reason })
    }
    return unfit
  }
}

/**
 * Prepares a document, with a plan if there is only one, and returns the reason why it cannot be answered.
 * Null if the composition can answer it.
 */
function reasonAfterWarmUp({ text, operationName }: ManifestDocument, target: WarmUpTarget): string | null {
  try {
    planAhead(target.operations.get(text, operationName), target.planner)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Plans an operation for which no request waits. If it cannot be planned now, the client that asks for it
 * later is told.
 */
function planAhead(entry: CachedOperation, planner: GraphPlanner): void {
  const { conditions, overrideLabels, accessConditions } = entry.operation
  if (conditions.length > 0 || overrideLabels.length > 0) return
  const variant = { labels: new Set<string>(), granted: new Set(accessConditions) }
  const plan = async () => planner.plan(entry, new Map(), variant, () => ROUTER_ITSELF)
  plan().catch(() => {})
}
