/** Rule: the names of root types are those of roots, and clients see the query root. */
import { OperationTypeNode } from 'graphql'
import { operationTypes } from '../../../documents/definitions.ts'
import { finding, newFinding } from '../../../findings/finding.ts'
import { ROOT_NAMES } from '../../../model/names.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'

const CODES = {
  [OperationTypeNode.QUERY]: 'ROOT_QUERY_USED',
  [OperationTypeNode.MUTATION]: 'ROOT_MUTATION_USED',
  [OperationTypeNode.SUBSCRIPTION]: 'ROOT_SUBSCRIPTION_USED',
} as const

/** Finds types with the name of a root that are none, and a query root that is hidden. */
export const rootNames: Rule = function* rootNames({ model, names, parts }) {
  const roots = operationTypes(model.document)
  for (const { operation, type } of roots) {
    const [name, root] = [ROOT_NAMES[operation], type.name.value]
    const found = root === name ? [] : (parts.get(name) ?? [])
    if (found.length === 0) continue
    const at = found.map((part) => ({ node: part.name }))
    const told = finding(CODES[operation], { type: name, root }, at)
    yield found.some(({ kind }) => kind.endsWith('Definition')) ? told : newFinding(told)
  }
  const query =
    roots.find(({ operation }) => operation === OperationTypeNode.QUERY)?.type.name.value ?? 'Query'
  for (const { name, directives } of parts.get(query) ?? []) {
    const isHidden = directives?.some((one) => names.directive(one.name.value)?.name === 'inaccessible')
    if (isHidden === true) yield finding('QUERY_ROOT_TYPE_INACCESSIBLE', { type: query }, [{ node: name }])
  }
}
