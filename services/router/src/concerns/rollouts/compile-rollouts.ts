/** Compiles the rollouts of a config, with the properties of requests that this router can read. */
import type { ManifestRollout, RolloutSource } from '@switchyard/contracts'
import { RolloutTable } from '@switchyard/rollouts'
import type { Asking } from '../../request/asking.ts'
import { claimValuesOf, readerOf, type ReadValues } from '../../request/request-property.ts'
import type { RolloutEvents } from './events.ts'

/** The rollouts of a config, and its flags. */
type ConfigWithRollouts = {
  readonly rollouts: readonly ManifestRollout[]
  readonly featureFlags: { has(flag: string): boolean }
}

/** Compiles rollouts, and says once what of them is not understood. */
export class RolloutCompiler {
  readonly #events: RolloutEvents
  #told = ''

  constructor(events: RolloutEvents) {
    this.#events = events
  }

  /** Returns null if the config has no rollouts, so that requests cost nothing more. */
  compile({ rollouts, featureFlags }: ConfigWithRollouts): RolloutTable<Asking> | null {
    if (rollouts.length === 0) return null
    const table = new RolloutTable({ rollouts, flags: featureFlags, readerOf: readerOfSource })
    const told = JSON.stringify(table.problems)
    if (told !== this.#told && table.problems.length > 0) this.#events.notUnderstood(table.problems)
    this.#told = told
    return table
  }
}

/** Makes a function that reads a property. Null for one that no request to this router has. */
function readerOfSource(source: RolloutSource): ReadValues | null {
  switch (source.kind) {
    case 'claim':
      return claimValuesOf(source.path)
    case 'header':
      return readerOf({ header: source.name })
    case 'cookie':
      return readerOf({ cookie: source.name })
    case 'client':
    case 'address':
      return readerOf(source.kind)
    case 'client_version':
      return ({ clientVersion }) => (clientVersion === '' ? null : clientVersion)
    case 'visitor_cookie':
      return null
    default:
      return source satisfies never
  }
}
