/** Errors of ours alone. */
import { isRefusedByGraphql } from '../graphql-judge.ts'
import { hasPlan } from '../planned.ts'
import { fieldsOf, hasDirective, isHidden, isExtension, isFederation2 } from '../schemas.ts'
import { readFacts } from '../supergraph-facts.ts'
import type { ErrorStatement, Explanation } from './explanation.ts'
import { phaseOf, theirLastPhase } from './phases.ts'

/** A rule that the library does not have, by the code and a part of the message. */
function rule(
  name: string,
  why: string,
  code: string | readonly string[],
  says: RegExp,
): Explanation<ErrorStatement> {
  return {
    name,
    why,
    explains: (statement) => [code].flat().includes(statement.code) && says.test(statement.message),
  }
}

export const OWN_ERRORS: readonly Explanation<ErrorStatement>[] = [
  {
    name: 'the library ends with the phase before',
    why: 'Each composer ends with the phase in which it finds a mistake, and the library finds one in a phase before that of this error.',
    explains: (statement, difference) =>
      difference.theirs.kind === 'failed' && phaseOf(statement) > theirLastPhase(difference),
  },
  {
    name: 'a rule of GraphQL',
    why: 'graphql-js refuses the schema of this subgraph as well.',
    explains: ({ code, subgraph }, { sdls }) =>
      code === 'INVALID_GRAPHQL' && subgraph !== null && isRefusedByGraphql(sdls[subgraph] ?? ''),
  },
  rule(
    'what no router runs',
    'Contexts and connectors are not run by the router, and whoever relies on them learns it here.',
    'UNSUPPORTED_DIRECTIVE',
    /is not supported/,
  ),
  rule(
    'a rule of access where no router enforces it',
    'A rule of who may see something would be lost, and everybody see it.',
    'AUTHORIZATION_NOT_COMPOSED',
    /is enforced by no router/,
  ),
  rule(
    'a rule of access that nobody can meet',
    'The author wants a rule and names nobody. The library leaves the rule out, and everybody sees the field.',
    'INVALID_GRAPHQL',
    /names no (?:scopes|policies) that somebody could have/,
  ),
  rule(
    'a name that supergraphs have for themselves',
    'Routers take such a type or directive for a part of a specification, and clients do not see it.',
    ['INVALID_GRAPHQL', 'DIRECTIVE_COMPOSITION_ERROR'],
    /begins as the (?:names that supergraphs have|types of a specification)|has the name of one that supergraphs have/,
  ),
  rule(
    'an external field of an interface',
    'The specification refuses it; the library takes it where the field is part of something that is provided.',
    'EXTERNAL_ON_INTERFACE',
    /./,
  ),
  rule(
    'overrides in a circle',
    'Nobody is left to resolve the field.',
    'OVERRIDE_SOURCE_HAS_OVERRIDE',
    /one from another/,
  ),
  rule(
    'two overrides of one field',
    'Two subgraphs resolve the field, and not both mark it @shareable.',
    'INVALID_FIELD_SHARING',
    /both take over/,
  ),
  rule(
    'a key of a union or interface',
    'Keys select objects and leaf values only. The library looks at interfaces alone, and not below a fragment.',
    'KEY_FIELDS_SELECT_INVALID_TYPE',
    /./,
  ),
  rule(
    'a key of an interface, without interface objects',
    'A subgraph that takes an interface by its key has to know all its types, also if nobody has an interface object of it.',
    'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE',
    /./,
  ),
  rule(
    'an interface that implements an interface object',
    'Its fields would be missing in the interface; newer composers refuse it.',
    'INTERFACE_OBJECT_USAGE_ERROR',
    /implements ".*", which is an @interfaceObject elsewhere/,
  ),
  rule(
    'a fragment on a type that nobody defines',
    'No router can read such a selection.',
    ['KEY_INVALID_FIELDS', 'REQUIRES_INVALID_FIELDS', 'PROVIDES_INVALID_FIELDS'],
    /has a fragment on/,
  ),
  {
    name: 'lists of different depth',
    why: 'A list of lists and a list are no types of one field. The library compares the named types alone.',
    explains: ({ code, message }) => {
      const depths = [...message.matchAll(/(?<=with type )"([[\]!\w]+)"|"([[\]!\w]+)" in subgraph/g)].map(
        ([type]) => type.split('[').length,
      )
      return ['FIELD_TYPE_MISMATCH', 'EXTERNAL_TYPE_MISMATCH'].includes(code) && new Set(depths).size > 1
    },
  },
  rule(
    'a union of hidden members, or an enum of hidden values',
    'Clients would see a union without members, or an enum without values.',
    'ONLY_INACCESSIBLE_CHILDREN',
    /all its (?:members|values) are/,
  ),
  {
    name: 'the supergraph of the library is no schema',
    why: 'graphql-js refuses what the library makes of the graph.',
    explains: (_, { theirs }) => theirs.kind === 'composed' && isRefusedByGraphql(theirs.supergraphSdl),
  },
  {
    name: 'no router can plan it',
    why: 'The planner of the engine has no plan for the operation of the error in the supergraph of the library, such as back into a subgraph whose key is not resolvable.',
    explains: ({ code, message }, { ours, theirs }) => {
      if (code !== 'SATISFIABILITY_ERROR' || ours.kind !== 'failed' || theirs.kind !== 'composed')
        return false
      // A key that selects nothing of an object is a hint of its own, and nobody can fetch it.
      if (ours.hints.some((hint) => hint.code === 'KEY_INVALID_FIELDS')) return true
      const operation = ours.errors.find((one) => one.message === message)?.operation
      return operation !== undefined && !hasPlan(theirs.supergraphSdl, operation)
    },
  },
  {
    name: 'an external field of Federation 1 that the library takes as resolved',
    why: 'A subgraph of Federation 1 that extends a type resolves the fields of its keys alone. The library plans to get the field there, and the subgraph has no resolver for it.',
    explains: ({ code, message }, { sdls, theirs }) => {
      if (code !== 'SATISFIABILITY_ERROR' || theirs.kind !== 'composed') return false
      const facts = readFacts(theirs.supergraphSdl)
      const fields = [...message.matchAll(/"(\w+\.\w+)"/g)].map(([, field = '']) => field)
      return Object.entries(sdls).some(
        ([name, sdl]) =>
          !isFederation2(sdl) &&
          fields.some(
            (field) =>
              isExtension(sdls, name, field.split('.')[0] ?? '') &&
              hasDirective(fieldsOf(sdls, name, field), 'external') &&
              facts.includes(`${field} @${name}`),
          ),
      )
    },
  },
  rule(
    'no definitions of types',
    'An operation is no part of a schema. The library passes over it.',
    'INVALID_GRAPHQL',
    /this is an executable definition/,
  ),
  rule(
    'a directive under both its names',
    '`@shareable` and `@federation__shareable` are one directive, which is not repeatable.',
    'INVALID_GRAPHQL',
    /is applied to .* more than once/,
  ),
  rule(
    'a selection below a leaf',
    'No router can read such a selection.',
    ['KEY_INVALID_FIELDS', 'REQUIRES_INVALID_FIELDS', 'PROVIDES_INVALID_FIELDS'],
    /selects fields below/,
  ),
  rule(
    'a hidden root in an extension',
    'Clients need the query root, however it is defined. The library looks at definitions alone.',
    'QUERY_ROOT_TYPE_INACCESSIBLE',
    /./,
  ),
  rule(
    'a type of three kinds',
    'The library compares no further kind where one subgraph has an interface object.',
    'TYPE_KIND_MISMATCH',
    /interface object in/,
  ),
  {
    name: 'a key field of an extension',
    why: 'The extension resolves its key, and another subgraph that resolves the field has to share it.',
    explains: ({ code, message }, { sdls }) => {
      const [, field = ''] = /^Field "([^"]+)" is resolved by/.exec(message) ?? []
      return (
        code === 'INVALID_FIELD_SHARING' &&
        Object.entries(sdls).some(
          ([name, sdl]) =>
            (!isFederation2(sdl) || isExtension(sdls, name, field.split('.')[0] ?? '')) &&
            hasDirective(fieldsOf(sdls, name, field), 'external'),
        )
      )
    },
  },
  {
    name: 'types of which none is part of the other',
    why: 'A type that may be null and a narrower one that may not are no types of one field: GraphQL has no type for both. The library compares nullability and names apart.',
    explains: ({ code, message }) => {
      const types = [...message.matchAll(/"([[\]!\w]+)" in subgraph/g)].map(([, type = '']) => type)
      return (
        code === 'FIELD_TYPE_MISMATCH' &&
        new Set(types.map((type) => type.replaceAll(/[[\]!]/g, ''))).size > 1 &&
        new Set(types.map((type) => type.endsWith('!'))).size > 1
      )
    },
  },
  {
    name: 'told beside other mistakes',
    why: 'Some rules of the library need what the rules before them did not accept, and say nothing then.',
    explains: ({ code, message }, { theirs }) =>
      theirs.kind === 'failed' &&
      (message.includes(', which it implements, is of type') ||
        [
          'MISSING_TRANSITIVE_AUTH_REQUIREMENTS',
          'ENUM_VALUE_MISMATCH',
          'INTERFACE_FIELD_NO_IMPLEM',
          'INVALID_FIELD_SHARING',
          'EXTERNAL_UNUSED',
          'EXTERNAL_MISSING_ON_BASE',
          'UNKNOWN_FEDERATION_LINK_VERSION',
        ].includes(code)),
  },
  {
    name: 'another override of one mistake',
    why: 'A label and a source can both be wrong. The library tells the first alone.',
    explains: ({ code }, { theirs }) =>
      code === 'OVERRIDE_FROM_SELF_ERROR' &&
      theirs.kind === 'failed' &&
      theirs.errors.some((one) => one.code.startsWith('OVERRIDE_')),
  },
  rule(
    'a query root that is an interface object',
    'It is no object type in the supergraph.',
    'INVALID_GRAPHQL',
    /is the query root and no object type/,
  ),
  rule(
    'a specification of composite schemas',
    'We name the specification that the links are of. The library looks at versions and names alone.',
    'UNKNOWN_FEDERATION_LINK_VERSION',
    /composite schemas/,
  ),
  {
    name: 'beside an import whose name is no text',
    why: 'The library throws at the import, and says nothing else.',
    explains: (_, { theirs }) =>
      theirs.kind === 'failed' &&
      theirs.errors.some(({ message }) => message.includes('Invalid import binding')),
  },
  rule(
    'a provision that selects nothing of an object',
    'No router can ask for it. The library does not look into fragments.',
    'PROVIDES_INVALID_FIELDS',
    /selects nothing of the object/,
  ),
  {
    name: 'beside an unknown directive',
    why: 'We know the directive by its specification or full name, and what is wrong with it.',
    explains: ({ code }, { theirs }) =>
      theirs.kind === 'failed' &&
      theirs.errors.some(
        ({ message }) =>
          (code.startsWith('LIST_SIZE_') && message.includes('Unknown directive "@cost__')) ||
          (code === 'INTERFACE_OBJECT_USAGE_ERROR' &&
            message.includes('Unknown directive "@federation__interfaceObject"')),
      ),
  },
  {
    name: 'a requirement that selects nothing of an object',
    why: 'No router can ask for it. The library passes over such a selection.',
    explains: ({ code, message }, { sdls }) => {
      const [, field] = / requires "\w+\.(\w+)", which cannot be fetched/.exec(message) ?? []
      const bare = new RegExp(`fields: "[^"]*\\b${field}\\b(?! *\\{)[^"]*"`)
      return (
        code === 'SATISFIABILITY_ERROR' &&
        field !== undefined &&
        Object.values(sdls).some((sdl) => bare.test(sdl))
      )
    },
  },
  rule(
    'a hidden type that a visible one uses',
    'Clients see the other type, also where no field of theirs takes it. The library looks at what fields take.',
    'REFERENCED_INACCESSIBLE',
    /which clients see, is of this type/,
  ),
  {
    name: 'an argument that is hidden in a type and not in its interface',
    why: 'Clients would see an interface with an argument that its types lack. The library looks at the supergraph alone, where the argument is.',
    explains: ({ code, message }, { sdls }) => {
      const [, field, argument] = / lacks "\w+\.(\w+)\((\w+):\)"/.exec(message) ?? []
      return (
        code === 'INTERFACE_FIELD_NO_IMPLEM' &&
        field !== undefined &&
        Object.values(sdls).some((sdl) => isHidden(sdl, field, argument ?? ''))
      )
    },
  },
  {
    name: 'a requirement of a root field',
    why: 'A root has no key by which its subgraph could be asked again with what is required.',
    explains: ({ code, message }, { sdls }) =>
      code === 'SATISFIABILITY_ERROR' &&
      /^"Query\.\w+" cannot be resolved/.test(message) &&
      Object.keys(sdls).some((name) =>
        hasDirective(fieldsOf(sdls, name, /^"([^"]+)"/.exec(message)?.[1] ?? ''), 'requires'),
      ),
  },
  rule(
    'a directive that its version does not have',
    'The full name of a directive is known, and that a newer version has it.',
    'INVALID_LINK_DIRECTIVE_USAGE',
    /is used, but the federation version/,
  ),
  {
    name: 'an override of an interface object that is lost',
    why: 'The field has moved away from the subgraph, also under a label. The library loses overrides of interface objects, and asks where the field was.',
    explains: ({ code }, { sdls }) =>
      code === 'SATISFIABILITY_ERROR' &&
      Object.values(sdls).some((sdl) => /@interfaceObject[^}]*@override\(/.test(sdl)),
  },
  rule(
    'a scalar of the specification that is extended as a type',
    'The library looks at definitions alone.',
    'TYPE_DEFINITION_INVALID',
    /is a scalar of the federation specification/,
  ),
  {
    name: 'another code for the same mistake',
    why: 'Both refuse the same type, field or directive of the same subgraphs, and give the mistake different codes.',
    explains: ({ message }, { theirs }) => {
      const names = namesIn(message)
      return (
        theirs.kind === 'failed' &&
        theirs.errors.some((one) => namesIn(one.message).some((name) => names.includes(name)))
      )
    },
  },
]

/** Types, fields and directives that a message names, without those that are in nearly every graph. */
function namesIn(message: string): readonly string[] {
  return [...message.matchAll(/"?(@\w+|(?<=")[A-Z]\w*(?:\.\w+)*)/g)].flatMap(([, name = '']) =>
    name === 'Query' ? [] : [name],
  )
}
