/**
 * Rule: a key selects fields of its type that the subgraph resolves, without arguments and without abstract
 * types, and the types of an interface have its keys.
 */
import type { ConstDirectiveNode } from 'graphql'
import { argument } from '../../../federation/federation-link.ts'
import { finding, newFinding, type SubgraphFinding } from '../../../findings/finding.ts'
import type { FieldSelection, FieldsType } from '../../../model/model.ts'
import { namedTypeOf } from '../../../model/names.ts'
import { writtenName, type CheckedSubgraph, type Rule } from '../../checked/checked-subgraph.ts'
import { readApplication, within } from './read-application.ts'
import { isBelowLeaf, isWithoutSelection, walkSelection } from './walk.ts'

/** The version since which an interface can have a key. */
const KEYS_ON_INTERFACES_SINCE = 3

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription'])

/** Types that are named for one interface, over all its keys: their number is the product of both. */
const MOST_TYPES_WITHOUT_KEY = 1000

/** Finds keys that no entity can be found by. */
export const keys: Rule = function* keys(subgraph) {
  const { minor } = subgraph.model
  const isTooEarly = minor !== null && minor < KEYS_ON_INTERFACES_SINCE
  for (const type of subgraph.fieldsTypes) {
    const read = new Map(type.keys.map((key) => [key.node, key.fields]))
    if (type.kind === 'interface' && minor !== null && !isTooEarly) yield* keysOfTypes(subgraph, type)
    for (const { name, node } of type.applied) {
      if (name !== 'key') continue
      if (type.kind === 'interface' && isTooEarly)
        yield finding('KEY_UNSUPPORTED_ON_INTERFACE', { on: writtenName(type) }, [{ node }])
      else yield* checkKey(subgraph, type, node, read.get(node) ?? null)
    }
  }
}

function* checkKey(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  node: ConstDirectiveNode,
  known: FieldSelection | null,
): Iterable<SubgraphFinding> {
  const application = { directive: 'key', node, on: writtenName(type), selection: known } as const
  const selection = yield* readApplication(subgraph.model, application)
  if (selection !== null) yield* fieldsOfKey(subgraph, type, selection)
}

function* fieldsOfKey(
  subgraph: CheckedSubgraph,
  type: FieldsType,
  selection: FieldSelection,
): Iterable<SubgraphFinding> {
  const { model } = subgraph
  const on = writtenName(type)
  const value = argument(selection.node, 'fields')
  if (selection.set.selections.length === 0 && value !== undefined)
    yield newFinding(
      finding('KEY_INVALID_FIELDS', { on, problem: { kind: 'no-selection' } }, [{ node: value }]),
    )
  const selected = walkSelection(
    model,
    selection.set,
    type,
    ({ field }, of) => of === 'object' && field?.arguments.size === 0,
  )
  const isNested = selection.set.selections.some(
    (one) => 'selectionSet' in one && one.selectionSet !== undefined,
  )
  const needsOthers = isNested && [...type.fields.values()].some(({ requires }) => requires !== null)
  for (const { type: owner, field: found, node } of selected) {
    const at = [within(selection, node.name)]
    const field = `${writtenName(owner)}.${node.name.value}`
    if (found === null) {
      const problem = { kind: 'unknown-field', type: writtenName(owner), field: node.name.value } as const
      yield finding('KEY_INVALID_FIELDS', { on, problem }, at)
    } else if (found.arguments.size > 0) yield finding('KEY_FIELDS_HAS_ARGS', { on, field }, at)
    else if (isAbstract(model.types.get(namedTypeOf(found.type))?.kind))
      yield finding('KEY_FIELDS_SELECT_INVALID_TYPE', { on, field }, at)
    else if (isBelowLeaf(subgraph, found, node)) {
      const problem = { kind: 'below-leaf', type: writtenName(owner), field: node.name.value } as const
      const told = finding('KEY_INVALID_FIELDS', { on, problem }, at)
      // Nobody enters a root type by a key, so that routers never read it.
      yield ROOTS.has(type.name) ? newFinding(told) : told
    } else if (isWithoutSelection(model, found, node)) {
      const problem = { kind: 'no-subselection', type: writtenName(owner), field: node.name.value } as const
      yield newFinding(finding('KEY_INVALID_FIELDS', { on, problem }, at))
    } else if (needsOthers && found.isExternal && !owner.isExtension)
      yield newFinding(finding('EXTERNAL_IN_NESTED_KEY', { on, field }, at))
  }
}

function isAbstract(kind: string | undefined): boolean {
  return kind === 'interface' || kind === 'union'
}

/** Checks that a subgraph which resolves an interface by its keys resolves each of its types by them. */
function* keysOfTypes(subgraph: CheckedSubgraph, type: FieldsType): Iterable<SubgraphFinding> {
  if (type.keys.length === 0) return
  const implementations = subgraph
    .implementations(writtenName(type))
    .map((one) => ({ one, texts: new Set(one.keys.map(({ fields }) => fields.text)) }))
  let left = MOST_TYPES_WITHOUT_KEY
  for (const { fields: key } of type.keys) {
    const without = implementations.filter(({ texts }) => !texts.has(key.text)).map(({ one }) => one)
    if (without.length === 0) continue
    if (left <= 0) return
    left -= without.length
    yield keyMissing(type, key, without)
  }
}

function keyMissing(
  type: FieldsType,
  { text, node }: FieldSelection,
  without: readonly FieldsType[],
): SubgraphFinding {
  const names = without.flatMap(({ parts }) => parts.slice(0, 1)).map(({ name }) => name)
  return finding(
    'INTERFACE_KEY_NOT_ON_IMPLEMENTATION',
    {
      type: writtenName(type),
      fields: text,
      implementations: without.map((one) => writtenName(one)),
    },
    [{ node }, ...names.map((name) => ({ node: name, label: { kind: 'no-key' } as const }))],
  )
}
