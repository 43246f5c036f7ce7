/**
 * Repair: the library knows only the default namespace of the federation specification. A document that links it `as`
 * something else gets its `@fed__key` spelled `@federation__key`; imports keep their names.
 */
import { visit } from 'graphql'
import type { DocumentNode } from 'graphql'
import { findFederationLink } from './federation-link.ts'

export function withDefaultFederationNamespace(document: DocumentNode): DocumentNode {
  const link = findFederationLink(document)
  if (link === null || link.namespace === 'federation') return document
  const prefix = `${link.namespace}__`
  return visit(document, {
    Directive(node) {
      if (node !== link.node) return undefined
      return { ...node, arguments: (node.arguments ?? []).filter((argument) => argument.name.value !== 'as') }
    },
    Name(node) {
      if (!node.value.startsWith(prefix)) return undefined
      return { ...node, value: `federation__${node.value.slice(prefix.length)}` }
    },
  })
}
