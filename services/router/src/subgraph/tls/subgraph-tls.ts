/** With what connections to subgraphs are secured, by subgraph. */
import type { ClientTlsConfig, SubgraphsConfig } from '../../config/router-config.ts'
import type { SubgraphTlsEvents } from './events.ts'
import { problemsIn, TlsProfile } from './tls-profile.ts'

/** Of all subgraphs. */
export type TlsSettings = Pick<SubgraphsConfig, 'tls' | 'tlsBySubgraph' | 'tlsReloadInterval'>

/** The settings `subgraphs.tls` and those of single subgraphs. Disposing ends the watching of files. */
export class SubgraphTls implements Disposable {
  /** Of subgraphs of which nothing else is said. */
  readonly #general: TlsProfile | null
  readonly #bySubgraph: ReadonlyMap<string, TlsProfile | null>

  /** Throws RouterConfigError, with what is wrong in all sections. */
  static async open(config: TlsSettings, events: SubgraphTlsEvents): Promise<SubgraphTls> {
    const read = async (section: ClientTlsConfig | null): Promise<TlsProfile | null> =>
      section === null ? null : await TlsProfile.open(section, config.tlsReloadInterval, events)
    const names = [...config.tlsBySubgraph.keys()]
    const opened = await Promise.allSettled([config.tls, ...config.tlsBySubgraph.values()].map(read))
    const profiles = opened.map((one) => (one.status === 'fulfilled' ? one.value : null))
    if (opened.some(({ status }) => status === 'rejected')) {
      for (const profile of profiles) profile?.[Symbol.dispose]()
      throw problemsIn(opened)
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
