/**
 * Requests made so far, and what is known of each object by them. A value: an attempt that fails leaves no
 * trace.
 */
import type { SubgraphId, TypeId } from '@switchyard/engine'
import type { Source } from './faces.ts'

type Known = { readonly source: Source; readonly level: number }

export class Requests {
  readonly #asked: ReadonlySet<string>
  readonly #sources: ReadonlyMap<string, readonly Known[]>

  constructor(asked: ReadonlySet<string>, sources: ReadonlyMap<string, readonly Known[]>) {
    this.#asked = asked
    this.#sources = sources
  }

  get count(): number {
    return this.#asked.size
  }

  /** Requests of the same name are one. */
  asking(name: string): Requests {
    return this.#asked.has(name) ? this : new Requests(new Set([...this.#asked, name]), this.#sources)
  }

  /** Returns requests after which the object's fields can be taken from `source`. */
  opening(path: string, object: TypeId, source: Source, level = 0): Requests {
    const key = `${path}|${object}`
    const known = this.#sources.get(key) ?? []
    if (known.some((other) => isSame(other.source, source))) return this
    return new Requests(this.#asked, new Map([...this.#sources, [key, [...known, { source, level }]]]))
  }

  sourcesAt(path: string, object: TypeId): readonly Source[] {
    return (this.#sources.get(`${path}|${object}`) ?? []).map(({ source }) => source)
  }

  /** How many requests about this object come before its fields are known from `sub`. */
  levelOf(path: string, object: TypeId, sub: SubgraphId): number {
    const known = this.#sources.get(`${path}|${object}`) ?? []
    return Math.min(...known.filter(({ source }) => source.sub === sub).map(({ level }) => level))
  }
}

function isSame(a: Source, b: Source): boolean {
  return a.sub === b.sub && a.type === b.type && JSON.stringify(a.view) === JSON.stringify(b.view)
}

export const NO_REQUESTS = new Requests(new Set(), new Map())
