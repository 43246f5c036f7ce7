/**
 * Repair: every federation directive under its own name.
 *
 * The specification lets a subgraph import `@key` as `@identity`, write `@federation__key`, or link the
 * specification as `fed` and write `@fed__key`. The library looks for some directives by their plain name
 * only. So all are imported and written plainly, except where the subgraph has a directive of its own by that
 * name.
 */
import { Kind, visit } from 'graphql'
import type { ConstArgumentNode, ConstValueNode, DocumentNode } from 'graphql'
import {
  federationDirectiveName,
  type FederationLink,
  findFederationLink,
} from '../federation/federation-link.ts'

const DIRECTIVES: ReadonlySet<string> = new Set([
  'key',
  'requires',
  'provides',
  'external',
  'shareable',
  'extends',
  'override',
  'inaccessible',
  'tag',
  'composeDirective',
  'interfaceObject',
  'authenticated',
  'requiresScopes',
  'policy',
  'cost',
  'listSize',
])

/** The document with federation directives under the names that the specification gives them. */
export function withFederationNames(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  if (link === null) return document
  const taken = ownDirectives(document, link)
  const written = new Set<string>()
  const plain = (used: string): string => {
    const name = federationDirectiveName(link, used)
    if (name === null) return used
    if (!DIRECTIVES.has(name) || taken.has(name)) return withDefaultPrefix(link, used)
    written.add(name)
    return name
  }
  const renamed = <Node extends { readonly name: { readonly value: string } }>(
    node: Node,
  ): Node | undefined => {
    const name = plain(node.name.value)
    return name === node.name.value ? undefined : { ...node, name: { ...node.name, value: name } }
  }
  const spelled: DocumentNode = visit(document, {
    Directive: { leave: renamed },
    DirectiveDefinition: { leave: renamed },
    NamedType(node) {
      const name = withDefaultPrefix(link, node.name.value)
      return name === node.name.value ? undefined : { ...node, name: { ...node.name, value: name } }
    },
    ScalarTypeDefinition(node) {
      const name = withDefaultPrefix(link, node.name.value)
      return name === node.name.value ? undefined : { ...node, name: { ...node.name, value: name } }
    },
  })
  const again = findFederationLink(spelled)
  if (again === null) return spelled
  return visit(spelled, {
    Directive: (node) =>
      node === again.node ? { ...node, arguments: linkArguments(again, written, taken) } : undefined,
  })
}

function linkArguments(
  { node, imports }: FederationLink,
  written: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): readonly ConstArgumentNode[] {
  const given = node.arguments?.find(({ name }) => name.value === 'import')?.value
  const listed = given?.kind === Kind.LIST ? given.values : []
  const plain = listed.map((value): ConstValueNode => {
    const name = importedDirective(value)
    return name === null || taken.has(name) ? value : { kind: Kind.STRING, value: `@${name}` }
  })
  const known = new Set(imports.values())
  const added = [...written]
    .filter((name) => !known.has(name))
    .map((name): ConstValueNode => ({ kind: Kind.STRING, value: `@${name}` }))
  const kept = (node.arguments ?? []).filter(({ name }) => name.value !== 'as' && name.value !== 'import')
  const values = [...plain, ...added]
  if (values.length === 0) return kept
  return [
    ...kept,
    { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'import' }, value: { kind: Kind.LIST, values } },
  ]
}

/** Returns the name in `{ name: "@key", as: "@identity" }`, if it is that of one of the directives. */
function importedDirective(value: ConstValueNode): string | null {
  if (value.kind !== Kind.OBJECT) return null
  const name = value.fields.find((field) => field.name.value === 'name')?.value
  if (name?.kind !== Kind.STRING) return null
  const plain = name.value.replace(/^@/, '')
  return DIRECTIVES.has(plain) ? plain : null
}

function ownDirectives(document: DocumentNode, link: FederationLink): ReadonlySet<string> {
  return new Set(
    document.definitions.flatMap((node) =>
      node.kind === Kind.DIRECTIVE_DEFINITION && federationDirectiveName(link, node.name.value) === null
        ? [node.name.value]
        : [],
    ),
  )
}

function withDefaultPrefix({ namespace }: FederationLink, name: string): string {
  const prefix = `${namespace}__`
  return name.startsWith(prefix) ? `federation__${name.slice(prefix.length)}` : name
}
