/** The kinds of streams. A run has to see enough of each: one with only simple streams does not pass. */
import type { StreamPart } from '@switchyard/testkit'
import {
  type GroupId,
  INITIAL_GROUP,
  type ObjectShape,
  type Plan,
  type Position,
  type ShapeNode,
} from '@switchyard/engine'
import type { Right } from './check-deferred.ts'

/** The least share of streams, in thousandths, that must show each kind. Random operations give far more. */
export const KINDS = {
  /** Something is fetched later. */
  cut: 250,
  /** Calls of two fragments or more come later. */
  'cut twice': 80,
  /** A later call goes to a subgraph that the first part called, too. */
  'the same subgraph again': 150,
  /** A nested fragment is cut off from the one around it. */
  'cut within a cut': 60,
  nested: 70,
  'nested twice': 8,
  'in a list': 70,
  'in a list of lists': 1,
  'of some types only': 50,
  'sharing fields': 4,
  /** Other fragments deliver all that a fragment selects, unless they fail. */
  'without fields of its own': 60,
  /** Inputs or keys below another object, fetched from elsewhere for a fragment alone. */
  'inputs from elsewhere': 1,
  /** An object without a key, of which one subgraph gives a part first and another one gives a part later. */
  'an object in parts': 50,
  'with labels': 120,
  'with variables': 400,
  'with fragments dropped': 400,
  'three fragments and more': 40,
  'with errors': 60,
  'of a mutation': 8,
  /** Announced object by object. */
  'by item': 400,
} as const

export type Kind = keyof typeof KINDS

export function kindsOf(
  query: string,
  { plan, parts, pendingPer }: Pick<Right, 'plan' | 'pendingPer'> & { readonly parts: readonly StreamPart[] },
): readonly Kind[] {
  const cuts = new Set(plan.fetches.flatMap(({ group }) => (group > 0 ? [group] : [])))
  const first = new Set(plan.fetches.flatMap(({ group, subgraph }) => (group === 0 ? [subgraph] : [])))
  const fragments = plan.groups.filter(({ id, isLive }) => isLive && id > 0)
  const announced = parts.flatMap(({ pending = [] }) => pending)
  const depths = depthsOf(parts)
  const entries = parts.flatMap(({ incremental = [] }) => incremental)
  const paths = new Map(announced.map(({ id, path }) => [id, path]))
  const places = entries.map(({ id, subPath = [] }) => [...(paths.get(id) ?? []), ...subPath])
  const isListOfLists = (keys: readonly unknown[]) =>
    keys.some((key, index) => typeof key === 'number' && typeof keys[index + 1] === 'number')
  const shown: Readonly<Record<Kind, boolean>> = {
    cut: cuts.size > 0,
    'cut twice': cuts.size > 1,
    'the same subgraph again': plan.fetches.some(({ group, subgraph }) => group > 0 && first.has(subgraph)),
    'cut within a cut': [...cuts].some((id) => cuts.has(plan.groups[id]?.parent ?? INITIAL_GROUP)),
    nested: depths.some((depth) => depth > 0),
    'nested twice': depths.some((depth) => depth > 1),
    'in a list': places.some((place) => place.some((key) => typeof key === 'number')),
    'in a list of lists': places.some(isListOfLists),
    'by item': pendingPer === 'item',
    'of some types only': fragments.some(({ anchors }) => anchors.some(({ types }) => types !== null)),
    'sharing fields': fragments.some(({ completedAfter }) => completedAfter.length > 0),
    'without fields of its own': hasFragmentWithoutFields(plan),
    'inputs from elsewhere': plan.positions.some(
      ({ responseKey, providers }) =>
        responseKey === null &&
        providers.some((provider) => provider.kind === 'entity' && groupOf(plan, provider.fetch) > 0),
    ),
    'an object in parts': plan.positions.some((position) => groupsInline(plan, position).size > 1),
    'with labels': announced.some(({ label }) => label !== undefined),
    'with variables': /@defer\([^)]*if: \$/.test(query),
    'with fragments dropped': fragments.length < plan.groups.length - 1,
    'three fragments and more': fragments.length > 2 && announced.length > 2,
    'with errors': [...parts, ...entries].some(({ errors }) => errors !== undefined),
    'of a mutation': plan.fetches.some(({ operation }) => operation === 'mutation'),
  }
  return (Object.keys(KINDS) as Kind[]).filter((kind) => shown[kind])
}

/** Returns for each announcement how many nested fragments were delivered before it. */
function depthsOf(parts: readonly StreamPart[]): readonly number[] {
  const depths = new Map<string, number>()
  for (const { completed = [], pending = [] } of parts) {
    const around = Math.max(-1, ...completed.map(({ id }) => depths.get(id) ?? 0))
    for (const { id } of pending) depths.set(id, around + 1)
  }
  return [...depths.values()]
}

function groupOf({ fetches }: Plan, fetch: number): GroupId {
  return fetches[fetch]?.group ?? INITIAL_GROUP
}

/** Groups whose calls give parts of an object that is not entered by itself. */
function groupsInline(plan: Plan, { parent, providers }: Position): ReadonlySet<GroupId> {
  const groupAt = (at: number, slot: number): GroupId | null => {
    const position = plan.positions[at]
    const provider = position?.providers[slot]
    if (position === undefined || provider === undefined) return null
    return provider.kind === 'inline'
      ? groupAt(position.parent, provider.slot)
      : groupOf(plan, provider.fetch)
  }
  return new Set(
    providers.flatMap((provider) =>
      provider.kind === 'inline' ? (groupAt(parent, provider.slot) ?? []) : [],
    ),
  )
}

function hasFragmentWithoutFields({ shape, groups }: Plan): boolean {
  const owning = new Set<GroupId>()
  const seen = new Set<ObjectShape>()
  const visit = (node: ShapeNode): void => {
    if (node.kind === 'list') visit(node.item)
    if (node.kind !== 'object' || seen.has(node)) return
    seen.add(node)
    for (const field of node.cases.flatMap(({ fields }) => fields)) {
      if (field.kind !== 'typename') owning.add(field.group)
      if (field.kind === 'field') visit(field.node)
    }
  }
  visit(shape)
  return groups.some(({ id, isLive }) => isLive && id > 0 && !owning.has(id))
}
