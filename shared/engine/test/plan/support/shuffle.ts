/** The same schema written in another order: definitions, and within them whatever has no order of its own. */
import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql'

export type Random = () => number

/** A linear congruential generator (Numerical Recipes): the same numbers for a seed everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const [a, b] = [result[index] as Item, result[other] as Item]
    result[index] = b
    result[other] = a
  }
  return result
}

export function shuffledSdl(sdl: string, random: Random): string {
  const lists = ['definitions', 'fields', 'values', 'types', 'interfaces', 'arguments', 'directives'] as const
  const document: DocumentNode = visit(parse(sdl), {
    enter(node: ASTNode) {
      const copy: Record<string, unknown> = { ...node }
      for (const name of lists) {
        const list = copy[name]
        // Lists of values, as in `import: […]`, are values; lists of nodes are sets.
        if (Array.isArray(list) && node.kind !== Kind.LIST) copy[name] = shuffled(list, random)
      }
      return copy
    },
  })
  return print(document)
}
