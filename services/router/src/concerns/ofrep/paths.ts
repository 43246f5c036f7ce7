/** The paths of OFREP: one for all flags together, and one for each flag. */

/** The route of a path, as metrics and spans name it. */
export type OfrepRoutes = { readonly all: string; readonly one: string }

/** The path by which a client asks for all flags, or for one. */
export type OfrepPath = { readonly kind: 'all' } | { readonly kind: 'one'; readonly key: string }

const ALL: OfrepPath = { kind: 'all' }

/** Tells paths of OFREP from others. */
export class OfrepPaths {
  readonly routes: OfrepRoutes
  readonly #all: string
  readonly #one: string

  constructor(basePath: string) {
    this.#all = `${basePath}/ofrep/v1/evaluate/flags`
    this.#one = `${this.#all}/`
    this.routes = { all: this.#all, one: `${this.#all}/{key}` }
  }

  /** Returns null for a path of something else. A key with a slash has that percent-encoded. */
  of(path: string): OfrepPath | null {
    if (path === this.#all) return ALL
    if (!path.startsWith(this.#one)) return null
    const segment = path.slice(this.#one.length)
    return segment === '' || segment.includes('/') ? null : { kind: 'one', key: decoded(segment) }
  }
}

/** Returns a segment that is no valid percent-encoding as it is: no flag has a name with a percent sign. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
