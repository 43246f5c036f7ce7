/** Which versions of the federation specification a subgraph may link, and what tells them apart. */
import { Kind } from 'graphql'
import { argument, type FederationLink, specificationAt } from './federation-link.ts'

/** Every released version, oldest first. A schema without a link is one of Federation 1. */
export const FEDERATION_VERSIONS = [
  'v2.0',
  'v2.1',
  'v2.2',
  'v2.3',
  'v2.4',
  'v2.5',
  'v2.6',
  'v2.7',
  'v2.8',
  'v2.9',
  'v2.10',
  'v2.11',
  'v2.12',
  'v2.13',
  'v2.14',
  'v2.15',
] as const

/** `v2.3`; null where the URL of the link ends in something else than a version. */
export function linkedVersion({ node }: FederationLink): string | null {
  const url = argument(node, 'url')
  return url?.kind === Kind.STRING ? (specificationAt(url.value)?.version ?? null) : null
}

/** The 3 of `v2.3`; null for other major versions. */
export function minorVersion(link: FederationLink): number | null {
  const minor = /^v2\.(\d+)$/.exec(linkedVersion(link) ?? '')?.[1]
  return minor === undefined ? null : Number(minor)
}
