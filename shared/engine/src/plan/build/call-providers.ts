/** Makes the calls of a draft, and the providers whose objects they give. */
import type { GroupId, TypeId } from '../../ids/ids.ts'
import { documentSelection } from '../document/document.ts'
import type { Node } from '../../graph/moves/query-graph.ts'
import {
  type EntityLookup,
  type ObjectSolution,
  type PossibleCall,
  sharedCallKey,
} from '../search/solution.ts'
import type { BuildScope } from './build-scope.ts'
import type { DraftCall, DraftPosition, DraftProvider } from './draft.ts'

/** The calls of one draft, and their providers. */
export class CallProviders {
  readonly calls: DraftCall[] = []
  /** The number of the group of mutation fields that calls are made for. */
  barrier = 0
  readonly #isQuery: boolean
  readonly #byKey = new Map<DraftPosition, Map<string, DraftProvider>>()
  readonly #callByType = new Map<DraftProvider, Map<TypeId, PossibleCall>>()

  constructor(isQuery: boolean) {
    this.#isQuery = isQuery
  }

  /** The provider of a root call. Object types share it. */
  ofRoot(scope: BuildScope, call: PossibleCall): DraftProvider {
    const key = `${sharedCallKey(call)}|${this.barrier}|${scope.group}`
    return this.#shared(scope.position, key, () => this.#make(scope, 'root', call.node))
  }

  /**
   * Object types share the provider of one call. For one type a second call with other inputs needs another
   * provider, and so do types that ask an interface object for other non-null fields: one of those may fail
   * for an object of the other type.
   */
  ofEntities(scope: BuildScope, call: PossibleCall, entity: EntityLookup): DraftProvider {
    const nonNullFields = scope.nonNullFields.get(call) ?? ''
    const base = providerKey(call, scope.group, scope.nonNullFields)
    for (let attempt = 0; ; attempt++) {
      const provider = this.#shared(scope.position, `${base}|${attempt}`, () =>
        this.#make(scope, 'entity', call.node, entity.tellsType, nonNullFields),
      )
      const taken = this.#callByType.get(provider)?.get(scope.object)?.entity
      if (taken === undefined || taken === null) return provider
      if (
        taken.requires?.text === entity.requires?.text &&
        taken.representationType === entity.representationType
      )
        return provider
    }
  }

  /** Notes the call that gives the provider's objects of a type; false if that was noted before. */
  addType(provider: DraftProvider, object: TypeId, call: PossibleCall): boolean {
    const byType = this.#callByType.get(provider) ?? new Map<TypeId, PossibleCall>()
    this.#callByType.set(provider, byType)
    if (byType.has(object)) return false
    byType.set(object, call)
    return true
  }

  #shared(position: DraftPosition, key: string, make: () => DraftProvider): DraftProvider {
    let providers = this.#byKey.get(position)
    if (providers === undefined) {
      providers = new Map()
      this.#byKey.set(position, providers)
    }
    let provider = providers.get(key)
    if (provider === undefined) {
      provider = make()
      providers.set(key, provider)
    }
    return provider
  }

  #make(
    { position, group }: BuildScope,
    kind: DraftCall['kind'],
    node: Node,
    tellsType = false,
    nonNullFields = '',
  ): DraftProvider {
    const call: DraftCall = {
      kind,
      subgraph: node.sub,
      group,
      position,
      barrier: this.barrier,
      afterParent: !this.#isQuery,
      cases: [],
      reasons: new Set(),
    }
    const provider: DraftProvider = {
      position,
      node,
      document: documentSelection(node.sub, kind === 'root' ? node.type : null),
      source: { kind: 'call', call },
      tellsType,
      nonNullFields,
      mergedInto: null,
    }
    this.calls.push(call)
    position.providers.push(provider)
    return provider
  }
}

/** The non-null fields that each call selects of an interface object, as text. */
export function nonNullFieldsByCall({ answers, calls }: ObjectSolution): ReadonlyMap<PossibleCall, string> {
  const nonNullFields = new Map<PossibleCall, string>()
  const inputs = calls.flatMap(({ entity }) => entity?.inputs ?? [])
  for (const { call, edge, goal } of [...answers, ...inputs])
    if (call?.node.interfaceObject === true && edge.type.nonNull)
      nonNullFields.set(call, `${nonNullFields.get(call) ?? ''} ${goal.name}${goal.args}`)
  return nonNullFields
}

/** Calls of several object types with the same key share a provider. */
function providerKey(
  call: PossibleCall,
  group: GroupId,
  nonNullFields: ReadonlyMap<PossibleCall, string>,
): string {
  const { interfaceObject, type } = call.node
  const own = interfaceObject ? `${type}${nonNullFields.get(call) ?? ''}` : ''
  return `${group}|${sharedCallKey(call)}|${own}|${call.entity?.tellsType ?? false}`
}

/**
 * The provider key of each call, numbered: a second call of one type with the same key has a provider of its
 * own.
 */
export function providerKeys(solution: ObjectSolution, group: GroupId): ReadonlyMap<PossibleCall, string> {
  const nonNullFields = nonNullFieldsByCall(solution)
  const counts = new Map<string, number>()
  return new Map(
    solution.calls.map((call) => {
      const key = providerKey(call, group, nonNullFields)
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return [call, `${key}|${count}`]
    }),
  )
}
