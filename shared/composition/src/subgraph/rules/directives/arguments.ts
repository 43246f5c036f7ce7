/**
 * Rule: directives get the arguments that their definitions ask for, each once, and with values of its type.
 *
 * https://spec.graphql.org/draft/#sec-Validation.Arguments
 */
import { Kind, print } from 'graphql'
import type { ConstDirectiveNode, ConstValueNode, InputValueDefinitionNode } from 'graphql'
import { finding, type SubgraphFinding } from '../../../findings/finding.ts'
import { namedTypeOf } from '../../../model/names.ts'
import type { Rule } from '../../checked/checked-subgraph.ts'
import { coordinateOf } from '../../checked/elements.ts'
import { repeatedAt, repeatedByName, repeatedInputFields } from '../graphql/repeated.ts'
import type { KnownDirective } from '../../checked/known-directives.ts'
import { ValueRules } from '../../checked/values.ts'

/** Values of these directives have rules of their own, which say more. */
const WITH_OWN_RULES: ReadonlySet<string | null> = new Set(['listSize', 'requiresScopes', 'policy'])

/** Directives for which a null always counted as no text. */
const TAKING_NULL: ReadonlySet<string | null> = new Set(['tag', 'override', 'composeDirective'])

/** Finds missing, unknown and repeated arguments, and values of another type. */
export const directiveArguments: Rule = function* directiveArguments(subgraph) {
  const values = new ValueRules(subgraph, 'strict')
  for (const element of subgraph.elements) {
    for (const node of element.directives) {
      const coordinate = coordinateOf(element)
      yield* repeatedIn(node, coordinate)
      const found = subgraph.directive(node.name.value)
      if (found.kind === 'known') yield* checkArguments(found.directive, node, coordinate, values)
    }
  }
  for (const node of subgraph.definitions) {
    if (node.kind !== Kind.DIRECTIVE_DEFINITION || subgraph.names.directive(node.name.value) !== null)
      continue
    for (const { name, type, defaultValue } of node.arguments ?? [])
      for (const wrong of defaultValue === undefined ? [] : values.problemsOf(defaultValue, type))
        yield finding(
          'INVALID_GRAPHQL',
          {
            kind: 'directive-default',
            directive: node.name.value,
            argument: name.value,
            problem: wrong.problem,
          },
          [{ node: wrong.node }],
        )
  }
}

function* repeatedIn(node: ConstDirectiveNode, coordinate: string): Iterable<SubgraphFinding> {
  const directive = node.name.value
  const given = node.arguments ?? []
  for (const [argument, same] of repeatedByName(given))
    yield finding(
      'INVALID_GRAPHQL',
      { kind: 'repeated-given-argument', directive, coordinate, argument },
      repeatedAt(same.map(({ name }) => name)),
    )
  for (const { value } of given) yield* repeatedInputFields(value, coordinate)
}

function* checkArguments(
  known: KnownDirective,
  node: ConstDirectiveNode,
  coordinate: string,
  values: ValueRules,
): Iterable<SubgraphFinding> {
  if (known.arguments === null) return
  const directive = node.name.value
  const given = new Set((node.arguments ?? []).map(({ name }) => name.value))
  for (const [argument, defined] of known.arguments)
    if (isRequired(defined) && !given.has(argument))
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'missing-argument', directive, coordinate, argument, type: print(defined.type) },
        [{ node }],
      )
  for (const one of node.arguments ?? []) {
    const argument = one.name.value
    const defined = known.arguments.get(argument)
    if (defined === undefined)
      yield finding('INVALID_GRAPHQL', { kind: 'unknown-argument', directive, coordinate, argument }, [
        { node: one },
      ])
    if (defined === undefined || WITH_OWN_RULES.has(known.federation)) continue
    if (isJudgedElsewhere(known.federation, one.value, defined)) continue
    for (const wrong of values.problemsOf(one.value, defined.type))
      yield finding(
        'INVALID_GRAPHQL',
        { kind: 'directive-value', directive, coordinate, argument, problem: wrong.problem },
        // A value that is wrong as a whole is shown with the name of the argument.
        [{ node: wrong.node === one.value ? one : wrong.node }],
      )
  }
}

/** Selections have rules of their own. A weight was never too large. */
function isJudgedElsewhere(
  federation: string | null,
  { kind }: ConstValueNode,
  { type }: InputValueDefinitionNode,
): boolean {
  if (federation === null) return false
  if (kind === Kind.NULL && TAKING_NULL.has(federation)) return true
  return namedTypeOf(print(type)).endsWith('FieldSet') || (federation === 'cost' && kind === Kind.INT)
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined
}
