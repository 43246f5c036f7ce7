/** Decides by `@openfed__subscriptionFilter` which messages are events of a subscription. */
import { templateParts } from '@switchyard/contracts/event-subjects'
import { ExactNumber, RequestError } from '@switchyard/engine'
import { isObject } from './shape-payload.ts'
import { valueAt } from './subjects.ts'

/** A condition with the arguments of one subscription. Plain data: equal ones have equal texts of JSON. */
export type EventFilter =
  | {
      readonly kind: 'in'
      readonly path: readonly string[]
      readonly values: readonly Comparable[]
      /** The same, for looking up; nothing of it is in a JSON text. */
      readonly wanted: ReadonlySet<Comparable>
    }
  | { readonly kind: 'not'; readonly of: EventFilter }
  | { readonly kind: 'all'; readonly of: readonly EventFilter[] }
  | { readonly kind: 'any'; readonly of: readonly EventFilter[] }

/** A leaf as it is compared: numbers and texts of the same digits are the same, as they are for IDs. */
type Comparable = string | null

type Values = Readonly<Record<string, unknown>>

/** Values of one condition, also those of lists that clients give, and items of a list in a message. */
const MOST_VALUES = 1000

/**
 * Fills in the arguments. Null if there is no condition. Throws a RequestError with `BAD_USER_INPUT` if a
 * client names too many values. Throws a RangeError for a condition that no composition lets pass: what
 * cannot be understood must not let everything through.
 */
export function filterOf(condition: unknown, values: Values): EventFilter | null {
  return condition === null ? null : read(condition, values)
}

function read(condition: unknown, values: Values): EventFilter {
  const [entry] = isObject(condition) ? Object.entries(condition) : []
  const [operator, operand] = entry ?? []
  if (operator === 'NOT') return { kind: 'not', of: read(operand, values) }
  if ((operator === 'AND' || operator === 'OR') && Array.isArray(operand))
    return { kind: operator === 'AND' ? 'all' : 'any', of: operand.map((one) => read(one, values)) }
  if (operator !== 'IN' || !isObject(operand)) throw new RangeError('A filter of events has no meaning.')
  const { fieldPath, values: wanted } = operand
  if (typeof fieldPath !== 'string' || !Array.isArray(wanted))
    throw new RangeError('A filter of events has no values.')
  const compared = wanted.flatMap((one: unknown) => comparables(one, values))
  const set = new Set(compared)
  if (set.size > MOST_VALUES)
    throw new RequestError('variables', 'BAD_USER_INPUT', [
      `The arguments name more than ${MOST_VALUES} values of "${fieldPath}" by which events are filtered.`,
    ])
  return { kind: 'in', path: fieldPath.split('.'), values: [...set], wanted: set }
}

/** A list as an argument stands for its items; an argument without a value for nothing. */
function comparables(wanted: unknown, values: Values): readonly Comparable[] {
  const [part] = typeof wanted === 'string' ? templateParts(wanted) : []
  if (part?.kind !== 'argument') return comparable(wanted)
  const value = valueAt(part.path, values)
  if (value === undefined) return []
  return Array.isArray(value) ? value.flat().flatMap((one: unknown) => comparable(one)) : comparable(value)
}

function comparable(value: unknown): readonly Comparable[] {
  if (value === null) return [null]
  if (value instanceof ExactNumber) return [value.text]
  const isLeaf = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isLeaf ? [String(value)] : []
}

/** Whether a message is an event. A list in it counts if one of its items does. */
export function passes(filter: EventFilter, payload: unknown): boolean {
  if (filter.kind === 'not') return !passes(filter.of, payload)
  if (filter.kind === 'all') return filter.of.every((one) => passes(one, payload))
  if (filter.kind === 'any') return filter.of.some((one) => passes(one, payload))
  let value: unknown = payload
  for (const name of filter.path)
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  const found: readonly unknown[] = Array.isArray(value) ? value.slice(0, MOST_VALUES) : [value]
  return found.some((one) => comparable(one ?? null).some((leaf) => filter.wanted.has(leaf)))
}
