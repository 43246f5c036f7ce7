/** Which definition a directive has in a subgraph: its own, that of a specification, or that of GraphQL. */
import { DirectiveLocation, Kind, specifiedDirectives } from 'graphql'
import type {
  ConstDirectiveNode,
  DirectiveDefinitionNode,
  DocumentNode,
  InputValueDefinitionNode,
} from 'graphql'
import { schemaDirectives, linkedSpecification } from '../../directives/specified-directives.ts'
import { isAboutEvents } from '../../events/event-directives.ts'
import { reasonToRefuse, reasonWithoutEffect } from '../../directives/unsupported-directives.ts'
import {
  federationDirective,
  isFederationDirective,
  LINK_DEFINITION,
} from '../../federation/directive-definitions.ts'
import { argument, federationDirectiveName, readImports } from '../../federation/federation-link.ts'
import { isOfOtherFederation } from './other-federation.ts'
import { FEDERATION_VERSIONS, linkedVersion } from '../../federation/federation-versions.ts'
import { definitionProblem } from './definition-problem.ts'
import type { Names } from '../../model/names.ts'

/** A definition as applications are checked against it. */
export type KnownDirective = {
  readonly node: DirectiveDefinitionNode | null
  readonly locations: ReadonlySet<string>
  /** The arguments by name; null if they are not checked. */
  readonly arguments: ReadonlyMap<string, InputValueDefinitionNode> | null
  readonly isRepeatable: boolean
  /** The name in the federation specification; null for all other directives. */
  readonly federation: string | null
}

/** The meaning of a name of a directive. */
export type Lookup =
  | { readonly kind: 'known'; readonly directive: KnownDirective }
  /** A later version of the federation specification has it. */
  | { readonly kind: 'not-in-version' }
  | { readonly kind: 'unknown' }
  /** Another rule reports it, or nothing hangs on it. */
  | { readonly kind: 'passed-over' }

const NEWEST_MINOR = FEDERATION_VERSIONS.length - 1
const PASSED_OVER = { kind: 'passed-over' } as const
const UNKNOWN = { kind: 'unknown' } as const

/** Returns a function that looks a directive up by its name in the document. */
export function readKnownDirectives(document: DocumentNode, names: Names): (used: string) => Lookup {
  const own = new Map<string, DirectiveDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.DIRECTIVE_DEFINITION && !own.has(node.name.value)) own.set(node.name.value, node)
  const defined = new Set(own.keys())
  const applied = schemaDirectives(document)
  const foreign = importsFromOthers(applied, defined)
  const isLinking =
    (names.link !== null && linkedVersion(names.link) !== 'v1.0') ||
    applied.some((node) => linksLink(node) || linksOtherFederation(node, defined))
  const known = new Map<string, Lookup>()
  return (used) => {
    let found = known.get(used)
    if (found === undefined) {
      found = foreign.has(used) && !own.has(used) ? PASSED_OVER : lookUp(used, { names, own, isLinking })
      known.set(used, found)
    }
    return found
  }
}

/** True for a `@link` to the specification of links itself. */
function linksLink(node: Parameters<typeof linkedSpecification>[0]): boolean {
  return linkedSpecification(node) === 'link'
}

/** True for a link that is reported as such: what it brings is not reported again. */
function linksOtherFederation(node: ConstDirectiveNode, defined: ReadonlySet<string>): boolean {
  const url = node.name.value === 'link' ? argument(node, 'url') : undefined
  return url?.kind === Kind.STRING && isOfOtherFederation(node, url.value, defined)
}

function importsFromOthers(
  applied: readonly ConstDirectiveNode[],
  defined: ReadonlySet<string>,
): ReadonlySet<string> {
  const names = applied
    .filter((node) => linksOtherFederation(node, defined))
    .flatMap((node) => [...readImports(argument(node, 'import')).keys()])
  return new Set(names)
}

type Context = {
  readonly names: Names
  readonly own: ReadonlyMap<string, DirectiveDefinitionNode>
  readonly isLinking: boolean
}

function lookUp(used: string, { names, own, isLinking }: Context): Lookup {
  const specified = names.directive(used)
  if (specified !== null && (reasonToRefuse(specified) ?? reasonWithoutEffect(specified)) !== null)
    return PASSED_OVER
  if (isAboutEvents(used)) return { kind: 'known', directive: OF_EVENTS }
  const defined = own.get(used)
  if (specified?.specification === 'federation') return ofFederation(used, specified.name, names, defined)
  if (defined !== undefined) return { kind: 'known', directive: fromNode(defined, null) }
  if (used === 'link' && isLinking && LINK_DEFINITION !== undefined)
    return { kind: 'known', directive: fromNode(LINK_DEFINITION, null) }
  return BUILT_IN.get(used) ?? UNKNOWN
}

function ofFederation(
  used: string,
  name: string,
  names: Names,
  defined: DirectiveDefinitionNode | undefined,
): Lookup {
  const node = federationDirective(name, minorFor(used, name, names))
  if (node !== null) {
    const isValid = defined !== undefined && definitionProblem(defined, node, names) === null
    if (!isValid) return { kind: 'known', directive: fromNode(node, name) }
    // A tag on the schema has no effect, and nobody ever asked for a definition that allows it.
    const schema = names.link === null ? [] : node.locations.filter(({ value }) => value === 'SCHEMA')
    return {
      kind: 'known',
      directive: fromNode({ ...defined, locations: [...defined.locations, ...schema] }, name),
    }
  }
  // The import is reported, or stands for a type.
  if (names.link?.imports.has(used) === true) return PASSED_OVER
  if (isFederationDirective(name)) return { kind: 'not-in-version' }
  return defined === undefined ? UNKNOWN : { kind: 'known', directive: fromNode(defined, null) }
}

/** A specification of its own brings a directive in any version of federation. */
export function minorFor(used: string, name: string, names: Names): number | null {
  if (names.link === null) return federationDirective(name, null) === null ? NEWEST_MINOR : null
  if (federationDirectiveName(names.link, used) === null) return NEWEST_MINOR
  return names.minor ?? (linkedVersion(names.link) === 'v1.0' ? null : NEWEST_MINOR)
}

function fromNode(node: DirectiveDefinitionNode, federation: string | null): KnownDirective {
  return {
    node,
    locations: new Set(node.locations.map(({ value }) => value)),
    arguments: new Map((node.arguments ?? []).map((one) => [one.name.value, one])),
    isRepeatable: node.repeatable,
    federation,
  }
}

/** Their arguments have rules of their own, which say more. */
const OF_EVENTS: KnownDirective = {
  node: null,
  locations: new Set<string>([DirectiveLocation.FIELD_DEFINITION]),
  arguments: null,
  isRepeatable: false,
  federation: null,
}

/** The directives of GraphQL itself. Their arguments are not checked, as they never were. */
const BUILT_IN: ReadonlyMap<string, Lookup> = new Map(
  specifiedDirectives.map(({ name, locations }): [string, Lookup] => [
    name,
    {
      kind: 'known',
      directive: {
        node: null,
        locations: new Set<string>(locations),
        arguments: null,
        isRepeatable: true,
        federation: null,
      },
    },
  ]),
)
