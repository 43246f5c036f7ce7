/**
 * The variants of the probe: what real clients send, and what proxies are known to treat
 * differently.
 */
export type ProbeVariant = {
  readonly name: string
  readonly protocol: 'HTTP/1.1' | 'HTTP/2'
  readonly accept: string | null
  readonly acceptEncoding: string
  /** Parts, and characters that fill each. */
  readonly parts: number
  readonly padding: number
  /** True if the probe uses a connection that has brought an answer before. */
  readonly again: boolean
  /** Milliseconds between two parts, where it is not for the doctor to choose. */
  readonly pause: number | null
}

/** The header as Apollo Client 4 sends it for an operation with `@defer`. */
const APOLLO = 'multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9'
/** The header as @urql/core sends it. */
const URQL =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'
const BROWSER = 'gzip, deflate, br, zstd'
/** A size that no common size of buffers divides. Four parts of it exceed the largest common buffer. */
const LARGE = 23_000

const PLAIN: Omit<ProbeVariant, 'name'> = {
  protocol: 'HTTP/1.1',
  accept: APOLLO,
  acceptEncoding: 'identity',
  parts: 4,
  padding: 0,
  again: false,
  pause: null,
}

/** The variants that every diagnosis sends. */
export const PROBE_VARIANTS: readonly ProbeVariant[] = [
  { ...PLAIN, name: 'Apollo Client' },
  { ...PLAIN, name: 'Apollo Client, large parts', padding: LARGE },
  { ...PLAIN, name: 'Apollo Client, connection used again', again: true },
  { ...PLAIN, name: 'urql', accept: URQL },
  { ...PLAIN, name: 'Accept: */*', accept: '*/*' },
  { ...PLAIN, name: 'no Accept', accept: null },
  { ...PLAIN, name: 'encodings of browsers, large parts', acceptEncoding: BROWSER, padding: LARGE },
  { ...PLAIN, name: 'gzip, small parts', acceptEncoding: 'gzip' },
  { ...PLAIN, name: 'Apollo Client', protocol: 'HTTP/2' },
  {
    ...PLAIN,
    name: 'encodings of browsers, large parts',
    protocol: 'HTTP/2',
    acceptEncoding: BROWSER,
    padding: LARGE,
  },
]

/** Finds out whether there is a router at all, and how far away it is. */
export const FIRST_PROBE: ProbeVariant = { ...PLAIN, name: 'one part', parts: 1, pause: 0 }

/** A variant with one pause of so many seconds, which shows time limits for idle connections. */
export function idleVariant(seconds: number): ProbeVariant {
  return { ...PLAIN, name: `a pause of ${seconds} s`, parts: 2, pause: seconds * 1000 }
}

/** The name of a variant in output. */
export function probeName({ protocol, name }: ProbeVariant): string {
  return `${protocol}, ${name}`
}
