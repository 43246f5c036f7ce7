/**
 * Composes subgraph schemas into one supergraph.
 *
 * Pure: same input, same output in any process, whatever the order of the subgraphs. Whatever the input is,
 * the answer is a value: a failure inside the library becomes an error with the code COMPOSITION_INTERNAL.
 */
import { GraphQLError, Kind, print } from 'graphql'
import type { DocumentNode } from 'graphql'
import { findApiSchemaErrors } from './api-schema-check.ts'
import { findInvalidLists, findLostRules } from './authorization-rules.ts'
import { parseSdl } from './check-sdl.ts'
import type {
  CompositionError,
  CompositionHint,
  CompositionInput,
  CompositionResult,
  SubgraphInput,
} from './contract/composition-result.ts'
import { findInvalidArguments } from './directive-arguments.ts'
import { locateError } from './error-locations.ts'
import { findHints } from './hints/find-hints.ts'
import { findBrokenRules } from './federation-rules.ts'
import { judge } from './judge.ts'
import type { Located } from './locations/place.ts'
import { internalError } from './read-input.ts'
import { refuseInput, refuseUnsupported, type SourceDocument } from './refusals.ts'
import { type Loan, withoutLoans, withPublishedTypes } from './repairs/covariant-types.ts'
import { withCacheControl } from './repairs/cache-control.ts'
import { withAuthorizationLists } from './repairs/authorization-lists.ts'
import { withParsedDefaults } from './repairs/defaults.ts'
import { withFieldSetStrings } from './repairs/federation-1.ts'
import { withFederationNames } from './repairs/federation-names.ts'
import { withOwnKeyFields } from './repairs/extension-keys.ts'
import { withExternalFields } from './repairs/external-fields.ts'
import { withHiddenArguments } from './repairs/hidden-arguments.ts'
import { withInterfaceObjectsFirst } from './repairs/interface-object-definitions.ts'
import { withPlainLinks } from './repairs/links.ts'
import { withLibraryVersion } from './repairs/newer-versions.ts'
import { withOwnTypes } from './repairs/published-types.ts'
import { replacementsIn, withOverridesOfReplacements } from './repairs/replaced-subgraphs.ts'
import { withDefaultRootNames } from './repairs/root-names.ts'
import { withRootAsLeaf } from './repairs/root-reentry.ts'
import { withOwnSelections, withPlainSelections } from './repairs/selections.ts'
import { withSharedPartsOnly } from './repairs/shared-parts.ts'
import { withSpecificationLinks } from './repairs/specification-links.ts'
import { mapSubgraphNames } from './repairs/subgraph-names.ts'
import { mapTypeNames } from './repairs/type-names.ts'
import { readSubgraph, type ParsedSubgraph } from './subgraph/subgraph.ts'
import { withoutRepetition } from './same-mistake.ts'
import { withSuggestedTypes } from './suggested-types.ts'
import { explainUnreachable } from './unreachable/explain.ts'

/** The supergraph of these subgraphs with its hints, or all errors that were found. Never throws. */
export function compose(input: CompositionInput): CompositionResult {
  const subgraphs = [...input.subgraphs].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const refused = refuseInput(subgraphs)
  if (refused.length > 0) return { kind: 'failed', errors: refused, hints: [] }
  try {
    return composeSorted(subgraphs, input)
  } catch (error) {
    return { kind: 'failed', errors: [internalError(error, subgraphs)], hints: [] }
  }
}

function composeSorted(
  subgraphs: readonly SubgraphInput[],
  options: Pick<CompositionInput, 'allowUnenforcedAuthorization'>,
): CompositionResult {
  const sources: SourceDocument[] = []
  const errors: CompositionError[] = []
  const replacements = replacementsIn(subgraphs)
  const isEnforced = options.allowUnenforcedAuthorization !== true
  for (const { name, sdl } of subgraphs) {
    const parsed = parseSdl(sdl, name)
    if (parsed.kind === 'parsed') {
      const document = withOverridesOfReplacements(name, parsed.document, replacements)
      const source = { name, document }
      sources.push(source)
      errors.push(...refuseUnsupported(source))
      if (isEnforced) errors.push(...findInvalidLists(source))
      continue
    }
    for (const { line, column, length, message } of parsed.problems) {
      errors.push({
        code: 'INVALID_GRAPHQL',
        message: `[${name}] ${message}`,
        subgraphs: [name],
        locations: [{ subgraph: name, line, column, length }],
      })
    }
  }
  if (errors.length > 0) return { kind: 'failed', errors, hints: [] }
  const plain = withPlainNames(sources)
  const hints = findHints(locatedIn(plain, sources), isEnforced).map((hint) =>
    restoreError(hint, plain.restore),
  )
  try {
    return runLibrary(subgraphs, sources, plain, { hints, isEnforced })
  } catch (error) {
    return { kind: 'failed', errors: [internalError(error, subgraphs)], hints }
  }
}

function runLibrary(
  inputs: readonly SubgraphInput[],
  sources: readonly SourceDocument[],
  plain: PlainSubgraphs,
  { hints, isEnforced }: { readonly hints: readonly CompositionHint[]; readonly isEnforced: boolean },
): CompositionResult {
  const { restore, subgraphs } = plain
  const widened = withPublishedTypes(subgraphs)
  const rooted = withRootAsLeaf(subgraphs, widened.documents)
  const documents = subgraphs.map((subgraph, index) =>
    withInterfaceObjectsFirst(subgraph, withPlainSelections(subgraph, rooted.documents[index] ?? EMPTY)),
  )
  const result = judge(
    subgraphs,
    documents,
    inputs.map(({ routingUrl }) => routingUrl),
  )
  const ofArguments = subgraphs
    .flatMap((subgraph) => findInvalidArguments(subgraph))
    .map((error) => restoreError(error, restore))
  if (result.kind === 'failed') {
    const errors = describeErrors(result.errors, locatedIn(plain, sources)).map((error) =>
      restoreError(error, restore),
    )
    const told = withoutRepetition([...errors, ...ofArguments])
    return { kind: 'failed', errors: withSuggestedTypes(told, sources), hints }
  }
  const broken = findBrokenRules(subgraphs).map((error) => restoreError(error, restore))
  if (ofArguments.length + broken.length > 0)
    return { kind: 'failed', errors: [...ofArguments, ...broken], hints }
  const supergraph = mend(rooted.restore(result.supergraph), subgraphs, widened.loans)
  const lost = isEnforced ? findLostRules(subgraphs, supergraph) : []
  if (lost.length > 0)
    return { kind: 'failed', errors: lost.map((error) => restoreError(error, restore)), hints }
  const invalid = findApiSchemaErrors(supergraph)
  if (invalid.length > 0) {
    const located = locatedIn(plain, sources)
    const errors = invalid.map(({ code, message }) =>
      restoreError({ code, ...locateError({ code, message, nodes: [], owner: null }, located) }, restore),
    )
    return { kind: 'failed', errors, hints }
  }
  const supergraphSdl = print(supergraph)
  return { kind: 'composed', supergraphSdl: plain.replaced ? restore(supergraphSdl) : supergraphSdl, hints }
}

/**
 * Adds to the supergraph what the library leaves out of it, and removes what the library should have left
 * out.
 */
function mend(
  supergraph: DocumentNode,
  subgraphs: readonly ParsedSubgraph[],
  loans: readonly Loan[],
): DocumentNode {
  const own = withSharedPartsOnly(withoutLoans(withParsedDefaults(supergraph), loans), subgraphs)
  const withRules = withCacheControl(withHiddenArguments(own, subgraphs), subgraphs)
  return withOwnTypes(withOwnSelections(withExternalFields(withRules, subgraphs), subgraphs), subgraphs)
}

type PlainSubgraphs = {
  /** True if names were replaced, so that `restore` puts them back into any text. */
  readonly replaced: boolean
  readonly restore: (text: string) => string
  /** Same order as the sources. */
  readonly subgraphs: readonly ParsedSubgraph[]
}

/** The subgraphs in the one spelling that the library knows everywhere. */
function withPlainNames(sources: readonly SourceDocument[]): PlainSubgraphs {
  const spelled = sources.map(({ document }) =>
    withDefaultRootNames(
      withFederationNames(
        withPlainLinks(
          withSpecificationLinks(withLibraryVersion(withAuthorizationLists(withFieldSetStrings(document)))),
        ),
      ),
    ),
  )
  const types = mapTypeNames(spelled)
  const names = mapSubgraphNames(
    sources.map(({ name }, index) => ({ name, document: types.documents[index] ?? EMPTY })),
  )
  return {
    replaced: names.replaced || types.replaced,
    restore: (text) => types.restore(names.restore(text)),
    subgraphs: withOwnKeyFields(names.subgraphs.map(({ name, document }) => readSubgraph(name, document))),
  }
}

const EMPTY: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] }

function locatedIn({ subgraphs }: PlainSubgraphs, sources: readonly SourceDocument[]): readonly Located[] {
  return subgraphs.map((subgraph, index) => ({
    name: subgraph.name,
    subgraph,
    written: sources[index]?.document ?? EMPTY,
  }))
}

/**
 * Limits of the errors that are placed and explained, and of their text. An author with more errors mends
 * these first, and the message of an unreachable field alone grows with the square of its depth.
 */
const MOST_DESCRIBED = 1000
const MOST_DESCRIBED_CHARACTERS = 4 * 1024 * 1024
/** The length to which an error is cut that is not described any more. */
const LONGEST_UNDESCRIBED = 2000

function describeErrors(
  errors: readonly (GraphQLError | CompositionError)[],
  located: readonly Located[],
): readonly CompositionError[] {
  let characters = 0
  return errors.map((error, index) => {
    if (!(error instanceof GraphQLError)) return error
    characters += error.message.length
    return index < MOST_DESCRIBED && characters <= MOST_DESCRIBED_CHARACTERS
      ? describeError(error, located)
      : namedError(error)
  })
}

/**
 * Returns an error with the message of the library, without places. Of a long message both ends are kept,
 * since the reasons stand last.
 */
function namedError(error: GraphQLError): CompositionError {
  const owner = error.extensions['subgraphName']
  return {
    code: codeOf(error),
    message: endsOf(error.message, LONGEST_UNDESCRIBED),
    subgraphs: typeof owner === 'string' ? [owner] : [],
    locations: [],
  }
}

function endsOf(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)} … ${text.slice(-length / 2)}`
}

function codeOf({ extensions }: GraphQLError): string {
  const given = extensions['code']
  return typeof given === 'string' ? given : 'INVALID_GRAPHQL'
}

function describeError(error: GraphQLError, subgraphs: readonly Located[]): CompositionError {
  const { subgraphName } = error.extensions
  const code = codeOf(error)
  const owner = typeof subgraphName === 'string' ? subgraphName : null
  const unreachable = code === 'SATISFIABILITY_ERROR' ? explainUnreachable(error.message, subgraphs) : null
  if (unreachable !== null) return unreachable
  return {
    code,
    ...locateError({ code, message: error.message, nodes: error.nodes ?? [], owner }, subgraphs),
  }
}

function restoreError(error: CompositionError, restore: (text: string) => string): CompositionError {
  const { operation, path, reasons } = error
  const name = (subgraph: string | null) => (subgraph === null ? null : restore(subgraph))
  return {
    code: error.code,
    message: restore(error.message),
    subgraphs: error.subgraphs.map((one) => restore(one)).sort(),
    locations: error.locations.map(({ label, ...place }) => ({
      ...place,
      subgraph: restore(place.subgraph),
      ...(label === undefined ? {} : { label: restore(label) }),
    })),
    ...(operation === undefined ? {} : { operation: restore(operation) }),
    ...(path === undefined
      ? {}
      : {
          path: path.map(({ coordinate, subgraph }) => ({
            coordinate: restore(coordinate),
            subgraph: name(subgraph),
          })),
        }),
    ...(reasons === undefined
      ? {}
      : {
          reasons: reasons.map(({ subgraph, target, reason }) => ({
            subgraph: restore(subgraph),
            target: name(target),
            reason: restore(reason),
          })),
        }),
  }
}
