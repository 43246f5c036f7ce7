/** Keeps the TLS settings of connections to subgraphs. */
import type { ClientTlsConfig } from './settings.ts'
import type { PerSubgraph } from '../../settings/per-subgraph.ts'
import type { SubgraphTlsEvents } from './events.ts'
import { joinedError } from '../../settings/config-error.ts'
import { TlsProfile } from './tls-profile.ts'

type OwnTls = PerSubgraph<{
  /** Null if Node.js' defaults secure the connections. */
  readonly tls: ClientTlsConfig | null
}>

/** The TLS settings of all subgraphs, and of those that differ. */
export type TlsSettings = OwnTls & {
  /** Milliseconds between two checks of the files. */
  readonly tlsReloadInterval: number
}

/**
 * Returns the subgraphs with TLS settings of their own. Their settings are null if they go back to Node.js'
 * defaults.
 */
export function ownTlsOf({ all, bySubgraph }: OwnTls): ReadonlyMap<string, ClientTlsConfig | null> {
  const own = [...bySubgraph].filter(([, { tls }]) => tls?.section !== all.tls?.section)
  return new Map(own.map(([name, { tls }]) => [name, tls]))
}

/** The TLS profiles of all subgraphs and of single ones. Disposing it stops watching their files. */
export class SubgraphTls implements Disposable {
  /** The profile of subgraphs without settings of their own. */
  readonly #general: TlsProfile | null
  readonly #bySubgraph: ReadonlyMap<string, TlsProfile | null>

  /** Reads all files. Throws RouterConfigError with the problems of all sections. */
  static async open(config: TlsSettings, events: SubgraphTlsEvents): Promise<SubgraphTls> {
    const read = async (section: ClientTlsConfig | null): Promise<TlsProfile | null> =>
      section === null ? null : await TlsProfile.open(section, config.tlsReloadInterval, events)
    const ownTls = ownTlsOf(config)
    const names = [...ownTls.keys()]
    const opened = await Promise.allSettled([config.all.tls, ...ownTls.values()].map(read))
    const profiles = opened.map((one) => (one.status === 'fulfilled' ? one.value : null))
    if (opened.some(({ status }) => status === 'rejected')) {
      for (const profile of profiles) profile?.[Symbol.dispose]()
      throw joinedError(opened)
    }
    const [general = null, ...own] = profiles
    return new SubgraphTls(general, new Map(names.map((name, index) => [name, own[index] ?? null])))
  }

  /** Profiles of settings that leave TLS to the defaults of Node.js. */
  static readonly none = new SubgraphTls(null, new Map())

  private constructor(general: TlsProfile | null, bySubgraph: ReadonlyMap<string, TlsProfile | null>) {
    this.#general = general
    this.#bySubgraph = bySubgraph
  }

  /** Returns the profile of a subgraph. Null if Node.js' defaults secure its connections. */
  of(subgraph: string): TlsProfile | null {
    const own = this.#bySubgraph.get(subgraph)
    return own === undefined ? this.#general : own
  }

  /** Checks all files at once. */
  look(): void {
    for (const profile of this.#profiles()) profile.look()
  }

  [Symbol.dispose](): void {
    for (const profile of this.#profiles()) profile[Symbol.dispose]()
  }

  #profiles(): readonly TlsProfile[] {
    return [this.#general, ...this.#bySubgraph.values()].filter((profile) => profile !== null)
  }
}
