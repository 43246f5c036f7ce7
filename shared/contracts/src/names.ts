/**
 * The rules for names, labels, matchers and routing URLs: one place, used by the command line and the
 * registry alike.
 */
import { z } from 'zod'
import { missingScheme } from './text/missing-scheme.ts'

export const DEFAULT_NAMESPACE = 'default'
export const MAX_NAME_LENGTH = 100
export const MAX_SDL_BYTES = 8 * 1024 * 1024
export const MAX_SUBGRAPHS_PER_NAMESPACE = 2000
/** Most manifests of persisted documents of one graph, and most clients of one manifest. */
export const MAX_DOCUMENT_MANIFESTS_PER_GRAPH = 50
const MAX_CLIENTS_PER_MANIFEST = 10
export const MAX_DOCUMENT_MANIFEST_BYTES = 8 * 1024 * 1024
export const MAX_DOCUMENT_BYTES_PER_GRAPH = 32 * 1024 * 1024

const NAMESPACE_RULE =
  'a namespace is 1 to 100 lower-case letters and digits, with single "-" or "_" between them'
const NAME_RULE =
  'a name is 1 to 100 characters: letters and digits, with single ". / @ _ -" between them, a letter or digit at both ends'
const LABEL_RULE =
  'a label is key=value; key and value are 1 to 63 characters of letters, digits, "_", "." and "-", a letter or digit at both ends'
const LABEL_MATCHER_RULE =
  'a label matcher is a group of labels separated by commas (one of them must match); groups separated by spaces must all match'

export const Namespace = z
  .string()
  .max(MAX_NAME_LENGTH, NAMESPACE_RULE)
  .regex(/^[0-9a-z]+(?:[_-][0-9a-z]+)*$/, NAMESPACE_RULE)
export const ResourceName = z
  .string()
  .max(MAX_NAME_LENGTH, NAME_RULE)
  .regex(/^[0-9A-Za-z]+(?:[./@_-][0-9A-Za-z]+)*$/, NAME_RULE)

const LABEL_PART = '[0-9A-Za-z](?:[0-9A-Za-z_.-]{0,61}[0-9A-Za-z])?'
const LABEL = new RegExp(`^${LABEL_PART}=${LABEL_PART}$`)

/** `key=value`. */
export const Label = z.string().regex(LABEL, LABEL_RULE)
/** One AND group: labels of which one must match, separated by commas. */
export const LabelMatcher = z
  .string()
  .refine((group) => group.split(',').every((label) => LABEL.test(label)), LABEL_MATCHER_RULE)

/** Duplicates collapse; sorted, so that equal sets are equal texts. */
export const LabelSet = z
  .array(Label)
  .max(100)
  .transform((labels) => [...new Set(labels)].sort())
export const LabelMatchers = z.array(LabelMatcher).max(100).transform(orderedMatchers)

/**
 * Returns one form for all ways to write the same matchers. Alternatives and groups are sets: `b=2,a=1` is
 * `a=1,b=2`.
 */
export function orderedMatchers(groups: readonly string[]): string[] {
  return [...new Set(groups.map((group) => [...new Set(group.split(','))].sort().join(',')))].sort()
}

const ROUTING_URL_RULE =
  'a routing URL is an absolute http or https URL without user information and without a fragment, in printable ASCII ' +
  '(paths percent-encoded, host names in punycode), with a host name or a plain address, and a port from 1 to 65535 if any'
export const RoutingUrl = z
  .string()
  .max(2048, ROUTING_URL_RULE)
  .refine(isRoutingUrl, {
    error: ({ input }) => (typeof input === 'string' ? missingScheme(input) : null) ?? ROUTING_URL_RULE,
  })

/**
 * The routing URL of a subgraph of events, which has no server. Nobody can have this name (RFC 2606), so that
 * a router which does not know such subgraphs calls nobody.
 */
export const NO_SERVER_URL = 'http://events.invalid/'

/** A routing URL as people write it: `none` for a subgraph of events. */
export const WrittenRoutingUrl = z
  .string()
  .transform((text) => (text === 'none' ? NO_SERVER_URL : text))
  .pipe(RoutingUrl)

const WRITTEN_URL =
  /^https?:\/\/(?<host>\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*\.?)(?::(?<port>\d{1,5}))?(?:[/?]|$)/i

/**
 * Stricter than URL parsers, which make a URL of nearly everything: what was written must be what is called.
 * So `http:///x` is no URL of the host `x`, and `http://2130706433/` not one of 127.0.0.1.
 */
export function isRoutingUrl(text: string): boolean {
  const { host, port } = WRITTEN_URL.exec(text)?.groups ?? {}
  if (host === undefined || !/^[!-~]*$/.test(text) || /[\\#]/.test(text) || !URL.canParse(text)) return false
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  return host.startsWith('[') || new URL(text).hostname === host.toLowerCase()
}

const PUBLIC_URL_RULE =
  'a public URL is the http or https URL of the GraphQL endpoint as browsers reach it, such as ' +
  'https://graph.example.com/graphql: without user information and without a fragment, with a host name or an ' +
  'IPv4 address, in printable ASCII and at most 500 characters'
/**
 * The URL at which browsers reach the routers of a graph. Its origin becomes part of a policy that browsers
 * are told, whose language knows neither IPv6 addresses nor `_` in names.
 */
export const PublicUrl = z
  .string()
  .max(500, PUBLIC_URL_RULE)
  .refine(isPublicUrl, {
    error: ({ input }) => (typeof input === 'string' ? missingScheme(input) : null) ?? PUBLIC_URL_RULE,
  })

function isPublicUrl(text: string): boolean {
  return isRoutingUrl(text) && /^[0-9a-z.-]+$/.test(new URL(text).hostname)
}

/** Matchers taken apart once, for whoever asks often: AND over groups, OR inside a group. */
export type LabelGroups = readonly (readonly string[])[]

export function labelGroups(matchers: readonly string[]): LabelGroups {
  return matchers.map((group) => group.split(','))
}

/** No matchers: only items without labels. */
export function groupsMatch(groups: LabelGroups, labels: readonly string[]): boolean {
  if (groups.length === 0) return labels.length === 0
  return groups.every((group) => group.some((label) => labels.includes(label)))
}

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a sha256 is 64 lower-case hex digits')
export const Sequence = z.int().min(0)
export const TraceParent = z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)

/** Names of the clients that may use a manifest of persisted documents, as they call themselves. */
export const DocumentClients = z
  .array(z.string().min(1, 'the name of a client has at least one character').max(128))
  .min(1, 'name at least one client, or leave them out for all clients')
  .max(MAX_CLIENTS_PER_MANIFEST)
