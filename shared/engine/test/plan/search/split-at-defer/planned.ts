import { expect } from 'vitest'
import type { Plan, ShapeField, ShapeNode } from '../../../../src/plan/contract/plan.ts'
import { prepareOperation } from '../../../../src/operation/operation.ts'
import { lines, type World, worldOf } from '../../support/planned.ts'
import { planOperation } from '../../../../src/plan/plan-operation.ts'

export const world = worldOf({
  a: `
    type Query { me: User books: [Book!]! node: Node box: Box now: Int }
    type Mutation { rename: User sell: Book pack: Box }
    interface Node { id: ID! }
    type User implements Node @key(fields: "id") {
      id: ID! name: String age: Int details: Details friend: User friends: [User]
    }
    type Details { a: Int b: Int deep: Details }
    type Book implements Node @key(fields: "id") { id: ID! title: String }
    type Box { x: Int inner: Inner inners: [Inner] some: Some }
    type Inner { p: Int q: Int }
    interface Some { r: Int }
    type Thing implements Some { r: Int }
    type Other implements Some { r: Int }`,
  b: `
    type User @key(fields: "id") { id: ID! mail: String }
    type Book @key(fields: "id") { id: ID! stock: Int }`,
  c: `
    type User @key(fields: "id") { id: ID! age: Int @external mail: String @external
      greeting: String @requires(fields: "age") address: String @requires(fields: "mail") }`,
})

export function deferred(
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
  { graph }: Pick<World, 'graph'> = world,
): Plan {
  return planOperation(prepareOperation(graph, { document, defer: true }), new Map(Object.entries(variables)))
}

/** One line per fetch: `[for <group>] <id> <subgraph> [after <ids>] <document>`. */
export function fetchLines(document: string, { graph }: Pick<World, 'graph'> = world): readonly string[] {
  const plan = deferred(document, {}, { graph })
  const texts = lines(graph, plan)
  return plan.fetches.map(({ group }, index) => `${group === 0 ? '' : `for ${group}: `}${texts[index] ?? ''}`)
}

/** Who delivers what: `{ me:0{id:0 name:1} }`, with what also selects it: `x:1|2`. */
export function owners(document: string, variables: Readonly<Record<string, unknown>> = {}): string {
  return ownersOf(deferred(document, variables).shape)
}

function ownersOf(node: ShapeNode): string {
  if (node.kind === 'list') return ownersOf(node.item)
  if (node.kind !== 'object') return ''
  const cases = node.cases.map(({ fields }) => fields.map(ownerOf).join(' '))
  return `{${cases.join(' / ')}}`
}

function ownerOf(field: ShapeField): string {
  const also = field.fallbackGroups === undefined ? '' : `|${field.fallbackGroups.join('|')}`
  return `${field.key}:${field.group}${also}${field.kind === 'field' ? ownersOf(field.node) : ''}`
}

/** `1<0 "label" at me holds 2`, one for each; dropped ones are struck: `-2<0 at me`. */
export function groups(
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const plan = deferred(document, variables)
  expect(plan.deferred).toBe(true)
  return plan.groups.slice(1).map(({ id, parent, label, anchors, isLive, completedAfter }) => {
    const at = anchors.map((anchor) => pathOf(plan, anchor.at) + typesText(anchor.types)).join(', ')
    const name = label === null ? '' : ` "${label}"`
    return `${isLive ? '' : '-'}${id}<${parent}${name} at ${at}${completedAfter.length === 0 ? '' : ` holds ${completedAfter.join()}`}`
  })
}

function typesText(types: readonly number[] | null): string {
  if (types === null) return ''
  return `(${types.map((type) => world.graph.compiled.types[type]?.name).join('|')})`
}

function pathOf({ positions }: Plan, id: number): string {
  const position = positions[id]
  if (position === undefined || position.parent === -1) return '/'
  const above = pathOf({ positions } as Plan, position.parent)
  return `${above === '/' ? '' : `${above}.`}${position.responseKey ?? '?'}`
}
