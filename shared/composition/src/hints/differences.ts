/**
 * Hints about definitions that differ between subgraphs, where the difference composes but may be a surprise:
 * a type that clients see less exactly, an argument, an input field or a value that is left out, a default
 * that is not published.
 *
 * Hints report only what is certain: each is about definitions that are merged whatever clients ask.
 */
import type { Finding } from '../findings/finding.ts'
import type { MergeFacts } from '../graph/facts.ts'
import { fieldArguments } from './field-arguments.ts'
import { fieldTypes } from './field-types.ts'
import { inputEnumValues } from './input-enum-values.ts'
import { inputFields } from './input-fields.ts'
import type { SharedDefinition } from './shared-definitions.ts'

/** Finds such differences of one definition. */
export function* differences(definition: SharedDefinition, facts: MergeFacts): Iterable<Finding> {
  yield* inputFields(definition, facts)
  yield* inputEnumValues(definition, facts)
  for (const [name, fields] of definition.fields) {
    const coordinate = `${definition.name}.${name}`
    yield* fieldTypes(coordinate, fields, facts)
    yield* fieldArguments(coordinate, fields, facts)
  }
}
