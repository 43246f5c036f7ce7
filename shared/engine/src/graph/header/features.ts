/**
 * Which features a supergraph says it uses (https://specs.apollo.dev/link/v1.0, and
 * https://specs.apollo.dev/core/v0.2 before it), and under which local names. A feature may be given another
 * name with `as`, and its directives and types with `import`: nothing outside this file may assume how they
 * are spelt.
 */
import { type ConstDirectiveNode, type DocumentNode, Kind, visit } from 'graphql'
import { argumentOf, textArgument } from './directives.ts'
import { SupergraphError } from './supergraph-error.ts'

/** A specification that the supergraph links, with the names that it gives to its parts. */
export type Feature = {
  readonly url: string
  /** The last part of the URL that is no version: `join`. */
  readonly name: string
  /** `0.3`; '' where the URL has none. */
  readonly version: string
  readonly purpose: string | null
  /** The local name: the default prefix of what the feature defines. */
  readonly as: string
  /** Local names by names in the specification; those of directives begin with `@`, on both sides. */
  readonly imports: ReadonlyMap<string, string>
}

/** The local names of the directives and types that the compiler reads. */
export type FeatureNames = {
  readonly joinVersion: string
  /** Names of the directives that say who may see a field, of those that are applied to something. Sorted. */
  readonly accessRules: readonly AccessRule[]
  /** The same directives by their local names, also those that are not applied. */
  readonly accessDirectives: ReadonlyMap<string, AccessRule>
  readonly inaccessible: string
  /** Local names of `@cost` and `@listSize`; null where they are not linked. */
  readonly costDirectives: { readonly cost: string | null; readonly listSize: string | null }
  /** The local name of the directive that connects a root field to events; null if it is not linked. */
  readonly eventSources: string | null
  readonly join: {
    /** The enum of subgraphs. */
    readonly graphEnum: string
    readonly graph: string
    readonly owner: string
    readonly type: string
    readonly field: string
    readonly implements: string
    readonly unionMember: string
    readonly directive: string
  }
}

const JOIN_VERSIONS: ReadonlySet<string> = new Set(['0.1', '0.2', '0.3', '0.4', '0.5'])

/** Features that may be marked as necessary for security or execution. */
const KNOWN: ReadonlySet<string> = new Set([
  'link',
  'core',
  'join',
  'inaccessible',
  'tag',
  'authenticated',
  'requiresScopes',
  'policy',
  'cost',
  'context',
  'federation',
])

/**
 * A feature is known by its whole URL: one of somebody else may have the same name and mean another thing.
 */
const HOSTS = /^https:\/\/(specs|lib)\.apollo\.dev\//

/** The specification of our own that says which root fields are connected to events. */
const EVENT_SOURCES = 'https://switchyard.invalid/eventSources/v0.1'

/** Directives that say who may see a field. */
const ACCESS_RULES = ['authenticated', 'requiresScopes', 'policy'] as const
export type AccessRule = (typeof ACCESS_RULES)[number]

/** Every feature that is linked, in the order of the document, also those that the router does not know. */
function linkedFeatures(document: DocumentNode): readonly Feature[] {
  const applied = document.definitions.flatMap((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION
      ? (definition.directives ?? [])
      : [],
  )
  const read = applied.flatMap((directive) => readFeature(directive) ?? [])
  // The directive that links may be renamed itself: then it is the one that links its own specification by
  // that name.
  const linking = new Set(['link', 'core'])
  for (const { by, feature } of read)
    if ((feature.name === 'link' || feature.name === 'core') && feature.as === by) linking.add(by)
  return read.filter(({ by }) => linking.has(by)).map(({ feature }) => feature)
}

function readFeature(
  directive: ConstDirectiveNode,
): { readonly by: string; readonly feature: Feature } | null {
  const url = textArgument(directive, 'url') ?? textArgument(directive, 'feature')
  if (url === null) return null
  const { name, version } = specificationOf(url)
  const feature = {
    url,
    name,
    version,
    purpose: textArgument(directive, 'for'),
    as: textArgument(directive, 'as') ?? name,
    imports: readImports(directive),
  }
  return { by: directive.name.value, feature }
}

/** Name and version of a specification, by its URL. */
export function specificationOf(url: string): { readonly name: string; readonly version: string } {
  const segments = url.split('/').filter((segment) => segment !== '')
  const last = segments.at(-1) ?? ''
  const versioned = /^v\d+(\.\d+)*$/.test(last)
  return { name: (versioned ? segments.at(-2) : last) ?? '', version: versioned ? last.slice(1) : '' }
}

function readImports(directive: ConstDirectiveNode): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  const list = argumentOf(directive, 'import')
  for (const item of list?.kind === Kind.LIST ? list.values : []) {
    if (item.kind === Kind.STRING) imports.set(item.value, item.value)
    if (item.kind !== Kind.OBJECT) continue
    const read = (key: string) => {
      const value = item.fields.find((field) => field.name.value === key)?.value
      return value?.kind === Kind.STRING ? value.value : null
    }
    const name = read('name')
    if (name !== null) imports.set(name, read('as') ?? name)
  }
  return imports
}

/**
 * Throws a SupergraphError when the document is no supergraph, or one that cannot be served as its authors
 * mean it.
 */
export function readFeatureNames(document: DocumentNode): FeatureNames {
  const features = linkedFeatures(document)
  for (const { name, url, purpose } of features) {
    if (purpose === null || url === EVENT_SOURCES || (KNOWN.has(name) && HOSTS.test(url))) continue
    throw new SupergraphError(
      'SUPERGRAPH_UNSUPPORTED_FEATURE',
      `The supergraph needs the feature ${url} for ${purpose}, which this router does not have. Nothing was loaded; compose without it.`,
    )
  }
  const join = features.find(({ name }) => name === 'join')
  if (join === undefined)
    throw new SupergraphError(
      'SUPERGRAPH_INVALID',
      'The document does not link the join specification, so it is not a supergraph; expected the SDL that composition gives, not that of one subgraph.',
    )
  if (!JOIN_VERSIONS.has(join.version))
    throw new SupergraphError(
      'SUPERGRAPH_UNSUPPORTED_FEATURE',
      `The supergraph is written in ${join.url}, which this router does not read; expected join v0.1 to v0.5. Nothing was loaded.`,
    )
  const directive = (name: string) => directiveName(join, name)
  const inaccessible = features.find(({ name }) => name === 'inaccessible')
  const accessDirectives = findAccessDirectives(features)
  const events = features.find(({ url }) => url === EVENT_SOURCES)
  const costs = features.find((feature) => feature.name === 'cost' && HOSTS.test(feature.url))
  return {
    joinVersion: join.version,
    accessRules: appliedRules(document, accessDirectives),
    accessDirectives,
    inaccessible: inaccessible === undefined ? 'inaccessible' : directiveName(inaccessible, 'inaccessible'),
    costDirectives: {
      cost: costs === undefined ? null : directiveName(costs, 'cost'),
      listSize: costs === undefined ? null : directiveName(costs, 'listSize'),
    },
    eventSources: events === undefined ? null : directiveName(events, 'eventSources'),
    join: {
      graphEnum: join.imports.get('Graph') ?? `${join.as}__Graph`,
      graph: directive('graph'),
      owner: directive('owner'),
      type: directive('type'),
      field: directive('field'),
      implements: directive('implements'),
      unionMember: directive('unionMember'),
      directive: directive('directive'),
    },
  }
}

/** The directives that say who may see a field, by their local names. */
function findAccessDirectives(features: readonly Feature[]): ReadonlyMap<string, AccessRule> {
  return new Map(
    features.flatMap((feature) => {
      const rule = ACCESS_RULES.find((name) => name === feature.name)
      // Read as a URL: one that is only written in another way restricts the same.
      const isKnown = HOSTS.test(`https://${URL.parse(feature.url)?.host ?? ''}/`)
      return rule === undefined || !isKnown ? [] : [[directiveName(feature, rule), rule] as const]
    }),
  )
}

/** Composers link what subgraphs import, also where nothing is restricted by it. */
function appliedRules(
  document: DocumentNode,
  directives: ReadonlyMap<string, AccessRule>,
): readonly AccessRule[] {
  if (directives.size === 0) return []
  const applied = new Set<AccessRule>()
  visit(document, {
    Directive({ name }) {
      const rule = directives.get(name.value)
      if (rule !== undefined) applied.add(rule)
    },
  })
  return [...applied].sort()
}

/**
 * A feature's main directive has the name of the feature, the others are prefixed with it; imports rename
 * either.
 */
function directiveName(feature: Feature, name: string): string {
  const imported = feature.imports.get(`@${name}`)
  if (imported !== undefined) return imported.replace(/^@/, '')
  return name === feature.name ? feature.as : `${feature.as}__${name}`
}

/** The definitions that features brought into a document. Clients never see them. */
export type FeatureDefinitions = {
  readonly inaccessible: string
  /** Local names of directives. */
  readonly directives: ReadonlySet<string>
  /** Local names of types. */
  readonly types: ReadonlySet<string>
  /** Features own every name that begins with one of these. */
  readonly prefixes: readonly string[]
}

/** Whether a type is one of a specification, or of introspection. */
export function isOfFeature({ types, prefixes }: FeatureDefinitions, name: string): boolean {
  return name.startsWith('__') || types.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

/** Finds what linked specifications brought into a document. */
export function findFeatureDefinitions(document: DocumentNode): FeatureDefinitions {
  const features = linkedFeatures(document)
  const imported = features.flatMap(({ imports }) => [...imports.values()])
  const inaccessible = features.find(({ name }) => name === 'inaccessible')
  return {
    inaccessible: inaccessible === undefined ? 'inaccessible' : directiveName(inaccessible, 'inaccessible'),
    directives: new Set([
      'link',
      'join',
      'inaccessible',
      'tag',
      'core',
      ...features.map(({ as }) => as),
      ...imported.filter((name) => name.startsWith('@')).map((name) => name.slice(1)),
    ]),
    types: new Set(imported.filter((name) => !name.startsWith('@'))),
    prefixes: ['link__', 'join__', 'core__', ...features.map(({ as }) => `${as}__`)],
  }
}
