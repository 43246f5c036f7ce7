/**
 * Input coercion of scalars and enums, as graphql-js does it, with messages that do not grow with the value.
 */
import { type GraphQLLeafType, isEnumType, isSpecifiedScalarType } from 'graphql'
import { ExactNumber } from '../json/exact-number.ts'
import { suggestionOf } from './did-you-mean.ts'
import { excerpt, excerptOfValue } from './excerpt.ts'

/** Why a value cannot be taken. It is returned, not thrown, because a list may hold very many such values. */
export class InputError {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

const MAX_INT = 2_147_483_647
const MIN_INT = -2_147_483_648

/**
 * The coerced form of a value that is not null, or an InputError. An integer for an ID becomes text, digit
 * for digit; for other built-in scalars a number is a double. Custom scalars take everything as it came.
 */
export function coerceLeafInput(given: unknown, type: GraphQLLeafType): unknown {
  if (isEnumType(type)) {
    if (typeof given !== 'string')
      return new InputError(
        `Enum "${type.name}" cannot represent non-string value: ${excerptOfValue(given)}.`,
      )
    if (type.getValue(given) != null) return given
    const names = type.getValues().map(({ name }) => name)
    return new InputError(
      `Value "${excerpt(given)}" does not exist in "${type.name}" enum.${suggestionOf(given, names)}`,
    )
  }
  if (!isSpecifiedScalarType(type)) return given
  if (type.name === 'ID' && given instanceof ExactNumber && /^-?\d+$/.test(given.text)) return given.text
  const value = given instanceof ExactNumber ? Number(given.text) : given
  switch (type.name) {
    case 'Int':
      if (typeof value !== 'number' || !Number.isInteger(value))
        return new InputError(`Int cannot represent non-integer value: ${excerptOfValue(given)}`)
      if (value > MAX_INT || value < MIN_INT)
        return new InputError(
          `Int cannot represent non 32-bit signed integer value: ${excerptOfValue(given)}`,
        )
      return value
    case 'Float':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      return new InputError(`Float cannot represent non numeric value: ${excerptOfValue(given)}`)
    case 'Boolean':
      if (typeof value === 'boolean') return value
      return new InputError(`Boolean cannot represent a non boolean value: ${excerptOfValue(given)}`)
    case 'ID':
      if (typeof value === 'string') return value
      if (typeof value === 'number' && Number.isInteger(value)) return String(value)
      return new InputError(`ID cannot represent value: ${excerptOfValue(given)}`)
    default:
      if (typeof value === 'string') return value
      return new InputError(`String cannot represent a non string value: ${excerptOfValue(given)}`)
  }
}
