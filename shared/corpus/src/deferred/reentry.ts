/**
 * Whether a deferred field can be fetched by a request of its own, by the rules of ADR 16 and by the graph
 * alone: no plan is asked. The plan only tells which deferred fields the first part waited for.
 */
import {
  type CompiledGraph,
  type CompiledType,
  type FetchId,
  type GroupId,
  INITIAL_GROUP,
  type ObjectShape,
  type Plan,
  type PositionId,
  type ShapeNode,
  type SubgraphId,
  subgraphId,
  type TypeId,
} from '@switchyard/engine'

export const REASONS = [
  'in a list of objects without a key',
  'across an abstract type',
  'below a mutation field without an object that has a key',
  'below a mutation field that others follow',
  'more than 64 fragments',
  'the type of an object behind an interface object',
  'no key from the subgraph that would give the first part alone',
] as const

export type Reason = (typeof REASONS)[number]

/**
 * A field of a later part that is fetched with the first one. `reason` is null if it could have been fetched
 * later by the rules.
 */
export type Uncut = {
  readonly path: string
  readonly reason: Reason | null
  readonly key?: readonly KeyField[]
}

/** A field of a key by which objects are found, so that its value has to be known before. */
export type KeyField = { readonly type: TypeId; readonly name: string }

/** A step of a response path that leads to an object. */
type Step = {
  readonly key: string
  /** Types that the object may have where the field is selected. */
  readonly types: readonly TypeId[]
  readonly declared: TypeId
  readonly isInList: boolean
  readonly group: GroupId
}

/** Finds deferred fields that a subgraph gives together with the first part. Null means any subgraph. */
export function uncutFields(graph: CompiledGraph, plan: Plan, subgraph: string | null): Uncut[] {
  const sub =
    subgraph === null ? null : subgraphId(graph.subgraphs.findIndex(({ name }) => name === subgraph))
  const found: Uncut[] = []
  const seen = new Set<ObjectShape>()
  const visit = (shape: ObjectShape, above: readonly Step[], own: Omit<Step, 'types'>): void => {
    if (seen.has(shape)) return
    seen.add(shape)
    if (isTypeFetchedWith(graph, plan, shape.position, sub)) {
      const path = [...above.slice(1).map(({ key }) => key), own.key].join('.')
      if (shape.cases.length > 1)
        found.push({ path, reason: 'the type of an object behind an interface object' })
      else if (own.group > 0) found.push({ path, reason: reasonOf(graph, plan, above, own.group, own.key) })
    }
    for (const { types, fields } of shape.cases) {
      const steps = [...above, { ...own, types: types ?? graph.types[shape.type]?.possible ?? [] }]
      for (const field of fields) {
        if (field.kind !== 'field') continue
        const path = [...steps.slice(1).map(({ key }) => key), field.key].join('.')
        if (field.group > 0 && isFetchedWith(plan, field.fetch, sub)) {
          const reason = reasonOf(graph, plan, steps, field.group, field.key)
          const types = graph.types[field.parentType]?.possible ?? []
          const key = types.map((type) => ({ type, name: field.name }))
          const isKey = reason === null && isKeyField(graph, field.parentType, field.name)
          found.push(isKey ? { path, reason, key } : { path, reason })
        }
        const { object, isInList } = objectOf(field.node)
        if (object !== null)
          visit(object, steps, { key: field.key, group: field.group, declared: object.type, isInList })
      }
    }
  }
  visit(plan.shape, [], { key: '', group: INITIAL_GROUP, declared: plan.rootType, isInList: false })
  return found
}

function objectOf(node: ShapeNode): { readonly object: ObjectShape | null; readonly isInList: boolean } {
  if (node.kind === 'list') return { object: objectOf(node.item).object, isInList: true }
  return { object: node.kind === 'object' ? node : null, isInList: false }
}

function isOf({ fetches }: Plan, fetch: FetchId, sub: SubgraphId): boolean {
  return fetches[fetch]?.subgraph === sub && fetches[fetch]?.group === 0
}

/** The first part waits for the field, and so for a call of the subgraph. */
function isFetchedWith(plan: Plan, fetch: FetchId, sub: SubgraphId | null): boolean {
  if (plan.fetches[fetch]?.group !== 0) return false
  const all = new Set([fetch])
  for (const id of all) {
    const { operation, after } = plan.fetches[id] ?? { operation: 'query', after: [] }
    // Mutation fields wait for each other, whatever is asked of them.
    if (operation === 'query') for (const before of after) all.add(before)
  }
  return sub === null || [...all].some((id) => isOf(plan, id, sub))
}

function isKeyField({ types }: CompiledGraph, type: TypeId, name: string): boolean {
  const own = types[type]
  return [own, ...(own?.interfaces.map((id) => types[id]) ?? [])].some((some) =>
    some?.presence.some(({ keys }) =>
      keys.some(({ fieldSet }) => fieldSet.some((item) => item.kind === 'field' && item.name === name)),
    ),
  )
}

/**
 * The objects come from a subgraph that does not know their types, and what is selected depends on the types.
 */
function isTypeFetchedWith(
  { types }: CompiledGraph,
  plan: Plan,
  at: PositionId,
  sub: SubgraphId | null,
): boolean {
  const position = plan.positions[at]
  const isBehindOne = types[position?.type ?? -1]?.presence.some(({ interfaceObject }) => interfaceObject)
  return (
    isBehindOne === true &&
    position?.typename.some(({ slot }) => {
      const fetch = fetchOf(plan, at, slot)
      return fetch !== null && sub !== null && isOf(plan, fetch, sub)
    }) === true
  )
}

function fetchOf({ positions }: Pick<Plan, 'positions'>, at: PositionId, slot: number): FetchId | null {
  const position = positions[at]
  const provider = position?.providers[slot]
  if (position === undefined || provider === undefined) return null
  return provider.kind === 'inline' ? fetchOf({ positions }, position.parent, provider.slot) : provider.fetch
}

/**
 * Later calls are made from keys that the first part takes from the subgraph, and a later part may show such
 * a key. True if none of the subgraphs that would give the first part alone has it, so that nothing more
 * could be fetched of the objects.
 */
export function givesOnlyKeys(
  { types, subgraphs }: CompiledGraph,
  plan: Plan,
  subgraph: string,
  alone: ReadonlySet<string>,
  shown: readonly KeyField[],
): boolean {
  const nameOf = (sub: SubgraphId) => subgraphs[sub]?.name ?? ''
  const keys = plan.fetches
    .filter(({ group }) => group > 0)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'entities' ? part.inputs : [])))
    .flatMap(({ at, cases }) =>
      cases.flatMap(({ types: some, fields }) =>
        fields.flatMap((field) => {
          if (!field.key) return []
          const fetch =
            field.kind === 'leaf' ? fetchOf(plan, at, field.source.slot) : fetchOf(plan, field.position, 0)
          const taken = plan.fetches[fetch ?? -1]
          const isTaken = taken?.group === 0 && nameOf(taken.subgraph) === subgraph
          return isTaken ? some.map((type) => ({ type, name: field.name })) : []
        }),
      ),
    )
  const isGiven = ({ type, name }: KeyField) =>
    types[type]?.fields
      .find((field) => field.name === name)
      ?.edges.some(({ sub, external }) => !external && alone.has(nameOf(sub))) === true
  return [...keys, ...shown].some((key) => !isGiven(key))
}

function reasonOf(
  graph: CompiledGraph,
  plan: Plan,
  steps: readonly Step[],
  group: GroupId,
  key: string,
): Reason | null {
  if (group > 64) return 'more than 64 fragments'
  if (plan.kind === 'mutation') {
    const root = steps[1]?.key ?? key
    const roots = plan.shape.cases.flatMap(({ fields }) => fields)
    if (root !== roots.at(-1)?.key) return 'below a mutation field that others follow'
  }
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index]
    if (step === undefined) break
    if (index === 0)
      return plan.kind === 'query' ? null : 'below a mutation field without an object that has a key'
    if (step.types.every((type) => hasKey(graph, type))) return null
    if (graph.types[step.declared]?.kind !== 'object') return 'across an abstract type'
    if (step.isInList) return 'in a list of objects without a key'
  }
  return null
}

/**
 * Some subgraph can be asked for objects of the type, by a key of it or of an interface that is an object
 * there.
 */
function hasKey(graph: CompiledGraph, type: TypeId): boolean {
  const isEntered = (found: CompiledType | undefined, asInterface: boolean) =>
    found?.presence.some(
      ({ keys, interfaceObject }) =>
        (!asInterface || interfaceObject) && keys.some(({ resolvable }) => resolvable),
    ) === true
  const own = graph.types[type]
  return isEntered(own, false) || own?.interfaces.some((id) => isEntered(graph.types[id], true)) === true
}
