/**
 * Runs the library, and again without a rule whose every complaint is known to be wrong.
 *
 * A rule is never skipped in the first run, so whatever it finds besides is reported.
 */
import { composeServices } from '@theguild/federation-composition'
import type { DocumentNode, GraphQLError } from 'graphql'
import type { CompositionError } from './contract/composition-result.ts'
import { isAboutOwnDirective } from './directive-arguments.ts'
import { settingsOfLabels } from './repairs/override-labels.ts'
import { isAboutSharedInterfaceObject } from './repairs/shared-interface-objects.ts'
import { findCausesOfStop } from './library-stops.ts'
import { findRequiresCycles } from './requires-cycles.ts'
import type { ParsedSubgraph } from './subgraph/subgraph.ts'

/** The result of the composition library for a graph: a supergraph, or its errors. */
export type LibraryResult =
  | { readonly kind: 'composed'; readonly supergraph: DocumentNode }
  | { readonly kind: 'failed'; readonly errors: readonly (GraphQLError | CompositionError)[] }

/** `documents` and `urls` are in the order of the subgraphs. */
export function judge(
  subgraphs: readonly ParsedSubgraph[],
  documents: readonly DocumentNode[],
  urls: readonly string[],
): LibraryResult {
  try {
    const verdict = run(subgraphs, documents, urls)
    if (verdict.kind === 'composed' || !verdict.errors.every(isAboutSatisfiability)) return verdict
    const settings = settingsOfLabels(subgraphs, documents)
    const isSatisfied = settings.every((plain) => run(subgraphs, plain, urls).kind === 'composed')
    return settings.length > 0 && isSatisfied
      ? run(subgraphs, documents, urls, ['SatisfiabilityRule'])
      : verdict
  } catch (error) {
    const causes = [
      ...findCausesOfStop(subgraphs),
      ...(error instanceof RangeError ? findRequiresCycles(subgraphs) : []),
    ]
    if (causes.length === 0) throw error
    return { kind: 'failed', errors: causes }
  }
}

type Verdict =
  | Extract<LibraryResult, { kind: 'composed' }>
  | { readonly kind: 'failed'; readonly errors: readonly GraphQLError[] }

function run(
  subgraphs: readonly ParsedSubgraph[],
  documents: readonly DocumentNode[],
  urls: readonly string[],
  skippedRules: readonly string[] = [],
): Verdict {
  const services = subgraphs.map(({ name }, index) => {
    const [typeDefs, url] = [documents[index], urls[index]]
    if (typeDefs === undefined || url === undefined)
      throw new RangeError(`Subgraph "${name}" came without its document or its URL.`)
    return { name, url, typeDefs }
  })
  const result = composeServices(services, { disableValidationRules: [...skippedRules] })
  if (result.errors === undefined) return { kind: 'composed', supergraph: result.supergraphDocumentNode }
  const wrongRules = result.errors.map((error) => wronglyApplied(error, subgraphs))
  const right = result.errors.filter((_error, index) => wrongRules[index] === null)
  const toSkip = wrongRules.filter((rule) => rule !== null).filter((rule) => !skippedRules.includes(rule))
  if (right.length > 0 || toSkip.length === 0)
    return { kind: 'failed', errors: right.length > 0 ? right : result.errors }
  return run(subgraphs, documents, urls, [...skippedRules, ...new Set(toSkip)])
}

/** The library's name of the rule that is wrong in this case. */
function wronglyApplied(error: GraphQLError, subgraphs: readonly ParsedSubgraph[]): string | null {
  if (isAboutSharedInterfaceObject(error, subgraphs)) return 'InvalidFieldSharingRule'
  if (isAboutOwnDirective(error, subgraphs)) return 'ProvidedArgumentsOnDirectivesRule'
  return null
}

function isAboutSatisfiability(error: GraphQLError): boolean {
  return error.extensions['code'] === 'SATISFIABILITY_ERROR'
}
