/** Members that only some declarations have: arguments, input fields, values of enums. */
import type { Declared } from '../graph/declared.ts'

/** A member, with the declarations that have it and the first of those that lack it. */
export type Member<Owner, Model> = {
  readonly name: string
  readonly having: readonly Declared<Model>[]
  /** Empty if all declarations have the member. */
  readonly lacking: readonly Declared<Owner>[]
}

/**
 * The declarations told that lack one member. As many members as there are subgraphs may each be in one
 * subgraph only, and all places together would grow with the square of their number.
 */
const MOST_LACKING = 20

/** All members of the declarations, in the order in which they are met. */
export function readMembers<Owner, Model>(
  declarations: readonly Declared<Owner>[],
  membersOf: (owner: Owner) => ReadonlyMap<string, Model>,
): readonly Member<Owner, Model>[] {
  const byName = new Map<string, Declared<Model>[]>()
  for (const { at, model: owner } of declarations)
    for (const [name, model] of membersOf(owner)) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, [{ at, model }])
      else known.push({ at, model })
    }
  return [...byName].map(([name, having]) => ({
    name,
    having,
    lacking: having.length === declarations.length ? NONE : firstLacking(declarations, name, membersOf),
  }))
}

const NONE: readonly never[] = []

function firstLacking<Owner, Model>(
  declarations: readonly Declared<Owner>[],
  name: string,
  membersOf: (owner: Owner) => ReadonlyMap<string, Model>,
): readonly Declared<Owner>[] {
  const found: Declared<Owner>[] = []
  for (const one of declarations) {
    if (found.length === MOST_LACKING) break
    if (!membersOf(one.model).has(name)) found.push(one)
  }
  return found
}
