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
  TypeId,
} from '../../../src/plan/plan.ts'

/** Builders for plans written by hand; they fill in what a test does not care about. */

export function plan(
  parts: Pick<Plan, 'rootType' | 'fetches' | 'positions' | 'shape'> & Partial<Plan>,
): Plan {
  return {
    kind: 'query',
    groups: [{ id: 0, parent: -1, label: null, anchors: [], live: true, holds: [] }],
    deferred: false,
    introspection: null,
    unreachable: [],
    cost: 0,
    depth: 1,
    ...parts,
  }
}

export function rootFetch(id: number, more: Partial<Fetch> = {}): Fetch {
  return {
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
}

export function entityFetch(
  id: number,
  at: number,
  slot: number,
  types: readonly TypeId[],
  typename: string,
  fields: readonly RepresentationField[],
  more: Partial<Fetch> = {},
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

export function rootPosition(type: TypeId, ...fetches: readonly number[]): Position {
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
  type: TypeId,
  providers: readonly Provider[],
  more: Partial<Position> = {},
): Position {
  return { id, parent, responseKey, guard: null, type, objectType: type, typename: [], providers, ...more }
}

export const inline = (slot: number, key: string): Provider => ({ kind: 'inline', slot, key })
export const entity = (fetch: number, part = 0): Provider => ({ kind: 'entity', fetch, part })

export const keyField = (name: string, key = name, slot = 0): RepresentationField => ({
  kind: 'leaf',
  name,
  source: { slot, key },
  key: true,
})

export function object(at: number, type: TypeId, fields: readonly ShapeField[]): ObjectShape {
  return { kind: 'object', position: at, type, cases: [{ types: null, fields }] }
}

export function list(item: ShapeNode, nonNullItem = false): ShapeNode {
  return { kind: 'list', item, nonNullItem }
}

export function leaf(coerce: LeafCoercion = 'String', type: TypeId = -1): ShapeNode {
  return { kind: 'leaf', type, coerce }
}

export function field(
  key: string,
  parentType: TypeId,
  node: ShapeNode,
  more: Partial<Extract<ShapeField, { kind: 'field' }>> = {},
): ShapeField {
  return {
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
}

export const typename = (key = '__typename'): ShapeField => ({ kind: 'typename', key, group: 0 })
