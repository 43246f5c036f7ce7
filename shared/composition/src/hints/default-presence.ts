/** Hint: an argument has a default in some subgraphs only, so that clients see none. */
import { print } from 'graphql'
import { graphFinding, type Finding } from '../findings/finding.ts'
import type { Declared } from '../graph/declared.ts'
import type { InputModel } from '../model/model.ts'
import { atName } from './places.ts'

/** Finds a default that is not published. */
export function* defaultPresence(
  coordinate: string,
  inputs: readonly Declared<InputModel>[],
): Iterable<Finding> {
  const given = inputs.filter(({ model }) => model.defaultValue !== null).length
  if (given === 0 || given === inputs.length) return
  const at = inputs.map((one) => {
    const value = one.model.defaultValue
    return value === null
      ? atName(one, { kind: 'no-default' })
      : { subgraph: one.at, node: value, label: { kind: 'default', value: print(value) } as const }
  })
  yield graphFinding('INCONSISTENT_DEFAULT_VALUE_PRESENCE', { coordinate }, at)
}
