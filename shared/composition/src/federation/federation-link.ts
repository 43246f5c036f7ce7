/**
 * How one subgraph document names the federation directives, from its `@link` to the federation
 * specification.
 *
 * `@link(url: ".../federation/v2.3", as: "fed", import: ["@key", {name: "@shareable", as: "@share"}])` makes
 * `@key`, `@share` and `@fed__requires` mean what the specification calls key, shareable and requires.
 */
import { Kind } from 'graphql'
import type { ConstDirectiveNode, DirectiveNode, DocumentNode, ValueNode } from 'graphql'

/**
 * Returns the specification and version that the URL of a link names. URLs are parsed as such:
 * `HTTPS://Specs.Apollo.dev:443//tag/v0.3` names the tag specification, too.
 */
export function specificationAt(
  text: string,
): { readonly name: string; readonly version: string | null } | null {
  const url = URL.parse(text)
  if (url === null || url.host !== 'specs.apollo.dev') return null
  const [name, version = '', ...more] = url.pathname.split('/').filter((part) => part !== '')
  if (name === undefined) return null
  return { name, version: more.length === 0 && /^v\d+\.\d+$/.test(version) ? version : null }
}

/** The `@link` of a document to the federation specification. */
export type FederationLink = {
  readonly node: ConstDirectiveNode
  /** The prefix of names that are not imported, without the `__`. */
  readonly namespace: string
  /** Local name to specification name, without `@`. */
  readonly imports: ReadonlyMap<string, string>
}

/**
 * Finds the `@link` to the federation specification. Returns null if there is none, so that this is a
 * Federation 1 document.
 */
export function findFederationLink(document: DocumentNode): FederationLink | null {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue
    for (const node of definition.directives ?? []) {
      if (node.name.value !== 'link') continue
      const url = argument(node, 'url')
      if (url?.kind !== Kind.STRING || specificationAt(url.value)?.name !== 'federation') continue
      const as = argument(node, 'as')
      return {
        node,
        namespace: as?.kind === Kind.STRING ? as.value : 'federation',
        imports: readImports(argument(node, 'import')),
      }
    }
  }
  return null
}

/** The specification's name of a directive as used in the document, or null when it is not federation's. */
export function federationDirectiveName(link: FederationLink | null, used: string): string | null {
  if (link === null) return FEDERATION_1_DIRECTIVES.has(used) ? used : null
  const prefix = `${link.namespace}__`
  return link.imports.get(used) ?? (used.startsWith(prefix) ? used.slice(prefix.length) : null)
}

const FEDERATION_1_DIRECTIVES: ReadonlySet<string> = new Set([
  'key',
  'requires',
  'provides',
  'external',
  'extends',
])

/**
 * Reads a list of imports. Returns names in the document with their names in the specification, without `@`.
 */
export function readImports(value: ValueNode | undefined): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  if (value?.kind !== Kind.LIST) return imports
  for (const item of value.values) {
    const name = importedName(item)
    if (name === null) continue
    const as =
      item.kind === Kind.OBJECT ? item.fields.find((field) => field.name.value === 'as')?.value : undefined
    imports.set(withoutAt(as?.kind === Kind.STRING ? as.value : name), withoutAt(name))
  }
  return imports
}

/**
 * Returns the name that one entry of a list of imports has in its specification: `@key` for `"@key"` and for
 * `{ name: "@key", as: "@id" }`.
 */
export function importedName(item: ValueNode): string | null {
  if (item.kind === Kind.STRING) return item.value
  if (item.kind !== Kind.OBJECT) return null
  const name = item.fields.find((field) => field.name.value === 'name')?.value
  return name?.kind === Kind.STRING ? name.value : null
}

/**
 * Returns the value of an argument. In a schema every value is constant, although the types of visitors do
 * not say so.
 */
export function argument(node: DirectiveNode, name: string): ValueNode | undefined {
  return node.arguments?.find((argument) => argument.name.value === name)?.value
}

function withoutAt(name: string): string {
  return name.startsWith('@') ? name.slice(1) : name
}
