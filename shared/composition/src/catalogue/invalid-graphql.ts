/** The code for whatever the rules of GraphQL refuse. Its facts are told apart by the kind of mistake. */
import { DEFINITION_SENTENCES } from './graphql-definitions.ts'
import { DIRECTIVE_SENTENCES } from './graphql-directives.ts'
import { entry } from './entry.ts'
import { INTERFACE_SENTENCES } from './graphql-interfaces.ts'

const SENTENCES = { ...DEFINITION_SENTENCES, ...INTERFACE_SENTENCES, ...DIRECTIVE_SENTENCES }

type Kinds = typeof SENTENCES
type Kind = keyof Kinds
/** The facts of each kind; `unknown` for kinds without facts. */
type FactsOfKinds = {
  readonly [K in Kind]: Parameters<Kinds[K]> extends readonly [infer Given] ? Given : unknown
}
type Told<K extends Kind = Kind> = { [P in K]: { readonly kind: P } & FactsOfKinds[P] }[K]

/** The table, typed so that a kind and its facts stay together. */
const BY_KIND: { readonly [K in Kind]: (facts: FactsOfKinds[K]) => string } = SENTENCES

function sentence<K extends Kind>(told: Told<K>): string {
  return BY_KIND[told.kind](told)
}

export const INVALID_GRAPHQL = {
  INVALID_GRAPHQL: entry<Told>(
    "A subgraph's SDL does not parse or is not valid, or the merged schema is not",
    'The locations point into the SDL.',
    (facts) => sentence(facts),
  ),
}
