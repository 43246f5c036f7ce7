/** Says what keeps a client from going on at a dead end, for each subgraph that it has come to. */
import {
  type CompiledEdge,
  type FieldSet,
  fieldOf,
  isComposite,
  namedType,
  presenceOf,
  type SubgraphId,
  type TypeId,
  typeOf,
} from '@switchyard/engine/moves'
import type { Entered } from './entered.ts'
import type { Lack, Obstacle } from './finding.ts'
import type { Resolution } from './resolution.ts'
import { commonObjects } from './visible.ts'
import type { DeadEnd } from './walk.ts'

/** More obstacles of one dead end are not listed. */
const MAX_OBSTACLES = 20
/** Fields of keys and `@requires` looked at for one dead end: abstract types multiply with each level. */
const MAX_LOOKS = 10_000

/** Lists the obstacles, by the subgraphs that the path has come to. */
export function obstaclesOf(resolution: Resolution, deadEnd: DeadEnd): readonly Obstacle[] {
  return new Obstacles(resolution, deadEnd).list()
}

class Obstacles {
  readonly #resolution: Resolution
  readonly #deadEnd: DeadEnd
  readonly #standing: readonly Entered[]
  #looks = 0

  constructor(resolution: Resolution, deadEnd: DeadEnd) {
    this.#resolution = resolution
    this.#deadEnd = deadEnd
    this.#standing = deadEnd.standing
  }

  list(): readonly Obstacle[] {
    const subs = [...new Set(this.#standing.flatMap((entered) => entered.subgraphs()))].sort((a, b) => a - b)
    const found = new Map<string, Obstacle>()
    for (const sub of subs) {
      const here = this.#from(sub)
      const all: readonly Obstacle[] =
        here.length > 0 ? here : [{ kind: 'nowhere', subgraph: this.#nameOf(sub) }]
      for (const one of all) found.set(JSON.stringify(one), one)
      if (found.size >= MAX_OBSTACLES) break
    }
    return [...found.values()].slice(0, MAX_OBSTACLES)
  }

  #from(sub: SubgraphId): readonly Obstacle[] {
    const { object, field, place } = this.#deadEnd
    if (field === null) return this.#toLearnType(sub)
    const { graph } = this.#resolution.queryGraph
    const declared = [object, ...typeOf(graph, object).interfaces].flatMap((owner) =>
      (fieldOf(graph, owner, field.name)?.edges ?? [])
        .filter((edge) => owner === object || presenceOf(graph, owner, edge.sub)?.interfaceObject === true)
        .map((edge) => ({ owner, edge })),
    )
    const isRoot = place.from === null
    return declared
      .toSorted((a, b) => a.edge.sub - b.edge.sub)
      .flatMap(({ owner, edge }): readonly Obstacle[] => {
        if (!this.#isActive(edge)) return []
        if (edge.sub === sub) return this.#inside(sub, owner, edge)
        return edge.external || isRoot ? [] : this.#toEnter(sub, edge.sub, owner)
      })
  }

  /** The subgraph declares the field, and still cannot resolve it. */
  #inside(sub: SubgraphId, owner: TypeId, edge: CompiledEdge): readonly Obstacle[] {
    const { graph } = this.#resolution.queryGraph
    const [subgraph, ownerName] = [this.#nameOf(sub), typeOf(graph, owner).name]
    if (edge.external) return [{ kind: 'external', subgraph, owner: ownerName }]
    const missing = this.#missing(this.#standing, edge.requires?.fieldSet ?? [])
    if (missing.length > 0)
      return missing.map((one) => ({ kind: 'requires', subgraph, owner: ownerName, missing: one }))
    return this.#toEnter(sub, sub, owner)
  }

  /** Another subgraph resolves the field, and cannot be entered. */
  #toEnter(sub: SubgraphId, into: SubgraphId, owner: TypeId): readonly Obstacle[] {
    const { graph } = this.#resolution.queryGraph
    const names = {
      subgraph: this.#nameOf(sub),
      target: this.#nameOf(into),
      owner: typeOf(graph, owner).name,
    }
    const keys = presenceOf(graph, owner, into)?.keys ?? []
    if (keys.length === 0) return [{ kind: 'no-key', ...names }]
    return keys.flatMap(({ text, fieldSet, resolvable }): readonly Obstacle[] => {
      if (!resolvable) return [{ kind: 'not-resolvable', ...names, key: text }]
      return this.#missing(this.#standing, fieldSet).map((missing) => ({
        kind: 'key-needs',
        ...names,
        key: text,
        missing,
        lack: this.#lackOf(missing, sub),
      }))
    })
  }

  #toLearnType(sub: SubgraphId): readonly Obstacle[] {
    const { graph } = this.#resolution.queryGraph
    const { type } = this.#deadEnd.place
    const owner = typeOf(graph, type)
    const real = owner.presence.filter(({ interfaceObject }) => !interfaceObject)
    const entering = real.flatMap((presence) => this.#toEnter(sub, presence.sub, type))
    return [{ kind: 'unknown-type', subgraph: this.#nameOf(sub), owner: owner.name }, ...entering]
  }

  /** Coordinates of the leaves of a field set that nobody gives. */
  #missing(standing: readonly Entered[], fieldSet: FieldSet): readonly string[] {
    const { graph } = this.#resolution.queryGraph
    const object = standing[0]?.object
    if (object === undefined) return []
    return fieldSet.flatMap((item): readonly string[] => {
      if (++this.#looks > MAX_LOOKS) return []
      if (item.kind === 'on')
        return typeOf(graph, item.type).possible.includes(object) ? this.#missing(standing, item.below) : []
      const field = fieldOf(graph, object, item.name)
      if (field === undefined) return []
      const coordinate = `${typeOf(graph, object).name}.${item.name}`
      const type = namedType(field.type)
      if (item.below === null || !isComposite(graph, type))
        return this.#resolution.hasLeaf(standing, object, item.name) ? [] : [coordinate]
      const found = this.#resolution.resolvers(standing, object, item.name)
      const nodes = [...new Set(found.flatMap(({ edge }) => edge.to ?? []))]
      const { below } = item
      if (nodes.length === 0) return [coordinate]
      return commonObjects(graph, type, nodes).flatMap((one) => {
        const sources = nodes.map((node) => this.#resolution.queryGraph.asObject(node, one))
        return this.#missing(this.#resolution.standing(sources, one), below)
      })
    })
  }

  #lackOf(coordinate: string, sub: SubgraphId): Lack {
    const { graph } = this.#resolution.queryGraph
    const [typeName = '', name = ''] = coordinate.split('.')
    const type = graph.typeByName.get(typeName)
    const owners = type === undefined ? [] : [type, ...typeOf(graph, type).interfaces]
    const edge = owners
      .flatMap((owner) => fieldOf(graph, owner, name)?.edges ?? [])
      .find((one) => one.sub === sub)
    if (edge === undefined) return 'absent'
    return edge.external ? 'external' : 'unresolved'
  }

  #isActive({ label, wantLabel }: CompiledEdge): boolean {
    const { graph, labels } = this.#resolution.queryGraph
    const name = graph.compiled.labels[label]
    return name === undefined || labels.has(name) === wantLabel
  }

  #nameOf(sub: SubgraphId): string {
    return this.#resolution.queryGraph.graph.compiled.subgraphs[sub]?.name ?? ''
  }
}
