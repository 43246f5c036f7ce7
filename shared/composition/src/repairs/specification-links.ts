/**
 * Repair: links to the specifications that federation directives come from.
 *
 * `@link(url: "https://specs.apollo.dev/inaccessible/v0.2")` gives a subgraph `@inaccessible` as well. The
 * library knows some of these links, drops what they link, and would so publish what is hidden. They are read
 * as imports from the federation specification. A link to the link specification alone makes no Federation 2
 * schema; it is left out.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, ConstValueNode, DocumentNode } from 'graphql'
import { argument, type FederationLink, findFederationLink, importAs } from '../federation/federation-link.ts'
import { OWN_SPECIFICATIONS, linkedSpecification } from '../directives/specified-directives.ts'

/** The document with links to such specifications as imports from the federation specification. */
export function withSpecificationLinks(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  if (link === null) return withoutLinkLink(document)
  const imports: ConstValueNode[] = []
  const spelled: DocumentNode = visit(document, {
    Directive(node) {
      const specification = linkedSpecification(node)
      if (specification === null || OWN_SPECIFICATIONS[specification] === undefined) return undefined
      imports.push(...importsOf(node, specification, link))
      return null
    },
  })
  if (spelled === document) return document
  return visit(spelled, {
    Directive(node) {
      if (node !== link.node) return undefined
      const given = argument(node, 'import')
      const values = [...(given?.kind === Kind.LIST ? given.values : []), ...imports]
      const kept = (node.arguments ?? []).filter(({ name }) => name.value !== 'import')
      const list = { kind: Kind.LIST, values } as const
      return {
        ...node,
        arguments: [
          ...kept,
          { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'import' }, value: list },
        ],
      }
    },
  })
}

function importsOf(
  node: Parameters<typeof argument>[0],
  specification: string,
  link: FederationLink,
): readonly ConstValueNode[] {
  const as = argument(node, 'as')
  const namespace = as?.kind === Kind.STRING ? as.value : specification
  const listed = argument(node, 'import')
  const stated = new Map<string, string>()
  for (const value of listed?.kind === Kind.LIST ? listed.values : []) {
    if (value.kind === Kind.STRING) stated.set(value.value, value.value)
    if (value.kind !== Kind.OBJECT) continue
    const [name, alias] = ['name', 'as'].map((key) => {
      const found = value.fields.find((field) => field.name.value === key)?.value
      return found?.kind === Kind.STRING ? found.value : null
    })
    if (typeof name === 'string') stated.set(name, alias ?? name)
  }
  const known = new Set(link.imports.values())
  return (OWN_SPECIFICATIONS[specification] ?? [])
    .filter((name) => !known.has(name))
    .map((name) => {
      const plain = name === specification ? namespace : `${namespace}__${name}`
      return importAs(`@${name}`, stated.get(`@${name}`) ?? `@${plain}`)
    })
}

function withoutLinkLink(document: DocumentNode): DocumentNode {
  const without = <Node extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
    node: Node,
  ): Node => ({ ...node, directives: node.directives?.filter((one) => linkedSpecification(one) !== 'link') })
  return visit(document, { SchemaDefinition: without, SchemaExtension: without })
}
