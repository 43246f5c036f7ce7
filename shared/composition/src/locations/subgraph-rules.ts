/**
 * Errors within one subgraph, of the validation that comes before merging. The scope is that one subgraph.
 */
import { Kind, print } from 'graphql'
import type { ConstDirectiveNode } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { argument } from '../federation/federation-link.ts'
import { parseCoordinate } from '../documents/definitions.ts'
import { INVALID_GRAPHQL_RULES } from './invalid-graphql-rules.ts'
import { placesInFieldSet, type SelectionTarget } from './field-set-places.ts'
import { imports, links, urlOf } from './links.ts'
import { at, type Located } from './place.ts'
import { C, applications, directives, firstName, names, nodesAt, type Rule, type Scope } from './rule.ts'
import { baseName } from '../subgraph/type-references.ts'

const FIELD_SETS = [
  'KEY_FIELDS_HAS_ARGS',
  'KEY_FIELDS_SELECT_INVALID_TYPE',
  'KEY_INVALID_FIELDS',
  'KEY_INVALID_FIELDS_TYPE',
  'KEY_DIRECTIVE_IN_FIELDS_ARG',
  'PROVIDES_FIELDS_HAS_ARGS',
  'PROVIDES_FIELDS_MISSING_EXTERNAL',
  'PROVIDES_INVALID_FIELDS',
  'PROVIDES_INVALID_FIELDS_TYPE',
  'PROVIDES_DIRECTIVE_IN_FIELDS_ARG',
  'REQUIRES_FIELDS_MISSING_EXTERNAL',
  'REQUIRES_INVALID_FIELDS',
  'REQUIRES_INVALID_FIELDS_TYPE',
  'REQUIRES_DIRECTIVE_IN_FIELDS_ARG',
]

const LIST_SIZE_VALUES = [
  'LIST_SIZE_INVALID_ASSUMED_SIZE',
  'LIST_SIZE_INVALID_REQUIRE_ONE_SLICING_ARGUMENT',
  'LIST_SIZE_INVALID_SIZED_FIELD',
  'LIST_SIZE_INVALID_SLICING_ARGUMENT',
]
const LIST_SIZE_FIELDS = [
  'LIST_SIZE_APPLIED_TO_NON_LIST',
  'LIST_SIZE_INVALID_ASSUMED_SIZE',
  'LIST_SIZE_INVALID_SIZED_FIELD',
  'LIST_SIZE_INVALID_SLICING_ARGUMENT',
]

/** The rules for messages about one subgraph. */
export const SUBGRAPH_RULES: readonly Rule[] = [
  ...INVALID_GRAPHQL_RULES,
  ...FIELD_SETS.map(
    (code): Rule => ({
      code,
      pattern: new RegExp(
        `^On (?:type|field) ${C}, for @(\\w+)\\(fields: ([^]*?)\\): ((?:[Ff]ield|Cannot|cannot|Invalid|Unknown|Syntax)[^]*)$`,
      ),
      places: fieldSetPlaces,
    }),
  ),
  {
    code: 'INTERFACE_KEY_NOT_ON_IMPLEMENTATION',
    pattern: new RegExp(
      `^Key @key\\(fields: ([^]*)\\) on interface type ${C} is missing on implementation type ${C}`,
    ),
    places: (scope, fields = '', type = '', implementation = '') => [
      ...scope.flatMap((one) =>
        keysOf(one, type)
          .filter((key) => printedFields(key) === withoutSpace(fields))
          .flatMap((key) => at(one, key)),
      ),
      ...firstName(scope, implementation, 'no such @key here'),
    ],
  },
  {
    code: 'MERGED_DIRECTIVE_APPLICATION_ON_EXTERNAL',
    pattern: new RegExp(`^Cannot apply merged directive @(\\w+)[^]* to external field ${C}$`),
    places: (scope, directive = '', field = '') => directives(scope, field, directive),
  },
  ...['ROOT_QUERY_USED', 'ROOT_MUTATION_USED', 'ROOT_SUBSCRIPTION_USED'].map(
    (code): Rule => ({
      code,
      pattern: new RegExp(`^The schema has a type named ${C}`),
      places: (scope, type = '') => names(scope, type),
    }),
  ),
  {
    code: 'EXTERNAL_UNUSED',
    pattern: new RegExp(`^Field ${C}`),
    places: (scope, field = '') => directives(scope, field, 'external'),
  },
  {
    code: 'AUTH_REQUIREMENTS_APPLIED_ON_INTERFACE',
    pattern: new RegExp(`^Invalid use of @(\\w+) on [a-z ]+ ${C}`),
    places: (scope, directive = '', place = '') => directives(scope, place, directive),
  },
  {
    code: 'COST_APPLIED_TO_INTERFACE_FIELD',
    pattern: new RegExp(`interface ${C}(?: argument ${C})?`),
    places: (scope, field = '', one = '') =>
      directives(scope, one === '' ? field : `${field}(${one}:)`, 'cost'),
  },
  ...LIST_SIZE_VALUES.map(
    (code): Rule => ({
      code,
      pattern: /^The value of @listSize\((\w+):\)/,
      places: (scope, name = '') =>
        scope.flatMap((one) =>
          applications(one.subgraph, 'listSize')
            .filter((node) => hasWrongKind(node, name))
            .flatMap((node) =>
              at(
                one,
                node.arguments?.find((given) => given.name.value === name),
              ),
            ),
        ),
    }),
  ),
  ...LIST_SIZE_FIELDS.map(
    (code): Rule => ({
      code,
      pattern: /^"?(\w+\.\w+)"?/,
      places: (scope, field = '') => directives(scope, field, 'listSize'),
    }),
  ),
  {
    code: 'OVERRIDE_LABEL_INVALID',
    pattern: new RegExp(`on field ${C}`),
    places: (scope, field = '') => directives(scope, field, 'override'),
  },
  {
    code: 'OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE',
    pattern: new RegExp(`on field ${C}.* is marked with directive "@(\\w+)"`),
    places: (scope, field = '', other = '') => [
      ...directives(scope, field, 'override'),
      ...directives(scope, field, other),
    ],
  },
  {
    code: 'INTERFACE_OBJECT_USAGE_ERROR',
    pattern: new RegExp(`but type ${C} has no @key`),
    places: (scope, type = '') => directives(scope, type, 'interfaceObject'),
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    pattern: /^Directive "@?(\w+)" in subgraph/,
    places: (scope, name = '') =>
      applicationsWhere(scope, 'composeDirective', (node) => valueOf(node, 'name') === `@${name}`),
  },
  {
    code: 'INVALID_LINK_DIRECTIVE_USAGE',
    pattern: /^Duplicate inclusion of feature (\S+)/,
    places: (scope, identity = '') => linksWhere(scope, (url) => url.startsWith(identity)),
  },
  {
    code: 'INVALID_LINK_DIRECTIVE_USAGE',
    pattern: new RegExp(`^Cannot import unknown element ${C}`),
    places: (scope, element = '') =>
      isImported(scope, element)
        ? scope.flatMap((one) => imports(one, element))
        : applicationsWhere(scope, element.slice(1), () => true),
    message: (scope, element = '') =>
      isImported(scope, element)
        ? `[${scope[0]?.name ?? ''}] "${element}" is imported, but the linked specification has no such element in this version.`
        : `[${scope[0]?.name ?? ''}] ${element} is used, but the federation version that this subgraph links does not have it yet. Link a newer version.`,
  },
  {
    code: 'INVALID_LINK_IDENTIFIER',
    pattern: /^Invalid @link url '([^']*)'/,
    places: (scope, identity = '') => linksWhere(scope, (url) => url.startsWith(identity)),
  },
  {
    code: 'INVALID_LINK_IDENTIFIER',
    pattern: /^(?:Expected a version string|Missing version)/,
    places: (scope) => linksWhere(scope, (url) => !/\/v\d+\.\d+\/?$/.test(url)),
  },
  ...['UNKNOWN_FEDERATION_LINK_VERSION', 'UNKNOWN_LINK_VERSION'].map(
    (code): Rule => ({
      code,
      pattern: /version (v?[\d.]+)/,
      places: (scope, version = '') => linksWhere(scope, (url) => url.includes(`/${version}`)),
    }),
  ),
]

function isImported(scope: Scope, element: string): boolean {
  return scope.some((one) => imports(one, element).length > 0)
}

function fieldSetPlaces(
  scope: Scope,
  place = '',
  directive = '',
  fields = '',
  trouble = '',
): readonly SdlLocation[] {
  const coordinate = parseCoordinate(place)
  if (coordinate === null) return []
  return scope.flatMap((one) => {
    const { subgraph } = one
    return nodesAt(one, place).flatMap(({ node }) => {
      const outer = directive === 'provides' && 'type' in node ? baseName(node.type) : coordinate.type
      const applied = 'directives' in node ? (node.directives ?? []) : []
      return applied
        .filter(({ name }) => name.value === directive)
        .filter((application) => printedFields(application) === withoutSpace(fields))
        .flatMap((application) => placesInFieldSet(subgraph, application, outer, targetOf(trouble)))
    })
  })
}

function targetOf(trouble: string): SelectionTarget | null {
  const [, missing, on] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(trouble) ?? []
  if (missing !== undefined && on !== undefined) return { kind: 'field', type: on, field: missing }
  const [, type, field] = /[Ff]ield "?(\w+)\.(\w+)/.exec(trouble) ?? []
  if (type !== undefined && field !== undefined) return { kind: 'field', type, field }
  const [, name] = /@(\w+)"?\.?(?: in selection)?$/.exec(trouble) ?? []
  return name === undefined ? null : { kind: 'directive', name }
}

/**
 * Prints fields as the library does in its messages. It indents block strings its own way, so white space is
 * removed.
 */
function printedFields(directive: ConstDirectiveNode): string | null {
  const fields = argument(directive, 'fields')
  return fields === undefined ? null : withoutSpace(print(fields))
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, '')
}

function keysOf(one: Located, type: string): readonly ConstDirectiveNode[] {
  return nodesAt(one, type).flatMap(({ node }) =>
    ('directives' in node ? (node.directives ?? []) : []).filter(({ name }) => name.value === 'key'),
  )
}

function applicationsWhere(
  scope: Scope,
  directive: string,
  isMeant: (node: ConstDirectiveNode) => boolean,
): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    applications(one.subgraph, directive)
      .filter(isMeant)
      .flatMap((node) => at(one, node)),
  )
}

function valueOf(node: ConstDirectiveNode, name: string): string | null {
  const value = argument(node, name)
  return value !== undefined && 'value' in value ? String(value.value) : null
}

function hasWrongKind(node: ConstDirectiveNode, name: string): boolean {
  const value = argument(node, name)
  if (value === undefined || value.kind === Kind.NULL) return false
  if (name === 'assumedSize') return value.kind !== Kind.INT
  if (name === 'requireOneSlicingArgument') return value.kind !== Kind.BOOLEAN
  return value.kind !== Kind.LIST || value.values.some(({ kind }) => kind !== Kind.STRING)
}

function linksWhere(scope: Scope, isMeant: (url: string) => boolean): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    links(one)
      .filter((node) => isMeant(urlOf(node) ?? ''))
      .flatMap((node) => at(one, argument(node, 'url') ?? node)),
  )
}
