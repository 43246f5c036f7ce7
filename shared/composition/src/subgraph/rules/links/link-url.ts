/**
 * The parts of the URL of a link.
 *
 * https://specs.apollo.dev/link/v1.0/#@link.url
 */

/** A URL, taken apart. */
export type LinkUrl = {
  /** The URL without the version. */
  readonly identity: string
  /** The last part before the version. */
  readonly name: string | null
  /** `v2.3`, or whatever begins like a version. */
  readonly version: string | null
  /** True for specifications below https://specs.apollo.dev. */
  readonly isOfApollo: boolean
}

/** Takes a URL apart. A text that is no URL is an identity only. */
export function readLinkUrl(text: string): LinkUrl {
  const url = URL.parse(text)
  if (url === null) return { identity: text, name: null, version: null, isOfApollo: false }
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const last = parts.at(-1)
  const version = last !== undefined && /^v\d/i.test(last) ? last : null
  const path = version === null ? parts : parts.slice(0, -1)
  return {
    identity: [url.protocol === 'file:' ? 'file://' : url.origin, ...path].join('/'),
    name: path.at(-1) ?? null,
    version,
    isOfApollo: url.host === 'specs.apollo.dev',
  }
}
