/** With what connections to subgraphs are secured, by subgraph. */
import type { ClientTlsConfig } from './settings.ts'
import type { SubgraphConfig, SubgraphsConfig } from '../settings.ts'
import type { SubgraphTlsEvents } from './events.ts'
import { joinedError } from '../../settings/config-error.ts'
import { TlsProfile } from './tls-profile.ts'

type WithTls = Pick<SubgraphConfig, 'tls'>

/** How connections to all subgraphs are secured. */
export type TlsSettings = Pick<SubgraphsConfig, 'tlsReloadInterval'> & {
  readonly all: WithTls
  readonly bySubgraph: ReadonlyMap<string, WithTls>
}

/** Subgraphs with settings of their own for TLS, which are null if these switch off what holds for all. */
export function ownTlsOf({
  all,
  bySubgraph,
}: Pick<TlsSettings, 'all' | 'bySubgraph'>): ReadonlyMap<string, ClientTlsConfig | null> {
  const own = [...bySubgraph].filter(([, { tls }]) => tls?.section !== all.tls?.section)
  return new Map(own.map(([name, { tls }]) => [name, tls]))
}

/** The settings `subgraphs.tls` and those of single subgraphs. Disposing ends the watching of files. */
export class SubgraphTls implements Disposable {
  /** Of subgraphs of which nothing else is said. */
  readonly #general: TlsProfile | null
  readonly #bySubgraph: ReadonlyMap<string, TlsProfile | null>

  /** Throws RouterConfigError, with what is wrong in all sections. */
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

  /** Connections are secured as Node.js does it by itself. */
  static readonly none = new SubgraphTls(null, new Map())

  private constructor(general: TlsProfile | null, bySubgraph: ReadonlyMap<string, TlsProfile | null>) {
    this.#general = general
    this.#bySubgraph = bySubgraph
  }

  /** null: as Node.js does it by itself. */
  of(subgraph: string): TlsProfile | null {
    const own = this.#bySubgraph.get(subgraph)
    return own === undefined ? this.#general : own
  }

  /** Looks at all files at once. */
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
