/** The command that publishing a proposed schema would be. */
import { createHash } from 'node:crypto'
import type { CommandOf, NamespaceState } from '@switchyard/domain'

export type ProposedSchema = {
  readonly name: string
  readonly sdl: string
  /** The routing URL and labels of a subgraph that does not exist yet. */
  readonly routingUrl?: string | undefined
  readonly labels?: readonly string[] | undefined
  /** The subgraph that a feature subgraph replaces. Only for one that does not exist yet. */
  readonly base?: string | undefined
}

/** A stand-in for the URL of a new subgraph, since the URL does not change any schema. */
const ANY_URL = 'http://routing-url.invalid/graphql'

export function proposedPublication(
  { name, sdl, routingUrl, labels, base }: ProposedSchema,
  { subgraphs }: NamespaceState,
): CommandOf<'publish-schema'> {
  const url = routingUrl ?? (subgraphs.has(name) ? undefined : ANY_URL)
  return {
    type: 'publish-schema',
    name,
    schema: createHash('sha256').update(sdl).digest('hex'),
    bytes: Buffer.byteLength(sdl),
    ...(url === undefined ? {} : { routingUrl: url }),
    ...(labels === undefined ? {} : { labels }),
    ...(base === undefined ? {} : { base }),
  }
}

/**
 * Whether a schema may be proposed: for a subgraph that exists, or a new one that is described. A misspelt
 * name must not pass for a new subgraph that nobody has.
 */
export function isProposable(
  { name, routingUrl, labels, base }: Omit<ProposedSchema, 'sdl'>,
  { subgraphs }: NamespaceState,
): boolean {
  return subgraphs.has(name) || (base ?? labels ?? routingUrl) !== undefined
}
