/**
 * Rule: each kind of operation has one root, an object type of its own.
 *
 * https://spec.graphql.org/draft/#sec-Root-Operation-Types
 */
import { Kind, OperationTypeNode, type OperationTypeDefinitionNode } from 'graphql'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import { operationTypes } from '../../../documents/definitions.ts'
import { ROOT_NAMES } from '../../../model/names.ts'
import { isKnownType, isObjectType, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { repeatedAt } from './repeated.ts'

/** Finds schemas that are defined twice, and roots that are named twice, are unknown, or are no objects. */
export const roots: Rule = function* roots(subgraph) {
  const { document } = subgraph.model
  const schemas = subgraph.definitions.filter(({ kind }) => kind === Kind.SCHEMA_DEFINITION)
  if (schemas.length > 1) yield finding('INVALID_GRAPHQL', { kind: 'repeated-schema' }, repeatedAt(schemas))
  const named = operationTypes(document)
  for (const [operation, same] of Map.groupBy(named, (one) => one.operation))
    if (same.length > 1)
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'repeated-root', operation },
        repeatedAt(same.map(({ type }) => type)),
      )
  yield* sharedRoots(named)
  for (const root of named) yield* wrongRoot(subgraph, root)
  for (const operation of Object.values(OperationTypeNode))
    if (!named.some((root) => root.operation === operation)) yield* wrongDefaultRoot(subgraph, operation)
}

function* sharedRoots(named: readonly OperationTypeDefinitionNode[]): Iterable<SubgraphFinding> {
  for (const [type, same] of Map.groupBy(named, (one) => one.type.name.value)) {
    const operations = [...new Set(same.map(({ operation }) => operation))]
    if (operations.length > 1)
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'shared-root', type, operations },
        same.map((one) => ({ node: one.type })),
      )
  }
}

function* wrongRoot(
  subgraph: CheckedSubgraph,
  { operation, type: node }: OperationTypeDefinitionNode,
): Iterable<SubgraphFinding> {
  const type = node.name.value
  if (!isKnownType(subgraph, type))
    yield finding('INVALID_GRAPHQL', { kind: 'unknown-root', operation, type }, [{ node }])
  else if (!isObjectType(subgraph, type))
    yield finding('INVALID_GRAPHQL', { kind: 'root-of-other-kind', operation, type }, [{ node }])
}

/** Types with the default names are roots as well. */
function* wrongDefaultRoot(
  subgraph: CheckedSubgraph,
  operation: OperationTypeNode,
): Iterable<SubgraphFinding> {
  const type = ROOT_NAMES[operation]
  const parts = subgraph.parts.get(type)
  if (parts === undefined || isObjectType(subgraph, type)) return
  const at = parts.map(({ name }) => ({ node: name }))
  yield finding('INVALID_GRAPHQL', { kind: 'root-of-other-kind', operation, type }, at)
}
