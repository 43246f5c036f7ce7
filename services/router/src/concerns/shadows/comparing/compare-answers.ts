/**
 * Compares two answers to one operation by their meaning. Members of objects count in any order, numbers by
 * their values, errors by path and code. The work is done in slices, since it may take long.
 *
 * Items of lists are matched before they are compared: first those that are equal at the same place, then
 * those that are equal elsewhere. What is left is compared in pairs. So an item that moved, or came anew,
 * does not make all others different.
 */
import type { DifferenceCause } from '@switchyard/contracts'
import {
  ExactNumber,
  type ExecutionResult,
  inSlices,
  JsonText,
  type ResponseError,
  type Turns,
} from '@switchyard/engine'
import {
  type AnswerComparison,
  type AnswerDifference,
  differentValue,
  MAX_DIFFERENCES,
  MAX_PATH,
} from './difference.ts'
import { SlicedTask, Steps } from './sliced-task.ts'
import { ValueHashes } from './value-hash.ts'

/** Characters of an error's code that count. */
const MAX_CODE = 100
const NOTHING = differentValue(null)

/**
 * Compares what base answered with what the flag's composition did. `unordered`: paths of lists whose order
 * means nothing. Rejects with TooDeepError.
 */
export async function compareAnswers(
  base: ExecutionResult,
  flag: ExecutionResult,
  unordered: ReadonlySet<string>,
  turns: Turns,
): Promise<AnswerComparison> {
  const steps = new Steps()
  const comparison = new Comparison(steps, unordered)
  await inSlices(new SlicedTask(steps, comparison.run(base, flag)), turns)
  return comparison
}

type JsonMembers = Readonly<Record<string, unknown>>

class Comparison implements AnswerComparison {
  isReordered = false
  readonly #steps: Steps
  readonly #unordered: ReadonlySet<string>
  readonly #hashes: ValueHashes
  readonly #found = new Map<string, AnswerDifference>()

  constructor(steps: Steps, unordered: ReadonlySet<string>) {
    this.#steps = steps
    this.#unordered = unordered
    this.#hashes = new ValueHashes(steps)
  }

  get differences(): readonly AnswerDifference[] {
    return [...this.#found.values()]
  }

  *run(base: ExecutionResult, flag: ExecutionResult): Generator<void, void> {
    yield* this.#hashes.add(base.data)
    yield* this.#hashes.add(flag.data)
    yield* this.#values(base.data, flag.data, '')
    yield* this.#errors(base.errors, flag.errors)
  }

  *#values(base: unknown, flag: unknown, path: string): Generator<void, void> {
    if (this.#steps.take()) yield
    if (this.#found.size >= MAX_DIFFERENCES || this.#hashes.of(base) === this.#hashes.of(flag)) return
    if (base === null || base === undefined) this.#note(path, 'not-null', base, flag)
    else if (flag === null || flag === undefined) this.#note(path, 'null', base, flag)
    else if (Array.isArray(base) && Array.isArray(flag)) yield* this.#lists(base, flag, path)
    else if (isMembers(base) && isMembers(flag)) yield* this.#objects(base, flag, path)
    else this.#note(path, kindOf(base) === kindOf(flag) ? 'value' : 'type', base, flag)
  }

  *#objects(base: JsonMembers, flag: JsonMembers, path: string): Generator<void, void> {
    // The members of another type would differ as well, which says no more.
    if (base['__typename'] !== flag['__typename']) {
      this.#note(path, 'type', base, flag)
      return
    }
    for (const [key, value] of Object.entries(base)) {
      const at = below(path, key)
      if (Object.hasOwn(flag, key)) yield* this.#values(value, flag[key], at)
      else this.#note(at, 'missing', value, null)
    }
    for (const [key, value] of Object.entries(flag)) {
      if (!Object.hasOwn(base, key)) this.#note(below(path, key), 'extra', null, value)
    }
  }

  *#lists(base: readonly unknown[], flag: readonly unknown[], path: string): Generator<void, void> {
    const { left, right, areMoved } = yield* this.#unmatched(base, flag)
    if (base.length !== flag.length) {
      this.#note(path, 'length', base, flag)
      return
    }
    if (areMoved && this.#unordered.has(path)) this.isReordered = true
    else if (areMoved) this.#note(path, 'order', base, flag)
    const item = below(path, '*')
    for (const [index, value] of left.entries()) yield* this.#values(value, right[index], item)
  }

  /** Returns the items of each list that have no equal in the other one, in their order. */
  *#unmatched(
    base: readonly unknown[],
    flag: readonly unknown[],
  ): Generator<
    void,
    { readonly left: readonly unknown[]; readonly right: readonly unknown[]; readonly areMoved: boolean }
  > {
    const elsewhere = new Map<number, number>()
    const [left, right]: [unknown[], unknown[]] = [[], []]
    for (let index = 0; index < Math.max(base.length, flag.length); index++) {
      if (this.#steps.take()) yield
      const isAtBoth = index < base.length && index < flag.length
      if (isAtBoth && this.#hashes.of(base[index]) === this.#hashes.of(flag[index])) continue
      if (index < base.length) left.push(base[index])
      if (index >= flag.length) continue
      const hash = this.#hashes.of(flag[index])
      right.push(flag[index])
      elsewhere.set(hash, (elsewhere.get(hash) ?? 0) + 1)
    }
    const matched = new Map<number, number>()
    const isMoved = (counts: Map<number, number>, value: unknown): boolean => {
      const hash = this.#hashes.of(value)
      const count = counts.get(hash) ?? 0
      if (count > 0) counts.set(hash, count - 1)
      return count > 0
    }
    const onlyLeft = left.filter((value) => {
      const hasMoved = isMoved(elsewhere, value)
      const hash = this.#hashes.of(value)
      if (hasMoved) matched.set(hash, (matched.get(hash) ?? 0) + 1)
      return !hasMoved
    })
    const onlyRight = right.filter((value) => !isMoved(matched, value))
    return { left: onlyLeft, right: onlyRight, areMoved: onlyLeft.length < left.length }
  }

  *#errors(base: readonly ResponseError[], flag: readonly ResponseError[]): Generator<void, void> {
    const counts = new Map<string, { readonly path: string; readonly code: string; more: number }>()
    for (const [errors, by] of [
      [base, -1],
      [flag, 1],
    ] as const) {
      for (const error of errors) {
        if (this.#steps.take()) yield
        const { path, code } = placeOf(error)
        const key = JSON.stringify([path, code])
        const known = counts.get(key) ?? { path, code, more: 0 }
        known.more += by
        counts.set(key, known)
      }
    }
    for (const { path, code, more } of counts.values()) {
      if (more !== 0) this.#note(path, more > 0 ? 'error' : 'no-error', null, null, code)
    }
  }

  #note(
    whole: string,
    cause: DifferenceCause,
    base: unknown,
    flag: unknown,
    code: string | null = null,
  ): void {
    const path = whole.slice(0, MAX_PATH)
    const key = JSON.stringify([path, cause, code])
    if (this.#found.size >= MAX_DIFFERENCES || this.#found.has(key)) return
    const sides =
      code === null
        ? { base: differentValue(base), flag: differentValue(flag) }
        : { base: NOTHING, flag: NOTHING }
    this.#found.set(key, { path, cause, code, ...sides })
  }
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && kindOf(value) === 'object'
}

function kindOf(value: unknown): string {
  if (value instanceof ExactNumber) return 'number'
  if (value instanceof JsonText) return 'json'
  return Array.isArray(value) ? 'list' : typeof value
}

function placeOf({ path = [], extensions }: ResponseError): { readonly path: string; readonly code: string } {
  const code = extensions?.['code']
  return {
    path: path.map((part) => (typeof part === 'number' ? '*' : part)).join('.'),
    code: typeof code === 'string' ? code.slice(0, MAX_CODE) : '',
  }
}
