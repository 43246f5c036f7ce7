/**
 * Repairs: three things a `@link` allows and the library does not.
 *
 * - Scalars of the federation specification are imported under another name (`{ name: "FieldSet", as:
 *   "Selection" }`).
 * - `@composeDirective(name: "@ns__x")` names a directive by its namespace, without an import.
 * - `@tag` stands on the schema. No router and no contract reads that tag, so it is left out.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, ConstValueNode, DocumentNode } from 'graphql'
import {
  argument,
  federationDirectiveName,
  findFederationLink,
  importAs,
} from '../federation/federation-link.ts'
import { schemaDirectives } from '../directives/specified-directives.ts'

/** The document with links in the only form that the library reads. */
export function withPlainLinks(document: DocumentNode): DocumentNode {
  return withoutSchemaTags(withImportedDirectives(withScalarNames(document)))
}

function withScalarNames(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  const renamed = new Map<string, string>()
  const mend = (value: ConstValueNode): ConstValueNode => {
    if (value.kind !== Kind.OBJECT) return value
    const [name, as] = ['name', 'as'].map((key) => {
      const given = value.fields.find((field) => field.name.value === key)?.value
      return given?.kind === Kind.STRING ? given.value : ''
    })
    if (name === undefined || as === undefined || name.startsWith('@') || name === '' || as === '')
      return value
    renamed.set(as, name)
    return { kind: Kind.STRING, value: name }
  }
  const imports = link === null ? undefined : link.node.arguments?.find(({ name }) => name.value === 'import')
  if (imports?.value.kind !== Kind.LIST) return document
  const values = imports.value.values.map(mend)
  if (renamed.size === 0) return document
  const isTaken = (name: string) =>
    document.definitions.some(
      (node) => 'name' in node && node.name?.value === name && node.kind !== Kind.DIRECTIVE_DEFINITION,
    )
  if ([...renamed.values()].some(isTaken)) return document
  const rename = <Node extends { readonly name: { readonly value: string } }>(
    node: Node,
  ): Node | undefined => {
    const name = renamed.get(node.name.value)
    return name === undefined ? undefined : { ...node, name: { ...node.name, value: name } }
  }
  return visit(document, {
    Argument: (node) => (node === imports ? { ...node, value: { ...imports.value, values } } : undefined),
    NamedType: rename,
    ScalarTypeDefinition: rename,
  })
}

function withImportedDirectives(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  const wanted = schemaDirectives(document)
    .filter(({ name }) => federationDirectiveName(link, name.value) === 'composeDirective')
    .map((node) => argument(node, 'name'))
    .flatMap((name) => (name?.kind === Kind.STRING ? [name.value.replace(/^@/, '')] : []))
    .filter((name) => name.includes('__'))
  if (wanted.length === 0) return document
  return visit(document, {
    Directive(node) {
      if (node.name.value !== 'link') return undefined
      const namespace = namespaceOf(node)
      const own = wanted.filter((name) => namespace !== null && name.startsWith(`${namespace}__`))
      if (own.length === 0) return undefined
      const imports = argument(node, 'import')
      const values = [
        ...(imports?.kind === Kind.LIST ? imports.values : []),
        ...own.map((name) => importAs(`@${name.slice(name.indexOf('__') + 2)}`, `@${name}`)),
      ]
      const kept = (node.arguments ?? []).filter(({ name }) => name.value !== 'import')
      const added = {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'import' },
        value: { kind: Kind.LIST, values },
      } as const
      return { ...node, arguments: [...kept, added] }
    },
  })
}

/** Returns the name in `as`, or else the part of the URL before the version. */
function namespaceOf(link: Parameters<typeof argument>[0]): string | null {
  const as = argument(link, 'as')
  if (as?.kind === Kind.STRING) return as.value
  const url = argument(link, 'url')
  return url?.kind === Kind.STRING ? (/([^/]+)\/v\d+\.\d+\/?$/.exec(url.value)?.[1] ?? null) : null
}

function withoutSchemaTags(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  const isTag = (node: ConstDirectiveNode) => federationDirectiveName(link, node.name.value) === 'tag'
  if (!schemaDirectives(document).some(isTag)) return document
  const without = <Node extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
    node: Node,
  ): Node => ({
    ...node,
    directives: node.directives?.filter((directive) => !isTag(directive)),
  })
  return visit(document, { SchemaDefinition: without, SchemaExtension: without })
}
