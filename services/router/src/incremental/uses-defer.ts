import { BREAK, type DocumentNode, visit } from 'graphql'

/** Whether `@defer` stands anywhere in a document, active or not. */
export function usesDefer(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    Directive({ name }) {
      if (name.value !== 'defer') return undefined
      found = true
      return BREAK
    },
  })
  return found
}
