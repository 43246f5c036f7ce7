/**
 * Mistakes at which the library stops with an exception, and so says nothing about them. These rules are
 * asked when it has stopped.
 */
import { Kind } from 'graphql'
import type { CompositionError, SdlLocation } from './contract/composition-result.ts'
import { argument } from './federation/federation-link.ts'
import { isTypeNode } from './documents/definitions.ts'
import { at } from './locations/place.ts'
import { applications } from './locations/rule.ts'
import type { ParsedSubgraph } from './subgraph/subgraph.ts'

/** The mistakes of a graph at which the library stops without telling them. */
export function findCausesOfStop(subgraphs: readonly ParsedSubgraph[]): readonly CompositionError[] {
  return subgraphs.flatMap((subgraph) => [...noInterfaces(subgraph), ...costsWithoutWeight(subgraph)])
}

function noInterfaces(subgraph: ParsedSubgraph): readonly CompositionError[] {
  return subgraph.document.definitions.filter(isTypeNode).flatMap((node) =>
    ('interfaces' in node ? (node.interfaces ?? []) : []).flatMap((implemented) => {
      const type = subgraph.types.get(implemented.name.value)
      if (type === undefined || type.kind === Kind.INTERFACE_TYPE_DEFINITION) return []
      const message = `Type "${node.name.value}" implements "${type.name}", which is no interface.`
      return [invalid(subgraph, message, at(subgraph, implemented))]
    }),
  )
}

function costsWithoutWeight(subgraph: ParsedSubgraph): readonly CompositionError[] {
  return applications(subgraph, 'cost')
    .filter((node) => argument(node, 'weight')?.kind !== Kind.INT)
    .map((node) => invalid(subgraph, '@cost needs a weight that is a whole number.', at(subgraph, node)))
}

function invalid(
  { name }: ParsedSubgraph,
  message: string,
  locations: readonly SdlLocation[],
): CompositionError {
  return { code: 'INVALID_GRAPHQL', message: `[${name}] ${message}`, subgraphs: [name], locations }
}
