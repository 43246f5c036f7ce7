/** Changes of links, imports, composed directives and definitions of directives. */
import { Kind, parse, print, type DirectiveNode } from 'graphql'
import { changeNode, directiveOf, valueOf, withArgument, withDefinitions, type Change } from './nodes.ts'

const VERSIONS = ['v2.0', 'v2.1', 'v2.3', 'v2.5', 'v2.7', 'v2.9', 'v2.99', 'v1.0', '']

const CUSTOM = 'https://example.test/planted'

/** Every change of this file, by a name that says what is done. */
export const LINK_CHANGES: Readonly<Record<string, Change>> = {
  'another version of federation': (document, random) =>
    parse(print(document).replace(/(federation\/)v\d+\.\d+/, `$1${random.pick(VERSIONS)}`), {
      noLocation: true,
    }),
  'an import less': (document, random) =>
    changeImports(document, random, (names) => names.toSpliced(random.below(names.length), 1)),
  'an import that is unknown': (document, random) =>
    changeImports(document, random, (names) => [...names, '"@nope"']),
  'an import under another name': (document, random) =>
    changeImports(document, random, (names) => {
      const at = random.below(names.length)
      const chosen = names[at] ?? ''
      const name = chosen.startsWith('"') ? chosen.slice(1, -1) : '@key'
      return names.toSpliced(at, 1, `{ name: "${name}", as: "@planted" }`)
    }),
  'a link more': (document, random) =>
    withLink(
      document,
      random.pick([
        `@link(url: "https://specs.apollo.dev/federation/v2.3")`,
        `@link(url: "https://specs.apollo.dev/link/v9.9")`,
        `@link(url: "https://specs.apollo.dev/link/v1.0")`,
        `@link(url: "${CUSTOM}")`,
        `@link(url: "${CUSTOM}/v1.0")`,
        `@link(url: "not a url")`,
      ]),
    ),
  'a composed directive': (document, random) => {
    const version = random.pick(['v1.0', 'v1.0', 'v1.1', 'v2.0'])
    const name = random.pick(['@planted', '@planted', '@other', '@tag', '@key'])
    const linked = random.chance(80)
      ? withLink(document, `@link(url: "${CUSTOM}/${version}", import: ["@planted"])`)
      : document
    const composed = withLink(linked, `@composeDirective(name: "${name}")`)
    const on = random.pick(['FIELD_DEFINITION', 'OBJECT', 'FIELD_DEFINITION | OBJECT', 'FIELD'])
    const defined = random.chance(80)
      ? withDefinitions(composed, `directive @planted${random.pick(['', '(a: Int)'])} on ${on}`)
      : composed
    return changeNode(defined, random, [Kind.FIELD_DEFINITION], (node) => ({
      ...node,
      directives: [...(node.directives ?? []), directiveOf('@planted')],
    }))
  },
  'a definition of a directive': (document, random) =>
    withDefinitions(
      document,
      random.pick([
        'directive @planted on FIELD',
        'directive @planted(a: Int) on FIELD',
        'directive @planted(a: ID = "1") on FIELD | QUERY',
        'directive @planted(a: Missing) on FIELD',
        'directive @key on OBJECT',
        'directive @key(fields: String!) on OBJECT',
        'directive @shareable on FIELD_DEFINITION | OBJECT',
        'directive @tag(name: String!) repeatable on FIELD_DEFINITION',
        'directive @tag(name: Int) on FIELD_DEFINITION',
        'directive @cost(weight: Int!) on FIELD_DEFINITION',
        'directive @federation__key(fields: String) on OBJECT',
      ]),
    ),
}

function changeImports(
  document: Parameters<Change>[0],
  random: Parameters<Change>[1],
  change: (names: readonly string[]) => readonly string[],
) {
  return changeNode(
    document,
    random,
    [Kind.DIRECTIVE],
    (node) => {
      const value = importsOf(node)
      const names = value?.kind === Kind.LIST ? value.values.map((one) => print(one)) : []
      return withArgument(node, 'import', valueOf(`[${change(names).join(', ')}]`))
    },
    (node) => {
      const value = node.name.value === 'link' ? importsOf(node) : undefined
      return value?.kind === Kind.LIST && value.values.length > 0
    },
  )
}

function importsOf(node: DirectiveNode) {
  return node.arguments?.find(({ name }) => name.value === 'import')?.value
}

function withLink(document: Parameters<Change>[0], directive: string) {
  return withDefinitions(document, `extend schema ${directive}`)
}
