/** Checks the condition of `@openfed__subscriptionFilter`, which says which events are passed on. */
import { Kind, type ConstObjectFieldNode, type ConstValueNode } from 'graphql'
import { templateParts } from '@switchyard/contracts/event-subjects'

/** A mistake in a condition, and the node that has it. */
export type FilterProblem = {
  readonly kind:
    | 'no-condition'
    | 'no-list'
    | 'too-deep'
    | 'too-many'
    | 'no-path'
    | 'unknown-path'
    | 'no-values'
    | 'no-value'
    | 'unknown-argument'
  /** The text that is meant, or an empty one. */
  readonly text: string
  readonly node: ConstValueNode
}

/** The fields and arguments that a condition may name. */
export type FilterScope = {
  /** True if the events have a leaf at this path. */
  readonly hasLeaf: (path: readonly string[]) => boolean
  /** True if the field has an argument with this path: a leaf, or a list of leaves. */
  readonly hasArgument: (path: readonly string[]) => boolean
}

/** Levels of conditions, as the documentation of the directive limits them. */
const MOST_LEVELS = 5
/** Conditions below one `AND` or `OR`. */
const MOST_CONDITIONS = 5
/** Values of one `IN`. */
const MOST_VALUES = 100

const NAME = /^[_A-Za-z]\w*$/

/** Finds the mistakes in a condition. */
export function* filterProblems(
  node: ConstValueNode,
  scope: FilterScope,
  level = 1,
): Iterable<FilterProblem> {
  const only = node.kind === Kind.OBJECT && node.fields.length === 1 ? node.fields[0] : undefined
  const operator = OPERATORS.get(only?.name.value ?? '')
  if (only === undefined || operator === undefined) yield { kind: 'no-condition', text: '', node }
  else if (level > MOST_LEVELS) yield { kind: 'too-deep', text: String(MOST_LEVELS), node }
  else if (operator === 'in') yield* problemsOfIn(only.value, scope)
  else if (operator === 'not') yield* filterProblems(only.value, scope, level + 1)
  else yield* problemsOfList(only, scope, level)
}

const OPERATORS: ReadonlyMap<string, 'in' | 'not' | 'list'> = new Map([
  ['IN', 'in'],
  ['NOT', 'not'],
  ['AND', 'list'],
  ['OR', 'list'],
])

function* problemsOfList(
  { name, value }: ConstObjectFieldNode,
  scope: FilterScope,
  level: number,
): Iterable<FilterProblem> {
  const all = value.kind === Kind.LIST ? value.values : []
  if (all.length === 0) yield { kind: 'no-list', text: name.value, node: value }
  else if (all.length > MOST_CONDITIONS)
    yield { kind: 'too-many', text: String(MOST_CONDITIONS), node: value }
  else for (const one of all) yield* filterProblems(one, scope, level + 1)
}

function* problemsOfIn(node: ConstValueNode, scope: FilterScope): Iterable<FilterProblem> {
  const given = new Map<string, ConstObjectFieldNode>(
    node.kind === Kind.OBJECT ? node.fields.map((one) => [one.name.value, one]) : [],
  )
  const path = given.get('fieldPath')?.value
  const values = given.get('values')?.value
  const isPath = path?.kind === Kind.STRING && path.value.split('.').every((name) => NAME.test(name))
  if (!isPath) yield { kind: 'no-path', text: '', node: path ?? node }
  else if (!scope.hasLeaf(path.value.split('.'))) yield { kind: 'unknown-path', text: path.value, node: path }
  const all = values?.kind === Kind.LIST ? values.values : []
  if (all.length === 0 || all.length > MOST_VALUES)
    yield { kind: 'no-values', text: String(MOST_VALUES), node: values ?? node }
  else for (const value of all) yield* problemsOfValue(value, scope)
}

function* problemsOfValue(node: ConstValueNode, { hasArgument }: FilterScope): Iterable<FilterProblem> {
  if (node.kind === Kind.LIST || node.kind === Kind.OBJECT || node.kind === Kind.ENUM)
    yield { kind: 'no-value', text: '', node }
  if (node.kind !== Kind.STRING) return
  const parts = templateParts(node.value)
  if (parts.every(({ kind }) => kind === 'text')) return
  const [only] = parts
  if (parts.length !== 1 || only?.kind !== 'argument') yield { kind: 'no-value', text: node.value, node }
  else if (!hasArgument(only.path)) yield { kind: 'unknown-argument', text: only.path.join('.'), node }
}
