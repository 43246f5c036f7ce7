/** Reads the selection of one application of `@key`, `@requires` or `@provides`, or tells why it has none. */
import { Kind, type ConstDirectiveNode, type ValueNode } from 'graphql'
import { argument } from '../../../federation/federation-link.ts'
import { finding, type Place, type SubgraphFinding } from '../../../findings/finding.ts'
import { readFieldSelection } from '../../../model/field-selection.ts'
import type { FieldSelection, SubgraphModel } from '../../../model/model.ts'
import { directivesIn } from './walk.ts'

/** The codes of the mistakes that each of the directives can have. */
const CODES = {
  key: {
    type: 'KEY_INVALID_FIELDS_TYPE',
    fields: 'KEY_INVALID_FIELDS',
    directive: 'KEY_DIRECTIVE_IN_FIELDS_ARG',
  },
  requires: {
    type: 'REQUIRES_INVALID_FIELDS_TYPE',
    fields: 'REQUIRES_INVALID_FIELDS',
    directive: 'REQUIRES_DIRECTIVE_IN_FIELDS_ARG',
  },
  provides: {
    type: 'PROVIDES_INVALID_FIELDS_TYPE',
    fields: 'PROVIDES_INVALID_FIELDS',
    directive: 'PROVIDES_DIRECTIVE_IN_FIELDS_ARG',
  },
} as const

/** One application of a directive. */
export type Application = {
  readonly directive: keyof typeof CODES
  readonly node: ConstDirectiveNode
  /** The type that has the key, or the field that requires or provides. */
  readonly on: string
  /** The selection that the model has of it; null if it has none. */
  readonly selection: FieldSelection | null
}

/** Tells what is wrong with an application as such, and returns its selection; null if it is none. */
export function* readApplication(
  model: SubgraphModel,
  application: Application,
): Generator<SubgraphFinding, FieldSelection | null> {
  const { node, on } = application
  const codes = CODES[application.directive]
  const value = argument(node, 'fields')
  // That the argument is missing is reported elsewhere.
  if (value === undefined) return null
  const selection = selectionOf(model, application)
  if (selection === null && isText(value, model))
    yield finding(codes.fields, { on, problem: { kind: 'no-selection' } }, [{ node: value }])
  else if (selection === null) yield finding(codes.type, { on }, [{ node }])
  for (const found of selection === null ? [] : directivesIn(selection.set)) {
    const directive = found.name.value
    const at = selection === null ? [] : [within(selection, found)]
    yield model.directives.has(directive)
      ? finding(codes.directive, { on, directive }, at)
      : finding(codes.fields, { on, problem: { kind: 'unknown-directive', directive } }, at)
  }
  return selection
}

/** In Federation 1 a name or a list of names is a selection, too. */
function selectionOf({ minor }: SubgraphModel, { node, selection }: Application): FieldSelection | null {
  return selection?.node === node ? selection : readFieldSelection(node, minor === null ? 'names' : 'nothing')
}

function isText(value: ValueNode, { minor }: SubgraphModel): boolean {
  return value.kind === Kind.STRING || (minor === null && isListOfNames(value))
}

function isListOfNames(value: ValueNode): boolean {
  if (value.kind !== Kind.LIST) return value.kind === Kind.ENUM
  return value.values.every(({ kind }) => kind === Kind.STRING || kind === Kind.ENUM)
}

/** The place of a node in the selection. */
export function within({ set, node }: FieldSelection, inner: Place['node']): Place {
  return { node, within: { selection: set, node: inner } }
}
