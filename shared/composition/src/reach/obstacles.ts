/** Says what keeps a client from going on at a dead end, for each subgraph that it has come to. */
import { presenceOf, type SubgraphId, type TypeId, fieldOf, typeOf } from '@switchyard/engine/moves'
import { Circles } from './circles.ts'
import type { Declaration, Declarations } from './declarations.ts'
import { type MissingField, MissingFields } from './missing-fields.ts'
import { type BlockedField, blockedFields } from './requirements.ts'
import type { Resolution } from './resolution.ts'
import type { Lack, Obstacle } from './unreachable-field.ts'
import type { DeadEnd } from './walk.ts'

/** More obstacles of one dead end are not listed. */
const MAX_OBSTACLES = 20

/**
 * Lists the obstacles, by the subgraphs that the path has come to. Where the field requires others, those of
 * the required fields follow its own.
 */
export function obstaclesOf(
  resolution: Resolution,
  declarations: Declarations,
  deadEnd: DeadEnd,
): readonly Obstacle[] {
  return new Obstacles(resolution, declarations, deadEnd).list()
}

type Found = { readonly sub: SubgraphId; readonly obstacle: Obstacle }

/** False if there are as many as are listed. */
function addTo(found: Map<string, Found>, sub: SubgraphId, obstacles: Iterable<Obstacle>): boolean {
  for (const obstacle of obstacles) {
    if (found.size >= MAX_OBSTACLES) return false
    found.set(JSON.stringify(obstacle), { sub, obstacle })
  }
  return true
}

class Obstacles {
  readonly #resolution: Resolution
  readonly #deadEnd: DeadEnd
  readonly #missingFields: MissingFields
  /** The field at which the path ends comes first. Empty if nobody tells the runtime type. */
  readonly #blocked: readonly BlockedField[]
  readonly #circles: Circles
  readonly #closed = new Map<BlockedField, readonly Declaration[]>()

  constructor(resolution: Resolution, declarations: Declarations, deadEnd: DeadEnd) {
    const { object, field, standing } = deadEnd
    this.#resolution = resolution
    this.#deadEnd = deadEnd
    this.#missingFields = new MissingFields(resolution)
    this.#blocked =
      field === null
        ? []
        : blockedFields(resolution, declarations, this.#missingFields, { object, name: field.name, standing })
    this.#circles = new Circles(this.#blocked)
  }

  /**
   * Obstacles of the field itself come before those of required fields where there are too many, and the
   * subgraphs from which nothing is known but that the path ends come last.
   */
  list(): readonly Obstacle[] {
    const here = new Set(this.#deadEnd.standing.flatMap((entered) => entered.subgraphs()))
    const found = new Map<string, Found>()
    if (this.#blocked.length === 0)
      for (const sub of here) if (!addTo(found, sub, this.#toLearnType(sub))) break
    for (const blocked of this.#blocked)
      for (const sub of this.#toldOf(blocked)) if (!addTo(found, sub, this.#ofField(sub, blocked))) break
    const told = new Set([...found.values()].map(({ sub }) => sub))
    for (const sub of here)
      if (!told.has(sub) && !addTo(found, sub, [{ kind: 'nowhere', subgraph: this.#nameOf(sub) }])) break
    return [...found.values()].sort((a, b) => a.sub - b.sub).map(({ obstacle }) => obstacle)
  }

  /** The subgraphs that something is known of: all of them if a subgraph cannot be entered from elsewhere. */
  #toldOf(blocked: BlockedField): Iterable<SubgraphId> {
    const { subgraphs, declarations } = blocked
    if (this.#closedTo(blocked).length > 0) return subgraphs
    return [...declarations.bySubgraph.keys()].filter((sub) => subgraphs.has(sub))
  }

  *#ofField(sub: SubgraphId, blocked: BlockedField): Generator<Obstacle> {
    const here = blocked.declarations.bySubgraph.get(sub) ?? []
    const others = this.#closedTo(blocked).filter(({ edge }) => edge.sub !== sub)
    for (const one of [...here, ...others].sort((a, b) => a.edge.sub - b.edge.sub)) {
      if (one.edge.sub === sub) yield* this.#inside(blocked, one)
      else yield* this.#toEnter(blocked, sub, one.edge.sub, one.owner)
    }
  }

  /** The declarations in subgraphs that resolve the field and cannot be entered by objects. */
  #closedTo(blocked: BlockedField): readonly Declaration[] {
    let closed = this.#closed.get(blocked)
    if (closed === undefined) {
      const isRoot = this.#deadEnd.place.from === null && blocked.object === this.#deadEnd.object
      const isClosed = ({ owner, edge: { sub, external } }: Declaration) =>
        !external && !isRoot && !this.#toEnter(blocked, sub, sub, owner).next().done
      closed = blocked.declarations.all.filter(isClosed)
      this.#closed.set(blocked, closed)
    }
    return closed
  }

  /** The subgraph declares the field, and still cannot resolve it. */
  *#inside(blocked: BlockedField, { owner, edge }: Declaration): Generator<Obstacle> {
    const { graph } = this.#resolution.queryGraph
    const names = {
      subgraph: this.#nameOf(edge.sub),
      owner: typeOf(graph, owner).name,
      field: blocked.coordinate,
    }
    if (edge.external) {
      // A subgraph names as external whatever it requires: that is no mistake.
      const isExpected = blocked !== this.#blocked[0] && blocked.requiredBy.has(edge.sub)
      if (!isExpected) yield { kind: 'external', ...names }
      return
    }
    const requirement = blocked.requirements.find((one) => one.edge === edge)
    for (const missing of requirement?.missing ?? []) {
      if (this.#circles.isToldOfAnother(blocked, missing)) continue
      const circle = this.#circles.through(blocked, missing).map(({ coordinate }) => coordinate)
      yield { kind: 'requires', ...names, missing: missing.coordinate, circle }
    }
    if (requirement === undefined) yield* this.#toEnter(blocked, edge.sub, edge.sub, owner)
  }

  /** Another subgraph resolves the field, and cannot be entered. */
  *#toEnter(
    { object, name, standing }: MissingField,
    sub: SubgraphId,
    into: SubgraphId,
    owner: TypeId,
  ): Generator<Obstacle> {
    const { graph } = this.#resolution.queryGraph
    const type = typeOf(graph, object).name
    const names = {
      subgraph: this.#nameOf(sub),
      target: this.#nameOf(into),
      owner: typeOf(graph, owner).name,
    }
    const keys = presenceOf(graph, owner, into)?.keys ?? []
    if (keys.length === 0) yield { kind: 'no-key', ...names, field: `${type}.${name}` }
    for (const { text: key, fieldSet, resolvable } of keys) {
      if (!resolvable) yield { kind: 'not-resolvable', ...names, type, key }
      else
        for (const one of this.#missingFields.of(standing, fieldSet)) {
          const missing = `${typeOf(graph, one.object).name}.${one.name}`
          yield { kind: 'key-needs', ...names, type, key, missing, lack: this.#lackOf(one, sub) }
        }
    }
  }

  *#toLearnType(sub: SubgraphId): Generator<Obstacle> {
    const { graph } = this.#resolution.queryGraph
    const { place, standing } = this.#deadEnd
    const owner = typeOf(graph, place.type)
    yield { kind: 'unknown-type', subgraph: this.#nameOf(sub), owner: owner.name }
    const field = { object: place.type, name: '__typename', standing }
    for (const presence of owner.presence)
      if (!presence.interfaceObject) yield* this.#toEnter(field, sub, presence.sub, place.type)
  }

  #lackOf({ object, name }: MissingField, sub: SubgraphId): Lack {
    const { graph } = this.#resolution.queryGraph
    const edge = [object, ...typeOf(graph, object).interfaces]
      .flatMap((owner) => fieldOf(graph, owner, name)?.edges ?? [])
      .find((one) => one.sub === sub)
    if (edge === undefined) return 'absent'
    return edge.external ? 'external' : 'unresolved'
  }

  #nameOf(sub: SubgraphId): string {
    return this.#resolution.queryGraph.graph.compiled.subgraphs[sub]?.name ?? ''
  }
}
