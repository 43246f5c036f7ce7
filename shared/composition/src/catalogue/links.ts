/** Entries about links, and about the directives and types that they bring. */
import { reasonToRefuse } from '../directives/unsupported-directives.ts'
import type { SpecifiedDirective } from '../directives/specified-directives.ts'
import { FEDERATION_VERSIONS } from '../federation/federation-versions.ts'
import { entry } from './entry.ts'
import { toldBySubgraphs, type Told } from './subgraph-names.ts'

const OLDEST = FEDERATION_VERSIONS[0]
const NEWEST = FEDERATION_VERSIONS.at(-1) ?? OLDEST

export const LINKS = {
  INVALID_LINK_IDENTIFIER: entry<{ readonly url: string; readonly lacks: 'name' | 'version' }>(
    'The `url` of a `@link` does not end with a name and a version',
    'Write it as `https://specs.apollo.dev/federation/v2.15`.',
    ({ url, lacks }) =>
      `The url "${url}" of a @link ends with no ${lacks}; write it as "https://specs.apollo.dev/federation/${NEWEST}".`,
  ),
  UNKNOWN_FEDERATION_LINK_VERSION: entry<
    { readonly kind: 'version'; readonly version: string } | { readonly kind: 'composite-schemas' }
  >(
    'A version of the federation specification that this composition does not know, or the GraphQL Federation specification (composite schemas)',
    'Known are v2.0 to v2.15 of https://specs.apollo.dev/federation, and Federation 1. Link the newest of them if the schema needs nothing newer; otherwise it takes a newer Switchyard. `@key` with `_entities` does what `@lookup` does, and `@requires` what `@require` does.',
    (facts) =>
      facts.kind === 'version'
        ? `Federation ${facts.version} is not known here; known are ${OLDEST} to ${NEWEST}, and Federation 1 (no @link). Link ${NEWEST} if the schema needs nothing newer; otherwise it takes a newer Switchyard.`
        : `The GraphQL Federation specification (composite schemas, with @lookup and @require) is not known here; known are ${OLDEST} to ${NEWEST} of https://specs.apollo.dev/federation, and Federation 1 (no @link). There a @key, resolved by the field "_entities", does what @lookup does, and @requires on a field what @require does on an argument.`,
  ),
  UNKNOWN_LINK_VERSION: entry<{ readonly specification: string; readonly version: string }>(
    'A version of the link specification that does not exist',
    'Link v1.0.',
    ({ specification, version }) =>
      `The specification "${specification}" has no version ${version} that is known here; link another version.`,
  ),
  INVALID_LINK_DIRECTIVE_USAGE: entry<
    | { readonly kind: 'linked-twice'; readonly identity: string }
    | { readonly kind: 'unknown-import'; readonly element: string }
    | { readonly kind: 'not-in-version'; readonly directive: string }
  >(
    'A `@link` imports what the specification does not have in this version, or a specification is linked twice',
    'Correct the import, or link a newer version.',
    (facts) => {
      if (facts.kind === 'linked-twice')
        return `"${facts.identity}" is linked more than once; keep one @link.`
      return facts.kind === 'unknown-import'
        ? `"${facts.element}" is imported, but the linked specification has no such element in this version.`
        : `@${facts.directive} is used, but the federation version that this subgraph links does not have it yet. Link a newer version.`
    },
  ),
  UNSUPPORTED_DIRECTIVE: entry<{
    /** The name in this subgraph. */
    readonly written: string
    readonly directive: SpecifiedDirective
    readonly coordinate: string
  }>(
    '`@context` or `@fromContext` is used, or a connector (`@connect`, `@source`)',
    'Nobody would resolve such fields. Take a value of an ancestor with `@requires`, or as an argument from the client; serve what a connector would fetch from a subgraph.',
    ({ written, directive, coordinate }) => {
      const { name } = directive
      const named = written === name ? `@${name}` : `@${name} (written @${written})`
      return `${named} on "${coordinate}" is not supported: ${reasonToRefuse(directive) ?? ''}`
    },
  ),
  DIRECTIVE_DEFINITION_INVALID: entry<{
    readonly directive: string
    readonly problem: DefinitionProblem
  }>(
    'A subgraph defines a federation directive itself, and not as the specification does',
    'Leave the definition out, or copy it from the specification.',
    ({ directive, problem }) =>
      `The definition of "@${directive}" is not that of the specification: ${definitionProblemText(problem)}. Leave the definition out, or correct it.`,
  ),
  TYPE_DEFINITION_INVALID: entry<{ readonly type: string }>(
    'A subgraph defines a scalar of the federation specification as another kind of type',
    'Leave the definition out, or rename the type.',
    ({ type }) =>
      `Type "${type}" is a scalar of the federation specification; define it as a scalar, or leave the definition out.`,
  ),
  DIRECTIVE_COMPOSITION_ERROR: entry<
    | { readonly kind: 'not-defined' | 'not-linked' | 'taken-name'; readonly directive: string }
    | { readonly kind: 'versions'; readonly identity: string; readonly versions: readonly string[] }
    | { readonly kind: 'names'; readonly directive: string; readonly names: readonly Told[] }
    | {
        readonly kind: 'specifications'
        readonly directive: string
        readonly specifications: readonly Told[]
      }
  >(
    'A directive named by `@composeDirective` is not the same in all subgraphs',
    'Define it, link it from one specification in one major version, and import it under one name everywhere.',
    (facts, nameOf) => {
      switch (facts.kind) {
        case 'not-defined':
          return `@composeDirective names "@${facts.directive}", which is not defined here; add its definition.`
        case 'not-linked':
          return `@composeDirective names "@${facts.directive}", which no @link imports; link the specification that it is from.`
        case 'taken-name':
          return `The composed directive "@${facts.directive}" has the name of one that supergraphs have for themselves; import it under another name by "as".`
        case 'versions':
          return `"${facts.identity}", of which directives are composed, is linked in different major versions: ${facts.versions.join(', ')}. Link one of them everywhere.`
        case 'names':
          return `The composed directive "@${facts.directive}" has different names: ${toldBySubgraphs(facts.names, nameOf, (name) => `@${name}`)}. Import it under one name everywhere.`
        case 'specifications':
          return `The composed directive "@${facts.directive}" is of different specifications: ${toldBySubgraphs(facts.specifications, nameOf)}. Import it from one of them everywhere.`
        default:
          return facts satisfies never
      }
    },
  ),
}

/** How a definition differs from that of the specification. */
export type DefinitionProblem =
  | { readonly kind: 'missing-argument'; readonly argument: string }
  | { readonly kind: 'argument-type'; readonly argument: string; readonly expected: string }
  | { readonly kind: 'default'; readonly argument: string; readonly expected: string }
  | { readonly kind: 'locations'; readonly expected: readonly string[] }

function definitionProblemText(problem: DefinitionProblem): string {
  switch (problem.kind) {
    case 'missing-argument':
      return `the argument "${problem.argument}" is missing`
    case 'argument-type':
      return `the argument "${problem.argument}" has to be of type "${problem.expected}"`
    case 'default':
      return `the default of the argument "${problem.argument}" has to be ${problem.expected}`
    case 'locations':
      return `it has none of the locations ${problem.expected.join(', ')}`
    default:
      return problem satisfies never
  }
}
