/** Inputs that are refused before the library sees them, each with a reason its author can act on. */
import { visit } from 'graphql'
import type { DocumentNode } from 'graphql'
import type { CompositionError, SubgraphInput } from './composition-result.ts'
import { federationDirectiveName, findFederationLink } from './federation-link.ts'
import { at } from './locations/place.ts'

/** A schema as it was written. */
export type SourceDocument = { readonly name: string; readonly document: DocumentNode }

/** Federation features whose supergraphs the engine cannot execute. */
const UNSUPPORTED_DIRECTIVES: ReadonlySet<string> = new Set(['context', 'fromContext'])

export function refuseInput(subgraphs: readonly SubgraphInput[]): readonly CompositionError[] {
  if (subgraphs.length === 0) {
    return [
      {
        code: 'NO_SUBGRAPHS',
        message: 'There is no subgraph to compose; a graph needs at least one subgraph with a schema.',
        subgraphs: [],
        locations: [],
      },
    ]
  }
  const seen = new Set<string>()
  const errors: CompositionError[] = []
  for (const { name } of subgraphs) {
    if (seen.has(name)) {
      errors.push({
        code: 'DUPLICATE_SUBGRAPH_NAME',
        message: `Two subgraphs are called "${name}"; names are unique within a graph.`,
        subgraphs: [name],
        locations: [],
      })
    }
    seen.add(name)
  }
  return errors
}

export function refuseUnsupported({ name, document }: SourceDocument): readonly CompositionError[] {
  const link = findFederationLink(document)
  const errors: CompositionError[] = []
  visit(document, {
    Directive(node) {
      const directive = federationDirectiveName(link, node.name.value)
      if (directive === null || !UNSUPPORTED_DIRECTIVES.has(directive)) return
      errors.push({
        code: 'UNSUPPORTED_DIRECTIVE',
        message:
          `[${name}] @${directive} (written @${node.name.value}) is not supported: values cannot be passed from an ` +
          'ancestor to a field argument. Fetch the value with @requires from the same entity, or pass it as a client argument.',
        subgraphs: [name],
        locations: at({ name }, node),
      })
    },
  })
  return errors
}
