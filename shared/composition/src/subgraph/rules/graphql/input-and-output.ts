/**
 * Rule: fields are of output types, arguments and input fields of input types; what is required is not
 * deprecated, and defaults are values of their types.
 *
 * https://spec.graphql.org/draft/#IsInputType()
 */
import { Kind, print, type InputValueDefinitionNode } from 'graphql'
import { membersOf } from '../../../documents/definitions.ts'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import { kindOf, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { shortened, ValueRules } from '../../checked/values.ts'
import { namedType } from './known-types.ts'
import { repeatedInputFields } from './repeated.ts'

/** Finds types at the wrong side, required inputs that are deprecated, and defaults of another type. */
export const inputAndOutput: Rule = function* inputAndOutput(subgraph) {
  const values = new ValueRules(subgraph, 'lenient')
  for (const [type, parts] of subgraph.parts)
    for (const part of parts)
      for (const member of membersOf(part)) {
        const coordinate = `${type}.${member.name.value}`
        if (member.kind === Kind.INPUT_VALUE_DEFINITION)
          yield* inputProblems(subgraph, values, coordinate, member)
        if (member.kind !== Kind.FIELD_DEFINITION) continue
        const node = namedType(member.type)
        if (kindOf(subgraph, node.name.value) === 'input')
          yield finding('INVALID_GRAPHQL', { kind: 'no-output-type', coordinate, type: print(member.type) }, [
            { node: member.type },
          ])
        for (const one of member.arguments ?? [])
          yield* inputProblems(subgraph, values, `${coordinate}(${one.name.value}:)`, one)
      }
  for (const node of subgraph.definitions)
    if (node.kind === Kind.DIRECTIVE_DEFINITION)
      for (const one of node.arguments ?? [])
        yield* inputProblems(subgraph, null, `@${node.name.value}(${one.name.value}:)`, one)
}

/** Defaults of directives have a rule of their own. */
function* inputProblems(
  subgraph: CheckedSubgraph,
  values: ValueRules | null,
  coordinate: string,
  { type, defaultValue, directives }: InputValueDefinitionNode,
): Iterable<SubgraphFinding> {
  const kind = kindOf(subgraph, namedType(type).name.value)
  if (kind === 'object' || kind === 'interface' || kind === 'union') {
    yield finding('INVALID_GRAPHQL', { kind: 'no-input-type', coordinate, type: print(type) }, [
      { node: type },
    ])
    return
  }
  const deprecated = directives?.find(({ name }) => name.value === 'deprecated')
  if (deprecated !== undefined && type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
    yield finding('INVALID_GRAPHQL', { kind: 'required-deprecated', coordinate }, [{ node: deprecated }])
  if (defaultValue === undefined) return
  yield* repeatedInputFields(defaultValue, coordinate)
  if (values === null) return
  if (values.problemsOf(defaultValue, type).length === 0) return
  const value = shortened(print(defaultValue))
  yield finding('INVALID_GRAPHQL', { kind: 'default-value', coordinate, type: print(type), value }, [
    { node: defaultValue },
  ])
}
