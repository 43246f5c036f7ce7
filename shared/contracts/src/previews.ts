/**
 * Previews: a change of subgraphs that somebody wants to see in a graph before it is published. A preview is
 * a composition of its own that ends by itself, and only routers that are told to serve previews do so.
 */
import { z } from 'zod'
import { isRoutingUrl, ResourceName, RoutingUrl, Sha256 } from './names.ts'

/** Most previews that one graph has at a time. */
export const MAX_PREVIEWS_PER_GRAPH = 20
/** Most subgraphs that one preview replaces. */
export const MAX_SUBGRAPHS_PER_PREVIEW = 20
const DAY_SECONDS = 24 * 60 * 60
export const DEFAULT_PREVIEW_SECONDS = 3 * DAY_SECONDS
export const MAX_PREVIEW_SECONDS = 14 * DAY_SECONDS
const MIN_PREVIEW_SECONDS = 60
/** Most characters of a preview's name. The name that requests give has 17 more. */
const MAX_PREVIEW_NAME_LENGTH = 60
const MAX_PREVIEW_HOSTS = 50

/** The name by which people and pipelines know a preview: `pr-481`. */
export const PreviewName = ResourceName.max(
  MAX_PREVIEW_NAME_LENGTH,
  `the name of a preview has at most ${MAX_PREVIEW_NAME_LENGTH} characters`,
)

/** The name by which requests ask for it: with 64 random bits, so that nobody guesses it. */
export const PreviewFlag = ResourceName.regex(
  /-[0-9a-f]{16}$/,
  'the name by which requests ask for a preview ends in 16 hex digits',
)

const HOST_LABEL = '[0-9a-z_](?:[0-9a-z_-]{0,61}[0-9a-z_])?'
/** The last label is no number: URL parsers take `127.1` and `x.0x7f` for addresses (WHATWG URL, 3.5). */
const HOST = new RegExp(`^(?:\\*\\.(?=[^.]+\\.))?(?:${HOST_LABEL}\\.)*(?!\\d+$|0x[0-9a-f]*$)${HOST_LABEL}$`)
const HOST_RULE =
  'expected the name of a host in lower case, such as previews.internal, or all hosts below one of two or more parts, such as *.previews.internal; no address, no port'

/** Hosts that the subgraphs of previews may have: one, or with `*.` all below one, at any depth. */
export const PreviewHost = z.string().max(253, HOST_RULE).regex(HOST, HOST_RULE)
/** Duplicates collapse; sorted, so that equal sets are equal texts. Empty: no previews. */
export const PreviewHosts = z
  .array(PreviewHost)
  .max(MAX_PREVIEW_HOSTS)
  .transform((hosts) => [...new Set(hosts)].sort())

/** Whether this is a routing URL whose host is one of these. */
export function isPreviewUrl(text: string, hosts: readonly string[]): boolean {
  if (!isRoutingUrl(text)) return false
  const { hostname } = new URL(text)
  // An address is none of the names, and a name that ends in a dot is another one.
  return hosts.some((host) => {
    if (!host.startsWith('*.')) return hostname === host
    return hostname.endsWith(host.slice(1)) && hostname.length >= host.length
  })
}

/** The subgraph that a preview puts in the place of another one. The SDL is the blob of that hash. */
export const PreviewSubgraph = z.object({
  /** The subgraph that it replaces. */
  base: ResourceName,
  routingUrl: RoutingUrl,
  schema: Sha256,
  bytes: z.int().min(1),
})
export type PreviewSubgraph = z.infer<typeof PreviewSubgraph>

/** How long a preview lives from now on, in seconds. */
export const PreviewSeconds = z.int().min(MIN_PREVIEW_SECONDS).max(MAX_PREVIEW_SECONDS)
