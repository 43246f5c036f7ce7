/** The sources of a router, of which equal ones are one. */
import { hash } from 'node:crypto'
import type { OpenSource, UpstreamListener } from '../upstream.ts'
import { SharedSource, type SharedSourceOptions } from './shared-source.ts'

export class SharedSources {
  readonly #options: Pick<SharedSourceOptions, 'turns' | 'fanOut' | 'events'>
  readonly #sources = new Map<string, SharedSource>()

  constructor(options: Pick<SharedSourceOptions, 'turns' | 'fanOut' | 'events'>) {
    this.#options = options
  }

  /** Lets somebody listen to the source with this key, which `open` opens if there is none. */
  join(
    key: string,
    { subgraph, open }: Pick<SharedSourceOptions, 'subgraph' | 'open'>,
    listener: UpstreamListener,
  ): OpenSource {
    const known = this.#sources.get(key)
    if (known !== undefined) return known.join(listener)
    const opened: SharedSource = new SharedSource({
      ...this.#options,
      subgraph,
      open,
      onOver: () => void (this.#sources.get(key) === opened && this.#sources.delete(key)),
    })
    this.#sources.set(key, opened)
    return opened.join(listener)
  }

  /** Closes all of them. Nobody is told. */
  close(): void {
    for (const source of this.#sources.values()) source.close()
  }
}

/**
 * Returns a short text that is equal only for equal values, which have to be JSON. Long texts of clients
 * would take long to find.
 */
export function digest(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values), 'base64')
}
