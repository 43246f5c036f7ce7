import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { fragmentsOf } from './fragments.ts'

/** The directives in an operation and in the fragments it reaches, each once. */
export function visitReached(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  visitDirective: (directive: DirectiveNode) => void,
): void {
  const fragments = fragmentsOf(document)
  const seen = new Set<string>()
  const waiting: (OperationDefinitionNode | FragmentDefinitionNode)[] = [operation]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    visit(node, {
      FragmentSpread: ({ name }) => {
        if (seen.has(name.value)) return
        seen.add(name.value)
        const fragment = fragments.get(name.value)
        if (fragment !== undefined) waiting.push(fragment)
      },
      Directive: visitDirective,
    })
}
