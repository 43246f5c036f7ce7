/** Code that checks the value of a leaf, and changes the few values that have another form for clients. */
import { DeepSearch } from '../../json/deep-search.ts'
import { CHARACTERS_PER_VALUE_BITS } from '../../json/json-weight.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { LeafCoercion, ShapeNode } from '../../plan/contract/plan.ts'
import type { TypeFacts } from '../joining/type-facts.ts'
import { coerceLeaf, LARGE_SCALAR, LeafError, MAX_NESTING } from '../completion/leaf.ts'
import { UNUSUAL } from './generated-code.ts'

/** A leaf of the response shape. */
export type LeafNode = Extract<ShapeNode, { readonly kind: 'leaf' }>

/** Writes the code of leaves, and keeps the constants that it uses. */
export class LeafCode {
  readonly constants: unknown[] = []
  readonly #facts: TypeFacts
  readonly #helpers = new Map<string, number>()

  constructor(facts: TypeFacts) {
    this.#facts = facts
  }

  /**
   * Statements that replace the value of the variable `value`, which is neither null nor undefined. What
   * takes more than a look is done by a helper, which throws `UNUSUAL` for what clients must not see.
   */
  codeOf({ coerce, type }: LeafNode, value: string): string {
    const helper = this.#helperOf(coerce, type)
    const other = `${value} = constants[${helper}](${value});`
    const weigh = `weight += ${value}.length >> ${CHARACTERS_PER_VALUE_BITS};`
    switch (coerce) {
      case 'String':
      case 'ID':
        return `if (typeof ${value} !== "string") ${other} ${weigh}`
      case 'Int':
        return `if (typeof ${value} !== "number" || (${value} | 0) !== ${value}) ${other}`
      case 'Float':
        return `if (typeof ${value} !== "number" || ${value} - ${value} !== 0) ${other}`
      case 'Boolean':
        return `if (${value} !== true && ${value} !== false) ${other}`
      case 'enum':
        return `if (!constants[${helper + 1}].has(${value})) ${other} ${weigh}`
      case 'custom':
        return `if (typeof ${value} === "string") ${weigh} else weight += constants[${helper}](${value});`
      default:
        return coerce satisfies never
    }
  }

  /** The number of the constant that is the helper; the values of an enum are the constant after it. */
  #helperOf(coerce: LeafCoercion, type: TypeId): number {
    const key = `${coerce} ${type}`
    const known = this.#helpers.get(key)
    if (known !== undefined) return known
    const number = this.constants.push(leafHelper(coerce, type, this.#facts)) - 1
    if (coerce === 'enum') this.constants.push(this.#facts.enumValues(type))
    this.#helpers.set(key, number)
    return number
  }
}

/** The helper of a leaf; that of a custom scalar, whose values are shown as they are, returns the weight. */
function leafHelper(coerce: LeafCoercion, type: TypeId, facts: TypeFacts): (value: unknown) => unknown {
  if (coerce === 'custom') return weightOfScalar
  return (value) => {
    const completed = coerceLeaf(value, coerce, type, facts)
    if (completed instanceof LeafError) throw UNUSUAL
    return completed
  }
}

function weightOfScalar(value: unknown): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw UNUSUAL
  if (typeof value !== 'object') return 0
  const search = new DeepSearch(value, MAX_NESTING)
  if (!search.proceed(LARGE_SCALAR) || search.isTooDeep) throw UNUSUAL
  return search.count
}
