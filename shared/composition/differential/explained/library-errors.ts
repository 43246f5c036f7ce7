/** Errors of the library alone. */
import { print } from 'graphql'
import { composeSdls } from '../compare.ts'
import { definesDirective, hasWrongValue } from '../graphql-judge.ts'
import { hasPlan } from '../planned.ts'
import { fieldsOf, hasDirective, isAbstract, isFederation2, typesOf } from '../schemas.ts'
import { readFacts } from '../supergraph-facts.ts'
import type { ErrorStatement, Explanation } from './explanation.ts'
import { ourLastPhase, phaseOf } from './phases.ts'

export const LIBRARY_ERRORS: readonly Explanation<ErrorStatement>[] = [
  {
    name: 'a path that can be taken',
    why: 'The library says that an operation cannot be answered, and the planner of the engine has a plan for just this operation.',
    explains: ({ code, message }, { ours }) => {
      if (code !== 'SATISFIABILITY_ERROR' || ours.kind !== 'composed') return false
      const [, text] =
        /^The following supergraph API query:\n([^]*?)\ncannot be satisfied/.exec(message) ?? []
      if (text === undefined) return false
      const operation = text.replaceAll(/\.\.\.(?=\s*\})/g, '__typename')
      const [, type, field] = /cannot find field "(\w+)\.(\w+)"/.exec(message) ?? []
      // The library makes up arguments, also hidden ones.
      const texts = [
        operation,
        operation.replaceAll(/, \w+: \{ {2}\}/g, ''),
        operation.replaceAll(/\([^)]*\)/g, ''),
        // It takes the type of one subgraph for that of the field, where an interface or union is published.
        operation.replace(new RegExp(`\\b${field}\\b(?=[^\\w]*$)`), `... on ${type} { ${field} }`),
      ]
      return texts.some((one) => hasPlan(ours.supergraphSdl, one))
    },
  },
  {
    name: 'an error from the next version on',
    why: 'The version before took it, and routers answer right, so that it is a hint for one minor version. With `isStrict` we refuse it with the same code.',
    explains: ({ code, message, subgraph }, { sdls, ours }) => {
      const [, type] = /\bType (\w+) must define one or more fields/.exec(message) ?? []
      const isRoot = type !== undefined && new RegExp(`\\bquery: ${type}\\b`).test(sdls[subgraph ?? ''] ?? '')
      if (
        isRoot ||
        (message.includes('Type "Query" is in the API schema') &&
          ours.hints.some((hint) => hint.code === 'NO_QUERIES'))
      )
        return true
      if (ours.kind === 'failed') return false
      const strict = composeSdls(sdls, true)
      if (strict.kind !== 'failed') return false
      const [, field] = /^Interface field (\S+) expects type/.exec(message) ?? []
      return strict.errors.some(
        (error) =>
          error.code === code ||
          (field !== undefined && error.message.includes(`"${field}"`)) ||
          (error.code === 'NO_QUERIES' &&
            /must define one or more fields|Type "Query" is in the API schema/.test(message)),
      )
    },
  },
  {
    name: 'we end with the phase before',
    why: 'Each composer ends with the phase in which it finds a mistake, and we find one in a phase before that of this error.',
    explains: (statement, difference) =>
      difference.ours.kind === 'failed' && phaseOf(statement) > ourLastPhase(difference),
  },
  {
    name: 'a value that GraphQL takes',
    why: 'The library takes neither null nor coerced values for arguments of directives, nor values of extended enums. graphql-js takes the value.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const [, name] = /Invalid value for "@(\w+)\(/.exec(message) ?? []
      const sdl = sdls[subgraph ?? '']
      if (code !== 'INVALID_GRAPHQL' || name === undefined || sdl === undefined) return false
      return definesDirective(sdl, name) && !hasWrongValue(sdl, name)
    },
  },
  {
    name: 'a wrong value, told twice',
    why: 'The library tells a value of a federation directive under the code of the directive, as we do, and again as a mistake of GraphQL.',
    explains: ({ code, message }, { ours }) => {
      const [, name] = /Invalid value for "@(\w+)\(/.exec(message) ?? []
      if (code !== 'INVALID_GRAPHQL' || name === undefined || ours.kind !== 'failed') return false
      return ours.errors.some((one) => one.code !== code && one.message.includes(`@${name}`))
    },
  },
  {
    name: 'a directive that is linked by its own specification',
    why: 'A directive can be linked from the specification that it was taken from, such as `specs.apollo.dev/tag/v0.3`, and have another name by it. The library knows few of these.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const sdl = sdls[subgraph ?? ''] ?? ''
      const own = [
        ...sdl.matchAll(
          /@link\(url: "https:\/\/specs\.apollo\.dev\/(federation|tag|inaccessible|authenticated|requiresScopes|policy|cost|cacheTag)\/v[^)]*\)/g,
        ),
      ]
      if (code === 'UNKNOWN_LINK_VERSION')
        return own.some(([, name = '']) => message.includes(` of the ${name} spec`))
      const [, unknown] = /^\[[^\]]*\] Unknown directive "@(\w+)"/.exec(message) ?? []
      return (
        unknown !== undefined &&
        own.some(([link]) => new RegExp(`\\b${unknown.split('__')[0]}\\b`).test(link))
      )
    },
  },
  {
    name: 'a definition of a federation directive',
    why: 'A subgraph may define what it also links, as long as the definition fits. The library refuses it under the full name, and with its scalars under other names.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const sdl = sdls[subgraph ?? ''] ?? ''
      const [, kind, name = ''] = /There can be only one (directive|type) named "@?(\w+)"/.exec(message) ?? []
      if (kind === 'directive') return definesDirective(sdl, name)
      if (kind === 'type') return new RegExp(`name: "\\w+", as: "${name}"`).test(sdl)
      const [, type = ''] = /but found type "(\w+)!?"/.exec(message) ?? []
      return (
        code === 'DIRECTIVE_DEFINITION_INVALID' && new RegExp(`name: "FieldSet", as: "${type}"`).test(sdl)
      )
    },
  },
  {
    name: 'a field that all mark @shareable',
    why: 'The library does not see @shareable on fields of several interface objects, and says that no subgraph has it.',
    explains: ({ code, message }, { sdls }) => {
      const [, field = '', list = ''] =
        /^Non-shareable field "([^"]+)" is resolved from multiple subgraphs: it is resolved from subgraphs (.*) and defined/.exec(
          message,
        ) ?? []
      const names = [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
      if (code !== 'INVALID_FIELD_SHARING' || names.length < 2) return false
      return names.every((name) =>
        hasDirective(
          [...fieldsOf(sdls, name, field), ...typesOf(sdls, name, field.split('.')[0] ?? '')],
          'shareable',
        ),
      )
    },
  },
  {
    name: 'a key under another name or on an extension',
    why: 'The interface object has a key; the library looks for `@key` on its first definition alone.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const [, type] = /but type "(\w+)" has no @key in this subgraph/.exec(message) ?? []
      if (code !== 'INTERFACE_OBJECT_USAGE_ERROR' || type === undefined) return false
      return typesOf(sdls, subgraph ?? '', type).some(({ directives = [] }) =>
        directives.some((one) => one.arguments?.some(({ name }) => name.value === 'fields')),
      )
    },
  },
  {
    name: 'nullability within lists',
    why: 'Types of inputs may differ in nullability at every depth: the stronger one is published. The library looks at the outermost one alone.',
    explains: ({ code, message }) => {
      const [, one, other] =
        /it has type "([^"]+)" in subgraphs? .* but type "([^"]+)" in/.exec(message) ?? []
      if (!['FIELD_TYPE_MISMATCH', 'FIELD_ARGUMENT_TYPE_MISMATCH'].includes(code) || one === undefined)
        return false
      return one.replaceAll('!', '') === other?.replaceAll('!', '')
    },
  },
  {
    name: 'what follows from a mistake that is told',
    why: 'We tell one cause once: what the same type or field is accused of besides follows from it.',
    explains: ({ message }, { ours }) => {
      if (ours.kind !== 'failed') return false
      const types = typesNamed(message)
      return ours.errors.some((one) => typesNamed(one.message).some((type) => types.includes(type)))
    },
  },
  {
    name: 'a link to a version 1 of federation',
    why: 'There is no such specification: nothing but `@link` itself is unknown, and we say so. The library looks at the imports.',
    explains: ({ subgraph }, { sdls }) => /federation\/v1\.0/.test(sdls[subgraph ?? ''] ?? ''),
  },
  {
    name: 'a schema of Federation 1',
    why: 'A link to another specification makes no schema of Federation 2, and keys of Federation 1 may be given without quotes.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      if (isFederation2(sdls[subgraph ?? ''] ?? '')) return false
      return code.endsWith('_INVALID_FIELDS_TYPE') || message.endsWith('Unknown directive "@link".')
    },
  },
  {
    name: 'a renamed root',
    why: 'A schema may name its query root, also by `extend schema`, and extend it.',
    explains: ({ code }, { sdls }) =>
      ['NO_QUERIES', 'EXTENSION_WITH_NO_BASE'].includes(code) &&
      Object.values(sdls).some((sdl) => /\bquery: (?!Query\b)/.test(sdl)),
  },
  {
    name: 'a composed directive by its full name',
    why: 'A directive can be composed by the full name that its link gives it, such as `@mine__deep`.',
    explains: ({ code, message }) =>
      code === 'DIRECTIVE_COMPOSITION_ERROR' && /^Directive "@\w+__\w+" in subgraph/.test(message),
  },
  {
    name: 'an external field as its owner has it',
    why: 'An external field may promise what the subgraph promises that resolves it, also where a weaker type is published.',
    explains: ({ code, message }, { sdls }) => {
      const [, field = ''] = /^Type of field "([^"]+)"/.exec(message) ?? []
      if (code !== 'EXTERNAL_TYPE_MISMATCH') return false
      const all = Object.keys(sdls).flatMap((name) => fieldsOf(sdls, name, field))
      const types = (isExternal: boolean) =>
        all.filter((one) => hasDirective([one], 'external') === isExternal).map(({ type }) => print(type))
      return types(true).every((type) => types(false).includes(type))
    },
  },
  {
    name: 'an external field that promises more',
    why: 'An external field may have a narrower type than the field it stands for, as in other composers.',
    explains: ({ code, message }, { sdls }) => {
      const [, field = ''] = /^Type of field "([^"]+)"/.exec(message) ?? []
      const [, published = ''] = /\bit has type "([^"]+)"/.exec(message) ?? []
      return (
        code === 'EXTERNAL_TYPE_MISMATCH' &&
        Object.keys(sdls)
          .flatMap((name) => fieldsOf(sdls, name, field))
          .filter((one) => hasDirective([one], 'external'))
          .every(({ type }) => promisesAsMuch(print(type), published))
      )
    },
  },
  {
    name: 'a default of an argument that is not published',
    why: 'An argument that only some subgraphs have is no part of the supergraph, and nor is its default. The library looks at the default all the same.',
    explains: ({ code, message }, { ours }) => {
      const [, argument] = /default value of "([^"]+\(\w+:)\)"/.exec(message) ?? []
      return (
        code === 'DEFAULT_VALUE_USES_INACCESSIBLE' &&
        argument !== undefined &&
        ours.kind === 'composed' &&
        !readFacts(ours.supergraphSdl).some((fact) => fact.startsWith(argument))
      )
    },
  },
  {
    name: 'types of which one is a part of the other',
    why: 'Subgraphs may give an object where others give an interface or union that has it, also one interface for another. The widest type is published.',
    explains: ({ code, message }, { sdls, ours }) => {
      const types = [...message.matchAll(/type "([^"]+)"/g)].map(([, type = '']) =>
        type.replaceAll(/[[\]!]/g, ''),
      )
      return (
        code === 'FIELD_TYPE_MISMATCH' &&
        ours.kind === 'composed' &&
        types.some((type) => Object.keys(sdls).some((name) => isAbstract(sdls, name, type)))
      )
    },
  },
  {
    name: 'an interface without types',
    why: 'An interface that no type implements lacks none. The library misses a type without a name.',
    explains: ({ code, message }) =>
      code === 'INTERFACE_KEY_MISSING_IMPLEMENTATION_TYPE' && message.includes('should define type ""'),
  },
  {
    name: 'an external field of a type that is shareable as a whole',
    why: 'The library looks for a use of the field; we take the mark as a declaration of the shared type.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const [, field = ''] =
        /^\[[^\]]*\] Field "([^"]+)" is marked @external but is not used/.exec(message) ?? []
      return (
        code === 'EXTERNAL_UNUSED' &&
        fieldsOf(sdls, subgraph ?? '', field).some(({ type }) =>
          hasDirective(typesOf(sdls, subgraph ?? '', print(type).replaceAll(/[[\]!]/g, '')), 'shareable'),
        )
      )
    },
  },
  {
    name: 'an external field that a refused selection uses',
    why: 'The selection is told as wrong. The library takes it for none, and the field for unused.',
    explains: ({ code, message, subgraph }, { sdls, ours }) => {
      const [, field = ''] =
        /^\[[^\]]*\] Field "\w+\.(\w+)" is marked @external but is not used/.exec(message) ?? []
      return (
        code === 'EXTERNAL_UNUSED' &&
        ours.kind === 'failed' &&
        ours.errors.some(
          (one) => one.message.startsWith(`[${subgraph}]`) && /^(?:PROVIDES|REQUIRES|KEY)_/.test(one.code),
        ) &&
        new RegExp(`fields: "[^"]*\\b${field}\\b`).test(sdls[subgraph ?? ''] ?? '')
      )
    },
  },
  {
    name: 'a scalar of the specification that is imported alone',
    why: 'A definition of a federation directive may use `FieldSet` where the link imports it, also without defining it.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const [, type] = /Unknown type (\w+)$/.exec(message) ?? []
      return (
        code === 'INVALID_GRAPHQL' &&
        type !== undefined &&
        new RegExp(`"${type}"`).test(sdls[subgraph ?? ''] ?? '')
      )
    },
  },
  {
    name: 'the same mistake, told more than once',
    why: 'A wrong definition, value or place of a directive is told once by us, and by the library once for each rule that it breaks.',
    explains: ({ code, message, subgraph }, { ours }) => {
      const [, directive] = /@(?:federation__)?(\w+)/.exec(message) ?? []
      return (
        code !== 'SATISFIABILITY_ERROR' &&
        directive !== undefined &&
        ours.kind === 'failed' &&
        ours.errors.some(
          (one) =>
            one.message.startsWith(`[${subgraph}]`) &&
            new RegExp(`@(?:federation__)?${directive}\\b`).test(one.message),
        )
      )
    },
  },
  {
    name: 'composite schemas',
    why: 'We name the specification that the links are of, and do not look at their versions.',
    explains: ({ code, subgraph }, { sdls }) =>
      ['INVALID_LINK_IDENTIFIER', 'INVALID_GRAPHQL'].includes(code) &&
      /composite-schemas|specs\.graphql\.org|"@lookup"/.test(sdls[subgraph ?? ''] ?? ''),
  },
  {
    name: 'a composed directive without a place',
    why: 'The same mistake without a code.',
    explains: ({ code, message }, { ours }) =>
      code === 'undefined' &&
      message.includes('has no shared locations') &&
      ours.kind === 'failed' &&
      ours.errors.some((error) => error.message.includes('may stand at no place')),
  },
  {
    name: 'an argument with a default, or of a field that was taken over',
    why: 'An argument with a default is not required, whatever its type. A subgraph from which another takes a field has no say in it.',
    explains: ({ code, message }, { sdls }) => {
      const [, field = '', argument = ''] = /^Argument "([^"(]+)\((\w+):\)"/.exec(message) ?? []
      const fields = Object.keys(sdls).flatMap((name) => fieldsOf(sdls, name, field))
      const isOptional = fields.every(
        (one) =>
          !('arguments' in one) ||
          one.arguments?.every(
            ({ name, defaultValue }) => name.value !== argument || defaultValue !== undefined,
          ) !== false,
      )
      if (code === 'REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH' && isOptional) return true
      return (
        code === 'REQUIRED_ARGUMENT_MISSING_IN_SOME_SUBGRAPH' &&
        Object.keys(sdls).some((name) =>
          fieldsOf(sdls, name, field).some((one) => /@override\(from: "[^"]*"\)/.test(print(one))),
        )
      )
    },
  },
  {
    name: 'a definition by its full name',
    why: 'The definition of a directive by its full name is looked at where the link gives this name.',
    explains: ({ code, subgraph }, { sdls }) =>
      code === 'DIRECTIVE_DEFINITION_INVALID' &&
      /directive @federation__/.test(sdls[subgraph ?? ''] ?? '') &&
      /federation\/v[^)]*as: "/.test(sdls[subgraph ?? ''] ?? ''),
  },
  {
    name: 'beside a schema that we do not read on',
    why: 'We end with the first phase where a schema is no schema at all, uses what no router runs, or has an external field of an interface; its links and rules are not looked at.',
    explains: (_, { ours }) =>
      ours.kind === 'failed' &&
      ours.errors.some(
        ({ code, message }) =>
          message.includes('this is an executable definition') ||
          [
            'UNSUPPORTED_DIRECTIVE',
            'EXTERNAL_ON_INTERFACE',
            'TYPE_DEFINITION_INVALID',
            'PROVIDES_FIELDS_HAS_ARGS',
          ].includes(code),
      ),
  },
  {
    name: 'a version of the link specification',
    why: 'A link to a version of the link specification that nobody knows is a mistake in schemas of Federation 1 alone, where it is the only link.',
    explains: ({ code, message }) =>
      code === 'UNKNOWN_LINK_VERSION' && message.includes('v9.9 of the link spec'),
  },
  {
    name: 'a definition of a directive that is left out',
    why: 'Cache tags are no part of the supergraph, and definitions of them and types of the link specification are not looked at.',
    explains: ({ code, message }) =>
      code === 'INVALID_GRAPHQL' && /cacheTag|Unknown type link__/.test(message),
  },
  {
    name: 'an executable directive without a common place',
    why: 'Operations may use no such directive, and the graph is served without it.',
    explains: ({ code, message }) => code === 'undefined' && message.includes('has no shared locations'),
  },
  {
    name: 'a type that has the name of a scalar and is not imported',
    why: 'Without the import, `FieldSet` is a type as any other.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const [, type = ''] = /^\[[^\]]*\] Invalid definition for type (\w+):/.exec(message) ?? []
      return code === 'TYPE_DEFINITION_INVALID' && !(sdls[subgraph ?? ''] ?? '').includes(`"${type}"`)
    },
  },
  {
    name: 'a provision of a type that is not there',
    why: 'A union with a member that is not defined is told once, as an unknown type.',
    explains: ({ code }, { ours }) =>
      code === 'PROVIDES_ON_NON_OBJECT_FIELD' &&
      ours.kind === 'failed' &&
      ours.errors.some(({ message }) => message.includes('Unknown type')),
  },
  {
    name: 'a mutation or subscription root without fields',
    why: 'The library is right: we compose it, and clients see a root without fields.',
    explains: ({ code, message }) =>
      code === 'ONLY_INACCESSIBLE_CHILDREN' &&
      /^Type "(?:Mutation|Subscription)" is in the API schema/.test(message),
  },
  {
    name: 'a path into a hidden type',
    why: 'Clients cannot ask for fields of a hidden type, so that nobody has to resolve them.',
    explains: ({ code, message }, { sdls }) => {
      const [, field = '', type = ''] = /cannot find field "((\w+)\.\w+)"/.exec(message) ?? []
      return (
        code === 'SATISFIABILITY_ERROR' &&
        Object.keys(sdls).some((name) =>
          hasDirective([...typesOf(sdls, name, type), ...fieldsOf(sdls, name, field)], 'inaccessible'),
        )
      )
    },
  },
  {
    name: 'a composed directive of federation with a definition of its own',
    why: 'A subgraph may define what it also imports, and federation composes it by itself. Where the definition is wrong, we tell it as such.',
    explains: ({ code, message }, { sdls }) => {
      const [, directive = '', subgraph = ''] =
        /^Directive "@(\w+)" in subgraph "([^"]+)" cannot be composed because it is not a member/.exec(
          message,
        ) ?? []
      const sdl = sdls[subgraph] ?? ''
      return (
        code === 'DIRECTIVE_COMPOSITION_ERROR' &&
        new RegExp(`federation/v2[^)]*"@${directive}"`).test(sdl) &&
        definesDirective(sdl, directive)
      )
    },
  },
  {
    name: 'a field of interface objects that all know',
    why: 'Sharing is a matter of the object types, which have the field in their keys. The library asks the interface.',
    explains: ({ code, message }, { sdls }) => {
      const [, type = ''] = /^Non-shareable field "(\w+)\./.exec(message) ?? []
      return (
        code === 'INVALID_FIELD_SHARING' &&
        Object.keys(sdls).some((name) => hasDirective(typesOf(sdls, name, type), 'interfaceObject'))
      )
    },
  },
  {
    name: 'a second application that is wrong as well',
    why: 'We tell that the directive is applied twice, and look at the first application.',
    explains: ({ code }, { ours }) => code.startsWith('LIST_SIZE_') && ours.kind === 'failed',
  },
  {
    name: 'two imports under one name',
    why: 'Nothing is applied under the name.',
    explains: ({ code, message, subgraph }, { sdls }) => {
      const [, name] = /There can be only one directive named "@(\w+)"/.exec(message) ?? []
      const sdl = sdls[subgraph ?? ''] ?? ''
      return (
        code === 'INVALID_GRAPHQL' &&
        name !== undefined &&
        sdl.split(`as: "@${name}"`).length > 2 &&
        sdl.split(`@${name}`).length === sdl.split(`"@${name}"`).length
      )
    },
  },
  {
    name: 'a definition of the specification is not complete',
    why: 'A subgraph with an old definition of @tag may apply it where the specification allows it.',
    explains: ({ code, message }) =>
      code === 'INVALID_GRAPHQL' && /Directive "@\w+" may not be used on SCHEMA/.test(message),
  },
  {
    name: 'an import whose name is no text',
    why: 'An `as` that is no text names nothing; the library throws.',
    explains: ({ code, message }) => code === 'undefined' && message.includes('Invalid import binding'),
  },
  {
    name: 'an extension that is an interface object',
    why: 'The base of the type is the interface of another subgraph.',
    explains: ({ code }, { sdls }) =>
      ['EXTENSION_WITH_NO_BASE', 'TYPE_KIND_MISMATCH', 'EXTERNAL_MISSING_ON_BASE'].includes(code) &&
      Object.values(sdls).some((sdl) => /extend type \w+ [^{]*@interfaceObject/.test(sdl)),
  },
]

/** Types that a message names, also as the type of a field. */
function typesNamed(message: string): readonly string[] {
  const [, implemented, implementing] =
    /^Interface field (\w+)\.\S+ expects .* but (\w+)\./.exec(message) ?? []
  if (implemented !== undefined) return [implemented, implementing ?? '']
  return [...message.matchAll(/"\[*([A-Za-z_]\w*)[\]!]*(?:\.[\w.]+(?:\([^)]*\))?)?"/g)].map(
    ([, type = '']) => type,
  )
}

/** Whether a type is another one but for nullability, and null wherever the other one is null at most. */
function promisesAsMuch(type: string, than: string): boolean {
  // Without its marks, a type with fewer of them matches the pattern of one with more.
  const pattern = type.replaceAll(/[[\]]/g, '\\$&').replaceAll('!', '!?')
  return new RegExp(`^${pattern}$`).test(than)
}
