/** Errors between subgraphs: each says which of them disagree, and what each of them says. */
import { Kind } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { isKeyField } from '../subgraph/subgraph.ts'
import { membersOf, typeNodes } from '../documents/definitions.ts'
import { adviceOnForgottenKey, forgottenKey, placesOfForgottenKey } from './forgotten-keys.ts'
import { defaults, requiring } from './input-values.ts'
import type { Located } from './place.ts'
import {
  C,
  directives,
  firstName,
  having,
  isExternalAt,
  lacking,
  listed,
  marked,
  named,
  names,
  type Rule,
  type Scope,
  typeReferences,
} from './rule.ts'

/** The rules for messages about definitions that differ between subgraphs. */
export const MERGE_RULES: readonly Rule[] = [
  {
    code: 'FIELD_TYPE_MISMATCH',
    pattern: new RegExp(`^Type of field ${C}`),
    places: (scope, field = '') => typeReferences(scope, field),
  },
  {
    code: 'FIELD_ARGUMENT_TYPE_MISMATCH',
    pattern: new RegExp(`^Type of argument ${C}`),
    places: (scope, one = '') => typeReferences(scope, one),
  },
  {
    code: 'FIELD_ARGUMENT_DEFAULT_MISMATCH',
    pattern: new RegExp(`^Argument ${C}`),
    places: (scope, one = '') => defaults(scope, one),
  },
  {
    code: 'INPUT_FIELD_DEFAULT_MISMATCH',
    pattern: new RegExp(`^Input field ${C}`),
    places: (scope, one = '') => defaults(scope, one),
  },
  {
    code: 'EXTERNAL_TYPE_MISMATCH',
    pattern: new RegExp(`^Type of field ${C}`),
    places: (scope, field = '') => typeReferences(scope, field),
  },
  {
    code: 'EXTERNAL_ARGUMENT_MISSING',
    pattern: new RegExp(`^Field ${C} is missing argument ${C}`),
    places: (scope, field = '', one = '') => [
      ...names(scope, one, () => 'declared here'),
      ...firstName(
        lacking(scope, one).filter((subgraph) => isExternalAt(subgraph, field)),
        field,
        `no argument "${lastName(one)}" here`,
      ),
    ],
  },
  {
    code: 'EXTERNAL_MISSING_ON_BASE',
    pattern: new RegExp(`^Field ${C}`),
    places: (scope, field = '') => directives(scope, field, 'external'),
  },
  {
    code: 'EXTERNAL_MISSING_ON_BASE',
    pattern: new RegExp(`^Type ${C}`),
    places: (scope, type = '') => directives(scope, type, 'external'),
    message: (scope, type = '') =>
      `Type "${type}" is marked @external in all the subgraphs that have it: ${quoted(having(scope, type))}. One of them has to resolve it.`,
  },
  {
    code: 'TYPE_KIND_MISMATCH',
    pattern: new RegExp(`^Type ${C}`),
    places: (scope, type = '') => names(scope, type, ({ node }) => `${KINDS[node.kind] ?? node.kind} here`),
  },
  {
    code: 'EXTENSION_WITH_NO_BASE',
    pattern: new RegExp(`^\\[(.*?)\\] Type ${C}`),
    places: (scope, name, type = '') => names(named(scope, name), type),
  },
  {
    code: 'REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH',
    pattern: new RegExp(`^Argument "(([^"(]+)\\([^"]+)"`),
    places: (scope, one = '', field = '') => requiredAndMissing(scope, one, field, 'argument'),
  },
  {
    code: 'REQUIRED_INPUT_FIELD_MISSING_IN_SOME_SUBGRAPH',
    pattern: new RegExp(`^Input object field "(([^".]+)\\.[^"]+)"`),
    places: (scope, field = '', type = '') => requiredAndMissing(scope, field, type, 'field'),
  },
  {
    code: 'ENUM_VALUE_MISMATCH',
    pattern: new RegExp(`^Enum type ${C}.*? value ${C}`),
    places: (scope, type = '', value = '') => [
      ...names(scope, `${type}.${value}`, () => 'defined here'),
      ...firstName(lacking(scope, `${type}.${value}`), type, `no value "${value}" here`),
    ],
  },
  {
    code: 'EMPTY_MERGED_ENUM_TYPE',
    pattern: new RegExp(`enum type ${C}`),
    places: (scope, type = '') => withMembers(scope, type),
  },
  {
    code: 'EMPTY_MERGED_INPUT_TYPE',
    pattern: new RegExp(`input object type ${C}`),
    places: (scope, type = '') => withMembers(scope, type),
  },
  {
    code: 'INVALID_FIELD_SHARING',
    pattern: new RegExp(
      `^Non-shareable field ${C}(.*?resolved from subgraphs (.*) and defined as non-shareable.*)`,
    ),
    places: (scope, field = '', _told = '', list = '') => {
      const through = throughInterfaceObjects(list)
      const resolving = resolvingSubgraphs(scope, list)
      const shared = resolving.flatMap((one) => {
        const place = through.get(one.name) ?? field
        return firstName([one], place, sharingOf(one, place))
      })
      const forgotten = forgottenKey(resolving, field)
      return forgotten === null ? shared : [...shared, ...placesOfForgottenKey(forgotten)]
    },
    message: (scope, field = '', told = '', list = '') => {
      const forgotten = forgottenKey(resolvingSubgraphs(scope, list), field)
      const sentence = `Non-shareable field "${field}"${told}`
      return forgotten === null ? sentence : `${sentence}. ${adviceOnForgottenKey(forgotten)}`
    },
  },
  {
    code: 'INVALID_FIELD_SHARING',
    pattern: /^Fields on root level subscription/,
    places: (scope) =>
      sharedSubscriptions(scope).flatMap((field) => names(scope, field, () => 'resolved here')),
    message: (scope) =>
      `A subscription is resolved by one subgraph, which keeps the stream: ${sharedSubscriptions(scope)
        .map((field) => `"${field}" is in subgraphs ${quoted(having(scope, field))}`)
        .join('; ')}. Keep it in one of them.`,
  },
  {
    code: 'INTERFACE_FIELD_NO_IMPLEM',
    pattern: new RegExp(`^Interface field ${C}.*? but type ${C}, which implements ".*?" in subgraph ${C}`),
    places: (scope, field = '', type = '', name) => [
      ...names(scope, field, () => 'declared here'),
      ...firstName(named(scope, name), type, `no field "${lastName(field)}" here`),
    ],
  },
  {
    code: 'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
    pattern: new RegExp(`^\\[(.*?)\\] Interface type ${C}.* should define types? (.*) \\(and have`),
    places: (scope, name, type = '', missing = '') => [
      ...directives(named(scope, name), type, 'key'),
      ...[...missing.matchAll(/"([^"]*)"/g)].flatMap(([, implementation = '']) =>
        scope
          .filter(({ subgraph }) => subgraph.types.get(implementation)?.interfaces.has(type) === true)
          .flatMap((one) => firstName([one], implementation, `implements "${type}" here`)),
      ),
    ],
  },
  {
    code: 'INTERFACE_OBJECT_USAGE_ERROR',
    pattern: new RegExp(`^Type ${C} is declared with @interfaceObject in all`),
    places: (scope, type = '') => directives(scope, type, 'interfaceObject'),
    message: (scope, type = '') =>
      `Type "${type}" is declared with @interfaceObject in all the subgraphs that have it: ${quoted(having(scope, type))}. One of them has to define the interface itself.`,
  },
  {
    code: 'INVALID_GRAPHQL',
    pattern:
      /^Interface field (\w+\.\w+) expects type \S+ but (\w+\.\w+) of type \S+ is not a proper subtype/,
    places: (scope, one = '', other = '') => [...typeReferences(scope, one), ...typeReferences(scope, other)],
  },
]

const KINDS: Readonly<Record<string, string>> = {
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.SCALAR_TYPE_EXTENSION]: 'scalar',
  [Kind.OBJECT_TYPE_DEFINITION]: 'object type',
  [Kind.OBJECT_TYPE_EXTENSION]: 'object type',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.INTERFACE_TYPE_EXTENSION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.UNION_TYPE_EXTENSION]: 'union',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.ENUM_TYPE_EXTENSION]: 'enum',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input type',
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: 'input type',
}

/** Returns the subgraphs in a list such as `"a", "b" (through @interfaceObject field "I.x") and "c"`. */
function resolvingSubgraphs(scope: Scope, list: string): Scope {
  return listed(scope, list.replaceAll(/ \(through [^)]*\)/g, ''))
}

/** Tells whether a subgraph shares a field. */
function sharingOf(one: Located, place: string): string {
  const [typeName = '', field = ''] = place.split('.')
  const type = one.subgraph.types.get(typeName)
  if (type !== undefined && isKeyField(one.subgraph, type, field)) return 'part of a @key here'
  const isShareable = [place, typeName].some((name) => marked([one], name, 'shareable').length > 0)
  return isShareable ? '@shareable here' : 'not @shareable here'
}

/** Reads from the same list the fields of interface objects, by the subgraph that resolves them. */
function throughInterfaceObjects(list: string): ReadonlyMap<string, string> {
  const found = list.matchAll(/"([^"]*)" \(through @interfaceObject field "([^"]*)"\)/g)
  return new Map([...found].map(([, name = '', field = '']) => [name, field]))
}

function sharedSubscriptions(scope: Scope): readonly string[] {
  const fields = scope.flatMap(({ subgraph }) => [
    ...(subgraph.types.get('Subscription')?.fields.keys() ?? []),
  ])
  return [...new Set(fields)]
    .map((field) => `Subscription.${field}`)
    .filter((field) => having(scope, field).length > 1)
}

function requiredAndMissing(
  scope: Scope,
  place: string,
  parent: string,
  what: string,
): readonly SdlLocation[] {
  return [
    ...scope.flatMap((one) => requiring(one, place)),
    ...firstName(lacking(having(scope, parent), place), parent, `no ${what} "${lastName(place)}" here`),
  ]
}

function withMembers(scope: Scope, type: string): readonly SdlLocation[] {
  return scope.flatMap((one) => {
    const members = typeNodes(one.subgraph.document, type).flatMap((node) => membersOf(node))
    const shown = members.slice(0, 5).map(({ name }) => name.value)
    return firstName([one], type, `${shown.join(', ')}${members.length > 5 ? ', …' : ''} here`)
  })
}

function quoted(scope: Scope): string {
  return scope.map(({ name }) => `"${name}"`).join(', ')
}

/** `limit` of `Query.x(limit:)`, `x` of `Query.x`. */
function lastName(place: string): string {
  return /(\w+):?\)?$/.exec(place)?.[1] ?? place
}
