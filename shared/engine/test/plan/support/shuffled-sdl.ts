/**
 * The same schema written in another order: definitions, and within them whatever has no order of its own.
 */
import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql'
import type { Random } from '@switchyard/samples'

export function shuffledSdl(sdl: string, random: Random): string {
  const lists = ['definitions', 'fields', 'values', 'types', 'interfaces', 'arguments', 'directives'] as const
  const document: DocumentNode = visit(parse(sdl), {
    enter(node: ASTNode) {
      const copy: Record<string, unknown> = { ...node }
      for (const name of lists) {
        const list = copy[name]
        // Lists of values, as in `import: […]`, are values; lists of nodes are sets.
        if (Array.isArray(list) && node.kind !== Kind.LIST) copy[name] = random.shuffled(list)
      }
      return copy
    },
  })
  return print(document)
}
