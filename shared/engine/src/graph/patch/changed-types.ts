/** Which definitions of two texts of a supergraph differ. */
import type { TypeDefinitionNode } from 'graphql'
import { parseType } from './definition-texts.ts'

/** A type whose definition has changed. */
export type ChangedType = {
  readonly name: string
  readonly text: string
  readonly before: TypeDefinitionNode
  readonly now: TypeDefinitionNode
}

/**
 * The changed types of a text that defines the same things in the same order as the one before. Null if it
 * does not, if something else than a type has changed, or if more than `most` have. Throws graphql-js's
 * syntax error.
 */
export function changedTypes(
  from: readonly string[],
  to: readonly string[],
  most: number,
): readonly ChangedType[] | null {
  if (from.length !== to.length) return null
  const changed: ChangedType[] = []
  for (const [index, text] of to.entries()) {
    const old = from[index]
    if (old === undefined || old === text) continue
    if (changed.length === most) return null
    const [before, now] = [parseType(old), parseType(text)]
    if (before === null || now === null) return null
    const name = now.name.value
    if (before.kind !== now.kind || before.name.value !== name) return null
    changed.push({ name, text, before, now })
  }
  return changed
}
