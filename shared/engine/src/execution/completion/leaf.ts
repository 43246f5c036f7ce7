import { ExactNumber } from '../../json/exact-number.ts'
import type { TypeId } from '../../ids/ids.ts'
import type { LeafCoercion } from '../../plan/contract/plan.ts'
import { describe } from '../../json/json-object.ts'
import type { TypeFacts } from '../joining/type-facts.ts'

/** Says why a value sent for a leaf cannot be shown to the client. */
export class LeafError {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/**
 * Values of custom scalars may nest this deep: what is deeper can be received, but not be written to the
 * client.
 */
export const MAX_NESTING = 500

/** Values of custom scalars that hold more values than this are searched in slices. */
export const LARGE_SCALAR = 1000

/** The message for a value of a custom scalar that nests more than `MAX_NESTING` levels deep. */
export function tooDeep(type: TypeId, facts: TypeFacts): string {
  return `${facts.nameOf(type)} cannot represent a value that nests so deeply.`
}

const MAX_INT = 2_147_483_647
const MIN_INT = -2_147_483_648

/**
 * Result coercion (https://spec.graphql.org/draft/#sec-Scalars.Result-Coercion-and-Serialization) of a value
 * that is not null. A `LeafError` is returned, not thrown: a subgraph that sends a thousand bad values must
 * not cost a thousand stack traces.
 *
 * How deep the values of custom scalars nest is for the caller to check.
 *
 * A number may stand for a String or an ID, as in graphql-js, but not one whose digits a double has lost: a
 * wrong id is worse than none.
 */
export function coerceLeaf(value: unknown, coerce: LeafCoercion, type: TypeId, facts: TypeFacts): unknown {
  if (typeof value === 'object' && value instanceof ExactNumber && coerce !== 'custom')
    return coerceLeaf(Number(value.text), coerce, type, facts)
  switch (coerce) {
    case 'String':
      if (typeof value === 'string') return value
      if (typeof value === 'boolean' || (typeof value === 'number' && hasItsDigits(value)))
        return String(value)
      return new LeafError(`String cannot represent value: ${describe(value)}`)
    case 'Int':
      if (typeof value !== 'number' || !Number.isInteger(value))
        return new LeafError(`Int cannot represent non-integer value: ${describe(value)}`)
      if (value > MAX_INT || value < MIN_INT)
        return new LeafError(`Int cannot represent non 32-bit signed integer value: ${describe(value)}`)
      return value
    case 'Float':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      return new LeafError(`Float cannot represent non numeric value: ${describe(value)}`)
    case 'Boolean':
      if (typeof value === 'boolean') return value
      return new LeafError(`Boolean cannot represent a non boolean value: ${describe(value)}`)
    case 'ID':
      if (typeof value === 'string') return value
      if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
      return new LeafError(`ID cannot represent value: ${describe(value)}`)
    case 'enum':
      if (typeof value === 'string' && facts.enumValues(type).has(value)) return value
      return new LeafError(`Enum "${facts.nameOf(type)}" cannot represent value: ${hiddenValue(value)}`)
    case 'custom':
      if (typeof value === 'number' && !Number.isFinite(value))
        return new LeafError(`${facts.nameOf(type)} cannot represent value: ${describe(value)}`)
      return value
    default:
      return coerce satisfies never
  }
}

function hasItsDigits(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

/** A string here may be a value the graph's owner has made inaccessible, which a message must not reveal. */
function hiddenValue(value: unknown): string {
  return typeof value === 'string' ? 'a name that is not one of its values' : describe(value)
}
