/**
 * Composes subgraph schemas into one supergraph.
 *
 * Pure: same input, same output in any process, whatever the order of the subgraphs. Whatever the input is, the answer
 * is a value: a failure inside the library becomes an error with the code COMPOSITION_INTERNAL.
 */
import { composeServices } from '@theguild/federation-composition'
import { GraphQLError, Kind, print, visit } from 'graphql'
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
import { withDefaultNames } from './default-names.ts'
import { locateError } from './error-locations.ts'
import type { SourceDocument } from './error-locations.ts'
import { findHints } from './hints.ts'
import { withInterfaceObjectExternals } from './interface-object-externals.ts'
import { refuseInput, refuseUnsupported } from './refusals.ts'
import { isAboutRootReentry } from './root-reentry.ts'
import { mapSubgraphNames } from './subgraph-names.ts'

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
  subgraphs: readonly SubgraphInput[],
  sources: readonly SourceDocument[],
  hints: readonly CompositionHint[],
): CompositionResult {
  const names = mapSubgraphNames(
    sources.map(({ name, document }) => ({ name, document: withDefaultNames(document) })),
  )
  const run = (skippedRules: readonly string[]) =>
    composeServices(
      names.subgraphs.map(({ name, document }, index) => ({
        name,
        url: subgraphs[index]?.routingUrl ?? '',
        typeDefs: document,
      })),
      { disableValidationRules: [...skippedRules] },
    )
  let result = run([])
  if (result.errors?.every(isAboutRootReentry) === true) result = run(['SatisfiabilityRule'])
  if (result.errors !== undefined) {
    const errors = result.errors
      .filter((error) => !isAboutRootReentry(error))
      .map((error) => describeError(error, names.restore, sources))
    return { kind: 'failed', errors: withoutDuplicates(errors), hints }
  }
  const invalid = findApiSchemaErrors(result.publicDocumentNode)
  if (invalid.length > 0) {
    const errors = invalid.map(({ code, message }) => ({
      code,
      message,
      ...locateError(message, [], null, sources),
    }))
    return { kind: 'failed', errors, hints }
  }
  const repaired = withInterfaceObjectExternals(result.supergraphDocumentNode)
  const supergraph = names.replaced ? restoreNames(repaired, names.restore) : repaired
  return { kind: 'composed', supergraphSdl: print(supergraph), hints }
}

/** `join__graph(name:)` and `join__field(override:)` are the only places of a supergraph that hold subgraph names. */
function restoreNames(supergraph: DocumentNode, restore: (text: string) => string): DocumentNode {
  return visit(supergraph, {
    Argument(node, _key, _parent, _path, ancestors) {
      const directive = ancestors.findLast(
        (ancestor) => 'kind' in ancestor && ancestor.kind === Kind.DIRECTIVE,
      )
      if (directive === undefined || !('kind' in directive) || directive.kind !== Kind.DIRECTIVE)
        return undefined
      const place = `${directive.name.value}(${node.name.value})`
      if (place !== 'join__graph(name)' && place !== 'join__field(override)') return undefined
      if (node.value.kind !== Kind.STRING) return undefined
      return { ...node, value: { ...node.value, value: restore(node.value.value) } }
    },
  })
}

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
