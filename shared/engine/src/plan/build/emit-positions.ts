/** Writes the positions of a plan, and where the objects at each of them come from. */
import { NO_POSITION } from '../../ids/ids.ts'
import type { Position, Provider, Source } from '../contract/plan.ts'
import { isGuarded } from './dependencies.ts'
import { type DraftProvider, knownObjectType, typenameProviders } from './draft.ts'
import { type DraftNumbers, numberOf, positionIdOf, slotOf } from './draft-numbers.ts'

/** Positions in the order of their ids. */
export function emitPositions(numbers: DraftNumbers): readonly Position[] {
  return numbers.positions.map((position) => ({
    id: positionIdOf(numbers, position),
    parent: position.parent === null ? NO_POSITION : positionIdOf(numbers, position.parent),
    responseKey: position.responseKey,
    guard: isGuarded(position, numbers.isObject) ? numbers.inOrder(position.guard) : null,
    type: position.selection.type,
    objectType: knownObjectType(position, numbers.isObject),
    typename: typenameProviders(position, numbers.isObject).map(
      (provider): Source => ({ slot: slotOf(numbers, provider), key: '__typename' }),
    ),
    providers: (numbers.providers.get(position) ?? []).map((provider) => emitProvider(numbers, provider)),
  }))
}

function emitProvider(numbers: DraftNumbers, provider: DraftProvider): Provider {
  const { source } = provider
  if (source.kind === 'inline')
    return { kind: 'inline', slot: slotOf(numbers, source.parent), key: source.field.key }
  const { fetch, part } = numberOf(numbers.fetchOf, source.call, 'A call')
  return source.call.kind === 'root' ? { kind: 'root', fetch } : { kind: 'entity', fetch, part }
}
