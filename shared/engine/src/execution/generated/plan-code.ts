/**
 * The generated code of a plan: what makes it, when it is made, and when it is used.
 *
 * An operation that is executed a few times is interpreted, because making its code takes longer than the
 * code saves. Generated code does what is usual, and throws `UNUSUAL` for everything else, which the
 * interpreter then does from the beginning. So an answer never depends on whether code was generated. A plan
 * whose answers are unusual most of the time goes back to the interpreter.
 */
import type { Graph } from '../../graph/graph.ts'
import type { FetchId } from '../../ids/ids.ts'
import type { ObjectShape, Plan } from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { Representations } from '../fetching/representations.ts'
import type { EntitiesPart } from '../joining/prepared-plan.ts'
import type { ResponseStore } from '../joining/response-store.ts'
import { type TypeFacts, typeFacts } from '../joining/type-facts.ts'
import { CodeMemory, type DroppableCode } from './code-memory.ts'
import { generateCompletion } from './completion-code.ts'
import type { CompletionFigures, GeneratedCompletion } from './completion-program.ts'
import { mayRunGeneratedCode, MAX_CODE, NotGeneratedError, UNUSUAL } from './generated-code.ts'
import { runOn } from './plan-function.ts'
import { type GeneratedRepresentations, generateRepresentations } from './representation-code.ts'
import { RepresentationTexts } from './representation-texts.ts'

/**
 * Executions of a plan by the interpreter before code is generated, unless the caller wants otherwise.
 *
 * Making the code of a plan with three fetches takes 0.8 ms, and the code saves 12 microseconds for each
 * execution once V8 has compiled it well, after some hundred executions. Until then the interpreter, which
 * all plans share, is as fast: 300 plans in turn took 50 to 75 microseconds with code of their own, and 40 to
 * 55 without.
 */
const INTERPRETED_RUNS = 100

/**
 * Most fields and items that generated code completes: it does so in one go, which takes about a millisecond.
 */
const MAX_STEPS = 30_000

/**
 * Steps that must be left for generated code to be used: more than the interpreter takes for the same work.
 * So the budget refuses the same requests, whoever completes their responses.
 */
const STEPS_LEFT = 20 * MAX_STEPS

/** How many times more often unusual than useful code may be before it is not tried again. */
const MAX_UNUSUAL = 8

/** Characters of the code of all plans: some thirty megabytes, and a thousand plans of the usual size. */
const MAX_CODE_OF_ALL = 8 * 1024 * 1024

/** A completed response and its weight, see `Completion`. */
export type CompletedData = { readonly data: Readonly<Record<string, unknown>>; readonly weight: number }

const known = new WeakMap<Plan, PlanCode>()

/** The fields of a plan that are completed together: all of them, or those of the initial result. */
type Completable = {
  readonly shape: ObjectShape
  /** The fetches whose answers these fields need, or null if they need all of them. */
  readonly needs: readonly FetchId[] | null
}

/**
 * Returns the code that executions of a plan use, which lives for as long as the plan. Returns null if the
 * plan is interpreted, as its first `interpretedRuns` executions are. `completable` is the same for all
 * executions of the plan.
 */
export function codeFor(
  graph: Graph,
  plan: Plan,
  interpretedRuns = INTERPRETED_RUNS,
  completable: Completable = { shape: plan.shape, needs: null },
): PlanCode | null {
  let code = known.get(plan)
  if (code === undefined || code.graph !== graph) {
    code = new PlanCode(graph, plan, completable)
    known.set(plan, code)
  }
  return code.begin(interpretedRuns) ? code : null
}

/** One for the process, whose memory it is: plans of all graphs are executed by it. */
const memory = new CodeMemory(MAX_CODE_OF_ALL)

/** The generated functions of one plan. */
export class PlanCode implements DroppableCode {
  wasUsed = false
  readonly graph: Graph
  readonly #plan: Plan
  readonly #completable: Completable
  readonly #facts: TypeFacts
  #runs = 0
  #unusual = 0
  #completion: GeneratedCompletion | null = null
  readonly #representations = new Map<EntitiesPart, GeneratedRepresentations>()
  #isGenerated = false

  constructor(graph: Graph, plan: Plan, completable: Completable) {
    this.graph = graph
    this.#plan = plan
    this.#completable = completable
    this.#facts = typeFacts(graph)
  }

  /** An execution begins. Returns whether it uses generated code: not the first `interpretedRuns` of them. */
  begin(interpretedRuns: number): boolean {
    if (this.#runs < interpretedRuns) {
      this.#runs++
      return false
    }
    if (!this.#isGenerated) this.#generate()
    this.#isGenerated = true
    this.wasUsed = true
    return true
  }

  drop(): void {
    this.#giveUp()
    this.#isGenerated = false
    this.#runs = 0
  }

  #giveUp(): void {
    this.#completion = null
    this.#representations.clear()
  }

  #generate(): void {
    if (!mayRunGeneratedCode) return
    const { shape } = this.#completable
    this.#completion = generated(() => generateCompletion(this.#plan, this.#facts, shape))
    let size = this.#completion?.size ?? 0
    for (const part of this.#plan.fetches.flatMap(({ parts }) => parts)) {
      if (part.kind === 'root' || size > MAX_CODE) continue
      const code = generated(() => generateRepresentations(this.#plan, part, this.#facts))
      if (code === null) continue
      this.#representations.set(part, code)
      size += code.size
    }
    if (size > 0) memory.add(this, size)
  }

  /**
   * Returns the representations that a part of a fetch sends, or null if the interpreter has to collect them.
   */
  representations(part: EntitiesPart, store: ResponseStore, budget: WorkBudget): Representations | null {
    const code = this.#representations.get(part)
    if (code === undefined || !budget.hasLeft(STEPS_LEFT)) return null
    const texts = new RepresentationTexts()
    const links = this.#tried(() => runOn(code, store, MAX_STEPS, texts))
    if (links === null) return null
    budget.step(links.reduce((steps, { length }) => steps + length, texts.characters >> 6))
    return { list: `[${texts.texts.join(',')}]`, count: texts.texts.length, links }
  }

  /**
   * Returns the response, or the initial result, if the subgraphs that are needed have answered without
   * errors and there is nothing unusual about their answers. Returns null if the interpreter has to complete
   * it.
   */
  complete(store: ResponseStore, budget: WorkBudget): CompletedData | null {
    const code = this.#completion
    if (code === null || !budget.hasLeft(STEPS_LEFT) || !this.#areWell(store)) return null
    const completed: CompletionFigures = { steps: 0, weight: 0 }
    const data = this.#tried(() => runOn(code, store, MAX_STEPS, completed))
    if (data === null) return null
    budget.step(completed.steps)
    return { data, weight: completed.weight }
  }

  /** Whether no answer that is needed has errors, and each has as many entities as were asked for. */
  #areWell(store: ResponseStore): boolean {
    const { needs } = this.#completable
    for (const { id, parts } of this.#plan.fetches) {
      if (needs !== null && !needs.includes(id)) continue
      const answer = store.answer(id)
      if (answer === undefined || answer.failure !== null || answer.errors.length > 0) return false
      if (answer.data === null) continue
      for (let part = 0; part < parts.length; part++) {
        const sent = store.sentFor(id, part)
        if (sent > 0 && store.entities(id, part)?.length !== sent) return false
      }
    }
    return true
  }

  /** Returns what `run` returns, or null if generated code met something unusual. */
  #tried<Result>(run: () => Result): Result | null {
    try {
      const result = run()
      if (this.#unusual > 0) this.#unusual--
      return result
    } catch (error) {
      if (error !== UNUSUAL) throw error
      if (++this.#unusual >= MAX_UNUSUAL) this.#giveUp()
      return null
    }
  }
}

/** Returns the generated code, or null if the plan needs what only the interpreter can do. */
function generated<Code>(generate: () => Code): Code | null {
  try {
    return generate()
  } catch (error) {
    if (error instanceof NotGeneratedError) return null
    throw error
  }
}
