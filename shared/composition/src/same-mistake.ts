/**
 * One error for one mistake.
 *
 * The library checks some things twice, and reports what follows from a mistake beside the mistake. The error
 * that says more stays.
 */
import type { CompositionError } from './contract/composition-result.ts'
import { EXTERNAL_LABEL } from './locations/rule.ts'

/** The errors without those that tell of a mistake which another of them tells better. */
export function withoutRepetition(errors: readonly CompositionError[]): readonly CompositionError[] {
  const byPlace = new Map<string, CompositionError[]>()
  for (const error of errors) {
    const key = JSON.stringify(error.locations.length > 0 ? error.locations : error.message)
    const others = byPlace.get(key)
    if (others === undefined) byPlace.set(key, [error])
    else if (!others.some((other) => isRepeated(error, other))) {
      byPlace.set(key, [...others.filter((other) => !isRepeated(other, error)), error])
    }
  }
  const kept = new Set([...byPlace.values()].flat())
  const external = new Set(
    errors.filter(({ code }) => code === 'EXTERNAL_TYPE_MISMATCH').map(({ message }) => fieldOf(message)),
  )
  return errors.filter(
    (error) => kept.has(error) && !(isOfExternal(error) && external.has(fieldOf(error.message))),
  )
}

/** Whether `other`, an error at the same places, already reports what `error` reports. */
function isRepeated(error: CompositionError, other: CompositionError): boolean {
  if (other.code === error.code && other.message.startsWith(error.message)) return true
  // Two subgraphs that override one from another are told of from both sides.
  if (error.code === 'OVERRIDE_SOURCE_HAS_OVERRIDE') return other.code === error.code
  // The definition that the subgraph gives is left out, and so stands beside the right one.
  if (/There can be only one directive named/.test(error.message))
    return other.code === 'DIRECTIVE_DEFINITION_INVALID'
  if (/Invalid value for "@listSize\(/.test(error.message)) return other.code.startsWith('LIST_SIZE_')
  return /Unknown type \w+$/.test(error.message) && /Cannot set schema \w+ root/.test(other.message)
}

/** Types that differ from those of external fields only are reported as EXTERNAL_TYPE_MISMATCH, too. */
function isOfExternal({ code, locations }: CompositionError): boolean {
  if (code !== 'FIELD_TYPE_MISMATCH') return false
  const own = locations.filter(({ label }) => label?.endsWith(EXTERNAL_LABEL) !== true)
  return new Set(own.map(({ label }) => label)).size < 2
}

function fieldOf(message: string): string {
  return /^Type of field "([^"]*)"/.exec(message)?.[1] ?? message
}
