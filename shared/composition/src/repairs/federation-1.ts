/**
 * Repair: Federation 1 also writes selections as a name or as a list, `@key(fields: id)` and `@key(fields:
 * ["id", "sku"])`.
 */
import { Kind, visit } from 'graphql'
import type { DocumentNode, ValueNode } from 'graphql'
import { findFederationLink } from '../federation/federation-link.ts'

const WITH_FIELDS: ReadonlySet<string> = new Set(['key', 'requires', 'provides'])

/** The document with every selection of a Federation 1 directive as a string. */
export function withFieldSetStrings(document: DocumentNode): DocumentNode {
  if (findFederationLink(document) !== null) return document
  return visit(document, {
    Directive(node) {
      if (!WITH_FIELDS.has(node.name.value)) return undefined
      return {
        ...node,
        arguments: (node.arguments ?? []).map((argument) => {
          const text = argument.name.value === 'fields' ? readNames(argument.value) : null
          return text === null ? argument : { ...argument, value: { kind: Kind.STRING, value: text } }
        }),
      }
    },
  })
}

function readNames(value: ValueNode): string | null {
  if (value.kind === Kind.ENUM) return value.value
  if (value.kind !== Kind.LIST) return null
  const names = value.values.map((one) =>
    one.kind === Kind.STRING || one.kind === Kind.ENUM ? one.value : null,
  )
  return names.includes(null) ? null : names.join(' ')
}
