/** Imports of the directives that changes have brought into a schema. */
import { Kind, print, visit, type DirectiveNode, type DocumentNode } from 'graphql'
import { valueOf, withArgument } from './nodes.ts'

/** Directives of Federation 2, with the version from which on they can be imported. */
const SINCE: Readonly<Record<string, number>> = {
  key: 0,
  external: 0,
  requires: 0,
  provides: 0,
  extends: 0,
  shareable: 0,
  inaccessible: 0,
  override: 0,
  tag: 0,
  composeDirective: 1,
  interfaceObject: 3,
  authenticated: 5,
  requiresScopes: 5,
  policy: 6,
  cost: 9,
  listSize: 9,
}

const URL = /^https:\/\/specs\.apollo\.dev\/federation\/v2\.(\d+)$/

/** The schema with an import of each directive of federation that it uses and that its version has. */
export function withImports(document: DocumentNode): DocumentNode {
  const used = new Set<string>()
  visit(document, { Directive: ({ name }) => void used.add(name.value) })
  return visit(document, {
    Directive: (link) => {
      const url = link.name.value === 'link' ? argumentOf(link, 'url') : undefined
      const [, minor] = (url?.kind === Kind.STRING ? URL.exec(url.value) : null) ?? []
      const list = argumentOf(link, 'import')
      if (minor === undefined || list?.kind !== Kind.LIST) return undefined
      const imported = list.values.map((one) => print(one))
      const text = imported.join(' ')
      const missing = Object.entries(SINCE)
        .filter(([name, since]) => used.has(name) && since <= Number(minor) && !text.includes(`"@${name}"`))
        .map(([name]) => `"@${name}"`)
      return missing.length === 0
        ? undefined
        : withArgument(link, 'import', valueOf(`[${[...imported, ...missing].join(', ')}]`))
    },
  })
}

function argumentOf(directive: DirectiveNode, name: string) {
  return directive.arguments?.find((one) => one.name.value === name)?.value
}
