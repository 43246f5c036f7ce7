/**
 * Names the library can hold.
 *
 * It derives the values of `join__Graph` from the names and looks names up in plain objects. Three kinds of
 * names break it: names whose derived values clash after its own counting (`a.b`, `a_b`, `a_b_1` lose one
 * subgraph without a word), names of `Object.prototype` members (`constructor`), and names that derive to
 * nothing legal (`_`, `__proto__`). When one of these is present, every name is replaced by a plain token for
 * the run and put back in what comes out.
 */
import { visit } from 'graphql'
import type { DocumentNode } from 'graphql'
import { federationDirectiveName, findFederationLink } from '../federation/federation-link.ts'

/** A parsed subgraph under the name that the library is given. */
export type NamedDocument = { readonly name: string; readonly document: DocumentNode }

/** Names that the library can hold, and the way back to the real ones. */
export type NameMapping = {
  /** True if the names were replaced, so that `restore` has an effect. */
  readonly replaced: boolean
  /** Same order as the input. */
  readonly subgraphs: readonly NamedDocument[]
  /** Puts the real names back into a message, or into one name. */
  readonly restore: (text: string) => string
}

/** Replaces all names when one of them would break the library, else none. */
export function mapSubgraphNames(subgraphs: readonly NamedDocument[]): NameMapping {
  const overrides = subgraphs.flatMap(({ document }) => overrideSources(document))
  const names = [...new Set([...subgraphs.map((subgraph) => subgraph.name), ...overrides])]
  if (!names.some(isUnsafe) && haveDistinctEnumValues(subgraphs.map((subgraph) => subgraph.name))) {
    return { replaced: false, subgraphs, restore: (text) => text }
  }
  const stem = unusedStem(subgraphs)
  const tokens = new Map(names.map((name, index) => [name, `${stem}${String(index).padStart(4, '0')}`]))
  const tokenOf = (name: string) => tokens.get(name) ?? name
  return {
    replaced: true,
    subgraphs: subgraphs.map(({ name, document }) => ({
      name: tokenOf(name),
      document: replaceOverrideSources(document, tokenOf),
    })),
    restore: (text) =>
      text.replaceAll(new RegExp(`${stem}(\\d{4,})`, 'g'), (token, index) => names[Number(index)] ?? token),
  }
}

function isUnsafe(name: string): boolean {
  return name in Object.prototype || !/^[0-9A-Za-z]/.test(name)
}

/**
 * The library's values are the letters and digits of the name in upper case with underscores between words;
 * it counts only where two are equal. Letters and digits that differ therefore mean values that differ.
 */
function haveDistinctEnumValues(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))).size === names.length
}

/** Ends in a letter, so that the digits behind it cannot run together with anything. */
function unusedStem(subgraphs: readonly NamedDocument[]): string {
  let stem = 'subgraphNumber'
  while (subgraphs.some(({ document }) => document.loc?.source.body.includes(stem))) stem += 'X'
  return stem
}

function overrideSources(document: DocumentNode): readonly string[] {
  const found: string[] = []
  replaceOverrideSources(document, (name) => {
    found.push(name)
    return name
  })
  return found
}

function replaceOverrideSources(document: DocumentNode, replace: (name: string) => string): DocumentNode {
  const link = findFederationLink(document)
  return visit(document, {
    Directive(node) {
      if (federationDirectiveName(link, node.name.value) !== 'override') return undefined
      return {
        ...node,
        arguments: (node.arguments ?? []).map((argument) =>
          argument.name.value === 'from' && argument.value.kind === 'StringValue'
            ? { ...argument, value: { ...argument.value, value: replace(argument.value.value) } }
            : argument,
        ),
      }
    },
  })
}
