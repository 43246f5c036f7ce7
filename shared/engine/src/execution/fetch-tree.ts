/** A plan as traces show it: the waves of its fetches, each with its place in the response. */
import type { Fetch, FetchId, GroupId, Plan, PositionId, SubId } from '../plan/plan.ts'
import { wavesOf } from '../plan/waves.ts'
import { type PreparedPlan, preparePlan } from './prepared-plan.ts'

/**
 * `Single`: fields of the root; `Entity`: an object outside lists; `BatchEntity`: objects of a list; `MultiEntity`: several
 * such places with one request.
 */
export type FetchKind = 'Single' | 'Entity' | 'BatchEntity' | 'MultiEntity'

export type FetchPlace = {
  readonly fetch: FetchId
  readonly kind: FetchKind
  /** Response keys, and `@` for each list: `products.@.lead`. Keys in parentheses are not in the response. */
  readonly path: string
  readonly subgraph: SubId
  /** Places of the tree, from 0, depth first: all of them come before this one. */
  readonly dependsOn: readonly number[]
  /** 0: the first part. */
  readonly group: GroupId
}

export type FetchTree =
  | { readonly kind: 'Sequence' | 'Parallel'; readonly children: readonly FetchTree[] }
  | { readonly kind: 'Single'; readonly place: FetchPlace }

const known = new WeakMap<Plan, readonly FetchTree[]>()

/** What is in the sequence that the whole plan is; derived from it once. */
export function fetchTree(plan: Plan): readonly FetchTree[] {
  let tree = known.get(plan)
  if (tree === undefined) {
    tree = makeTree(plan)
    known.set(plan, tree)
  }
  return tree
}

function makeTree(plan: Plan): readonly FetchTree[] {
  const prepared = preparePlan(plan)
  const waves = wavesOf(plan)
  const numbers = new Map(waves.flat().map(({ id }, number) => [id, number]))
  const placeOf = (fetch: Fetch): FetchTree => ({
    kind: 'Single',
    place: {
      fetch: fetch.id,
      ...whereabouts(fetch, prepared),
      subgraph: fetch.subgraph,
      dependsOn: fetch.after.flatMap((id) => numbers.get(id) ?? []).sort((a, b) => a - b),
      group: fetch.group,
    },
  })
  return waves.map((wave) => {
    const places = wave.map(placeOf)
    const [first, second] = places
    return first !== undefined && second === undefined ? first : { kind: 'Parallel', children: places }
  })
}

function whereabouts({ parts }: Fetch, prepared: PreparedPlan): Pick<FetchPlace, 'kind' | 'path'> {
  const entities = parts.filter(({ kind }) => kind === 'entities')
  const paths = new Set(
    parts.flatMap((part) =>
      part.kind === 'root' ? pathOf(part.at, prepared) : part.inputs.map(({ at }) => pathOf(at, prepared)),
    ),
  )
  const path = [...paths].join(', ')
  if (entities.length === 0) return { kind: 'Single', path }
  if (entities.length > 1 || paths.size > 1) return { kind: 'MultiEntity', path }
  return { kind: path.split('.').includes('@') ? 'BatchEntity' : 'Entity', path }
}

function pathOf(id: PositionId, { plan, listDepths }: PreparedPlan): string {
  const segments: string[] = []
  for (let at = plan.positions[id]; at !== undefined && at.parent >= 0; at = plan.positions[at.parent]) {
    const [first] = at.providers
    const key = at.responseKey ?? (first?.kind === 'inline' ? `(${first.key})` : '()')
    segments.unshift(key, ...Array.from({ length: listDepths[at.id] ?? 0 }, () => '@'))
  }
  return segments.join('.')
}
