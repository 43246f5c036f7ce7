import type {
  Fetch,
  LeafCoercion,
  ObjectShape,
  Plan,
  Position,
  Provider,
  RepresentationField,
  ShapeField,
  ShapeNode,
} from '../../../src/plan/contract/plan.ts'

/** A part of a plan as tests write it: with plain numbers for ids. */
export type Written<Part> = Part extends number
  ? number
  : Part extends object
    ? { [Key in keyof Part]: Written<Part[Key]> }
    : Part

/** Builders for plans written by hand; they fill in what a test does not care about. */

export function plan(
  parts: Pick<Written<Plan>, 'rootType' | 'fetches' | 'positions' | 'shape'> & Partial<Written<Plan>>,
): Plan {
  const written: Written<Plan> = {
    kind: 'query',
    groups: [{ id: 0, parent: -1, label: null, anchors: [], isLive: true, completedAfter: [] }],
    deferred: false,
    introspection: null,
    unreachable: [],
    denied: [],
    cost: 0,
    depth: 1,
    ...parts,
  }
  return written as Plan
}

export function rootFetch(id: number, more: Partial<Written<Fetch>> = {}): Fetch {
  const written: Written<Fetch> = {
    id,
    subgraph: 0,
    group: 0,
    operation: 'query',
    after: [],
    parts: [{ kind: 'root', at: 0, slot: 0 }],
    document: '{…}',
    operationName: null,
    exactNumbers: false,
    variables: [],
    reason: '',
    ...more,
  }
  return written as Fetch
}

export function entityFetch(
  id: number,
  at: number,
  slot: number,
  types: readonly number[],
  typename: string,
  fields: readonly Written<RepresentationField>[],
  more: Partial<Written<Fetch>> = {},
): Fetch {
  return rootFetch(id, {
    subgraph: 1,
    after: [0],
    parts: [
      {
        kind: 'entities',
        alias: '_entities',
        variable: 'representations',
        inputs: [{ at, slot, cases: [{ types, typename, fields }] }],
      },
    ],
    ...more,
  })
}

export function rootPosition(type: number, ...fetches: readonly number[]): Position {
  return position(
    0,
    -1,
    null,
    type,
    fetches.map((fetch) => ({ kind: 'root', fetch })),
  )
}

export function position(
  id: number,
  parent: number,
  responseKey: string | null,
  type: number,
  providers: readonly Written<Provider>[],
  more: Partial<Written<Position>> = {},
): Position {
  const always = { id, parent, responseKey, guard: null, type, objectType: type, typename: [], providers }
  const written: Written<Position> = { ...always, ...more }
  return written as Position
}

export const inline = (slot: number, key: string): Provider => ({ kind: 'inline', slot, key })
export const entity = (fetch: number, part = 0) => ({ kind: 'entity', fetch, part }) as Provider

export const keyField = (name: string, key = name, slot = 0): RepresentationField => ({
  kind: 'leaf',
  name,
  source: { slot, key },
  key: true,
})

export function object(at: number, type: number, fields: readonly Written<ShapeField>[]): ObjectShape {
  const written: Written<ObjectShape> = {
    kind: 'object',
    position: at,
    type,
    cases: [{ types: null, fields }],
  }
  return written as ObjectShape
}

export function list(item: Written<ShapeNode>, nonNullItem = false): ShapeNode {
  const written: Written<ShapeNode> = { kind: 'list', item, nonNullItem }
  return written as ShapeNode
}

export function leaf(coerce: LeafCoercion = 'String', type: number = -1): ShapeNode {
  const written: Written<ShapeNode> = { kind: 'leaf', type, coerce }
  return written as ShapeNode
}

export function field(
  key: string,
  parentType: number,
  node: Written<ShapeNode>,
  more: Partial<Written<Extract<ShapeField, { kind: 'field' }>>> = {},
): ShapeField {
  const written: Written<ShapeField> = {
    kind: 'field',
    key,
    parentType,
    name: key,
    nonNull: false,
    source: { slot: 0, key },
    fetch: 0,
    node,
    group: 0,
    ...more,
  }
  return written as ShapeField
}

export const typename = (key = '__typename') => ({ kind: 'typename', key, group: 0 }) as ShapeField
