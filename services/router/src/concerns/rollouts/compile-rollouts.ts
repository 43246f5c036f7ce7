/** Compiles the rollouts of a config, with the properties of requests that this router can read. */
import type { ManifestRollout, RolloutSource } from '@switchyard/contracts'
import { RolloutTable } from '@switchyard/rollouts'
import type { Asking } from '../../request/asking.ts'
import { claimValuesOf, readerOf, type ReadValues } from '../../request/request-property.ts'
import { CookieJar } from '../../flags/cookie.ts'
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
    const jar = cookiesIn(rollouts) > FEW_COOKIES ? new CookieJar() : null
    const readerOf = (source: RolloutSource) => readerOfSource(source, jar)
    const table = new RolloutTable({ rollouts, flags: featureFlags, readerOf })
    const told = JSON.stringify(table.problems)
    if (told !== this.#told && table.problems.length > 0) this.#events.notUnderstood(table.problems)
    this.#told = told
    return table
  }
}

/**
 * Cookies that are looked for one by one, in 0.1 µs each. Where more are looked for, the header is cut into
 * its cookies: a client that sends 16 KiB of them would cost 11 ms with 500 names, and costs 0.5 ms so.
 */
const FEW_COOKIES = 8

function cookiesIn(rollouts: readonly ManifestRollout[]): number {
  const read = rollouts.flatMap(({ where, key }) => [...where.map(({ on }) => on), ...key])
  return new Set(read.filter((text) => text.startsWith('cookie:'))).size
}

/** Makes a function that reads a property. `jar` reads cookies; null if they are read one by one. */
function readerOfSource(source: RolloutSource, jar: CookieJar | null): ReadValues {
  switch (source.kind) {
    case 'claim':
      return claimValuesOf(source.path)
    case 'header':
      return readerOf({ header: source.name })
    case 'cookie':
      return jar === null
        ? readerOf({ cookie: source.name })
        : ({ headers }) => jar.value(headers.cookie, source.name)
    case 'client':
    case 'address':
    case 'visitor_cookie':
      return readerOf(source.kind)
    case 'client_version':
      return ({ clientVersion }) => (clientVersion === '' ? null : clientVersion)
    default:
      return source satisfies never
  }
}
