/**
 * Errors between subgraphs about directives: how they are imported, composed, combined, and what they are
 * applied to.
 */
import { imports, links, urlOf } from './links.ts'
import { at } from './place.ts'
import { C, directives, marked, named, names, type Rule } from './rule.ts'

/** The rules for messages about directives. The first rule that fits a message is the one that is used. */
export const DIRECTIVE_RULES: readonly Rule[] = [
  {
    code: 'LINK_IMPORT_NAME_MISMATCH',
    pattern: new RegExp(`^The import name ${C}`),
    places: (scope, name = '') => scope.flatMap((one) => imports(one, name)),
  },
  {
    code: 'LIST_SIZE_INVALID_SLICING_ARGUMENT',
    pattern: new RegExp(`on field ${C} were disregarded`),
    places: (scope, field = '') => directives(scope, field, 'listSize'),
  },
  {
    code: 'OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE',
    pattern: new RegExp(
      `on field ${C} on subgraph ${C} since ".*?" on ${C} is marked with directive "@(\\w+)"`,
    ),
    places: (scope, field = '', name, other, directive = '') => [
      ...directives(named(scope, name), field, 'override'),
      ...directives(named(scope, other), field, directive),
    ],
  },
  {
    code: 'OVERRIDE_SOURCE_HAS_OVERRIDE',
    pattern: new RegExp(
      `^Field ${C} on subgraph ${C} is also marked with directive @override in subgraph ${C}`,
    ),
    places: (scope, field = '', name, other) =>
      directives([...named(scope, name), ...named(scope, other)], field, 'override'),
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    pattern: new RegExp(`^Core feature ${C}`),
    places: (scope, identity = '') =>
      scope.flatMap((one) =>
        links(one)
          .filter((node) => urlOf(node)?.startsWith(identity) === true)
          .flatMap((node) => at(one, node)),
      ),
  },
  {
    code: 'DIRECTIVE_COMPOSITION_ERROR',
    pattern: /^Composed directive "@?(\w+)"/,
    places: (scope, name = '') =>
      scope.flatMap((one) => {
        const imported = imports(one, `@${name}`)
        return imported.length > 0 ? imported : names([one], `@${name}`)
      }),
  },
  {
    code: 'INVALID_GRAPHQL',
    pattern: /^Directive "(@\w+)" has no shared locations/,
    places: (scope, directive = '') => names(scope, directive, ({ node }) => locationsOf(node)),
  },
  {
    code: 'MISSING_TRANSITIVE_AUTH_REQUIREMENTS',
    pattern: new RegExp(`^\\[(.*?)\\] Field ${C}.* transitive \\w+ ${C}`),
    places: (scope, name, field = '', required = '') => [
      ...directives(named(scope, name), field, 'requires'),
      ...scope.flatMap((one) =>
        ['authenticated', 'requiresScopes', 'policy'].flatMap((directive) =>
          directives(marked([one], required, directive), required, directive),
        ),
      ),
    ],
  },
]

function locationsOf(node: {
  readonly kind: string
  readonly locations?: readonly { readonly value: string }[]
}): string {
  return `on ${(node.locations ?? []).map(({ value }) => value).join(' | ')} here`
}
