/**
 * Differences between frameworks on the wire, as docs/subgraph-frameworks.md lists and long tests check them.
 */
import type { SubgraphName } from './shop.ts'

export type FrameworkFacts = {
  readonly framework: string
  /** The version of Federation that its schema links. Null for a schema of Federation 1. */
  readonly federationVersion: string | null
  /** The source of that version. */
  readonly versionIs: 'in the schema' | 'the default' | 'not there'
  /** Status of an answer to an operation that its schema does not allow, as the router asks. */
  readonly invalidStatus: number
  /** The media type of its answers to the router. */
  readonly mediaType: 'application/graphql-response+json' | 'application/json'
}

export const FRAMEWORK_FACTS: Readonly<Record<SubgraphName, FrameworkFacts>> = {
  catalog: {
    framework: 'Apollo Server 5',
    federationVersion: 'v2.9',
    versionIs: 'in the schema',
    invalidStatus: 400,
    mediaType: 'application/graphql-response+json',
  },
  accounts: {
    framework: 'GraphQL Yoga with Pothos',
    federationVersion: 'v2.6',
    versionIs: 'the default',
    invalidStatus: 400,
    mediaType: 'application/graphql-response+json',
  },
  shipping: {
    framework: 'Mercurius',
    federationVersion: null,
    versionIs: 'not there',
    invalidStatus: 400,
    mediaType: 'application/json',
  },
  stock: {
    framework: 'Strawberry',
    federationVersion: 'v2.11',
    versionIs: 'the default',
    invalidStatus: 200,
    mediaType: 'application/json',
  },
  reviews: {
    framework: 'gqlgen',
    federationVersion: 'v2.3',
    versionIs: 'in the schema',
    invalidStatus: 400,
    mediaType: 'application/graphql-response+json',
  },
}
