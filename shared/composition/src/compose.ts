/**
 * Composes subgraph schemas into one supergraph.
 *
 * Pure: same input, same output in any process, whatever the order of the subgraphs. Whatever the input is, the answer
 * is a value: a failure inside the library becomes an error with the code COMPOSITION_INTERNAL.
 */
import { composeServices } from '@theguild/federation-composition'
import { type GraphQLError, Kind, print } from 'graphql'
import type { DocumentNode } from 'graphql'
import { findApiSchemaErrors } from './api-schema-check.ts'
import { parseSdl } from './check-sdl.ts'
import type {
  CompositionError,
  CompositionHint,
  CompositionInput,
  CompositionResult,
  SubgraphInput,
} from './composition-result.ts'
import { locateError } from './error-locations.ts'
import type { SourceDocument } from './error-locations.ts'
import { findHints } from './hints.ts'
import { refuseInput, refuseUnsupported } from './refusals.ts'
import { withoutLoans, withPublishedTypes } from './repairs/covariant-types.ts'
import { withDefaultNames } from './repairs/default-names.ts'
import { withFieldSetStrings } from './repairs/federation-1.ts'
import { withInterfaceObjectFields } from './repairs/interface-object-fields.ts'
import { withPlainLinks } from './repairs/links.ts'
import { withOwnTypes } from './repairs/published-types.ts'
import { isAboutRootReentry } from './repairs/root-reentry.ts'
import { withSharedPartsOnly } from './repairs/shared-parts.ts'
import { mapSubgraphNames } from './repairs/subgraph-names.ts'
import { mapTypeNames } from './repairs/type-names.ts'
import { readSubgraph, type Subgraph } from './subgraph.ts'

export function compose(input: CompositionInput): CompositionResult {
  const subgraphs = [...input.subgraphs].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const refused = refuseInput(subgraphs)
  if (refused.length > 0) return { kind: 'failed', errors: refused, hints: [] }
  try {
    return composeSorted(subgraphs)
  } catch (error) {
    return { kind: 'failed', errors: [internalError(error, subgraphs)], hints: [] }
  }
}

function composeSorted(subgraphs: readonly SubgraphInput[]): CompositionResult {
  const sources: SourceDocument[] = []
  const errors: CompositionError[] = []
  for (const { name, sdl } of subgraphs) {
    const parsed = parseSdl(sdl, name)
    if (parsed.kind === 'parsed') {
      const source = { name, document: parsed.document }
      sources.push(source)
      errors.push(...refuseUnsupported(source))
      continue
    }
    for (const { line, column, message } of parsed.problems) {
      errors.push({
        code: 'INVALID_GRAPHQL',
        message: `[${name}] ${message}`,
        subgraphs: [name],
        locations: [{ subgraph: name, line, column }],
      })
    }
  }
  if (errors.length > 0) return { kind: 'failed', errors, hints: [] }
  return runLibrary(subgraphs, sources, findHints(sources))
}

function runLibrary(
  inputs: readonly SubgraphInput[],
  sources: readonly SourceDocument[],
  hints: readonly CompositionHint[],
): CompositionResult {
  const { restore, subgraphs, replaced } = withPlainNames(sources)
  const prepared = withPublishedTypes(subgraphs)
  const run = (skippedRules: readonly string[]) =>
    composeServices(
      subgraphs.map(({ name }, index) => ({
        name,
        url: inputs[index]?.routingUrl ?? '',
        typeDefs: prepared.documents[index] ?? EMPTY,
      })),
      { disableValidationRules: [...skippedRules] },
    )
  let result = run([])
  if (result.errors?.every(isAboutRootReentry) === true) result = run(['SatisfiabilityRule'])
  if (result.errors !== undefined) {
    const errors = result.errors
      .filter((error) => !isAboutRootReentry(error))
      .map((error) => describeError(error, restore, sources))
    return { kind: 'failed', errors: withoutDuplicates(errors), hints }
  }
  const invalid = findApiSchemaErrors(result.publicDocumentNode)
  if (invalid.length > 0) {
    const errors = invalid.map(({ code, message }) => ({
      code,
      message: restore(message),
      ...locateError(restore(message), [], null, sources),
    }))
    return { kind: 'failed', errors, hints }
  }
  const mended = withOwnTypes(
    withInterfaceObjectFields(
      withSharedPartsOnly(withoutLoans(result.supergraphDocumentNode, prepared.loans), subgraphs),
      subgraphs,
    ),
    subgraphs,
  )
  return { kind: 'composed', supergraphSdl: replaced ? restore(print(mended)) : print(mended), hints }
}

type PlainSubgraphs = {
  /** True: names were replaced, and `restore` puts them back into any text. */
  readonly replaced: boolean
  readonly restore: (text: string) => string
  /** Same order as the sources. */
  readonly subgraphs: readonly Subgraph[]
}

/** The subgraphs in the one spelling that the library knows everywhere. */
function withPlainNames(sources: readonly SourceDocument[]): PlainSubgraphs {
  const spelled = sources.map(({ document }) =>
    withDefaultNames(withPlainLinks(withFieldSetStrings(document))),
  )
  const types = mapTypeNames(spelled)
  const names = mapSubgraphNames(
    sources.map(({ name }, index) => ({ name, document: types.documents[index] ?? EMPTY })),
  )
  return {
    replaced: names.replaced || types.replaced,
    restore: (text) => types.restore(names.restore(text)),
    subgraphs: names.subgraphs.map(({ name, document }) => readSubgraph(name, document)),
  }
}

const EMPTY: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] }

function describeError(
  error: GraphQLError,
  restore: (text: string) => string,
  sources: readonly SourceDocument[],
): CompositionError {
  const { code, subgraphName } = error.extensions
  const owner = typeof subgraphName === 'string' ? restore(subgraphName) : null
  const message = restore(error.message)
  return {
    code: typeof code === 'string' ? code : 'INVALID_GRAPHQL',
    message,
    ...locateError(message, error.nodes ?? [], owner, sources),
  }
}

function withoutDuplicates(errors: readonly CompositionError[]): readonly CompositionError[] {
  const seen = new Map(errors.map((error) => [JSON.stringify(error), error]))
  const different = [...seen.values()]
  return different.filter((error) => !different.some((other) => other !== error && saysMore(other, error)))
}

/** The library's own check of a document and that of graphql-js find the same mistake; one of them adds what to do. */
function saysMore(other: CompositionError, error: CompositionError): boolean {
  return (
    other.code === error.code &&
    other.message.length > error.message.length &&
    other.message.startsWith(error.message) &&
    JSON.stringify(other.locations) === JSON.stringify(error.locations)
  )
}

function internalError(error: unknown, subgraphs: readonly SubgraphInput[]): CompositionError {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    code: 'COMPOSITION_INTERNAL',
    message: `The composition stopped at something it does not expect: ${reason}. The schemas may use a construct it does not know; composing fewer subgraphs shows which one.`,
    subgraphs: subgraphs.map(({ name }) => name),
    locations: [],
  }
}
