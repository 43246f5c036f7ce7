/**
 * Repair: fields that move under a label (`@override(from:, label:)`) as inputs of keys and requirements.
 *
 * The library can follow a label only along what a client asks; the same field as a key or in `@requires`
 * counts as unreachable. Under any one setting of the labels each field has one plain owner, and that the
 * library judges rightly: so each setting is judged, with an active label as a plain override and an inactive
 * one as the override back.
 */
import { Kind, visit } from 'graphql'
import type { ConstDirectiveNode, DocumentNode } from 'graphql'
import { argument, federationDirectiveName } from '../federation/federation-link.ts'
import { federationDirectives, type ParsedSubgraph } from '../subgraph/subgraph.ts'

/** All settings of up to four labels; of more: none, all, and each label alone active or alone inactive. */
const ALL_SETTINGS_UP_TO = 4

type Move = { readonly place: string; readonly from: string; readonly to: string; readonly label: string }

/**
 * Documents for each setting, in the order of the subgraphs. Empty: no labels, or an owner that cannot
 * override back.
 */
export function settingsOfLabels(
  subgraphs: readonly ParsedSubgraph[],
  documents: readonly DocumentNode[],
): readonly (readonly DocumentNode[])[] {
  const moves = subgraphs.flatMap((subgraph) => movesOf(subgraph))
  const known = new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph]))
  if (moves.some(({ from }) => known.get(from)?.link === null)) return []
  const labels = [...new Set(moves.map(({ label }) => label))].sort()
  if (labels.length === 0) return []
  return settings(labels).map((active) =>
    subgraphs.map((subgraph, index) =>
      withSetting(subgraph, documents[index] ?? subgraph.document, moves, active),
    ),
  )
}

function movesOf(subgraph: ParsedSubgraph): readonly Move[] {
  return [...subgraph.types.values()].flatMap((type) =>
    [...type.fields.values()].flatMap((field) =>
      federationDirectives(subgraph, field, 'override').flatMap((node): readonly Move[] => {
        const [from, label] = [argument(node, 'from'), argument(node, 'label')]
        if (from?.kind !== Kind.STRING || label?.kind !== Kind.STRING) return []
        return [
          {
            place: `${type.name}.${field.name.value}`,
            from: from.value,
            to: subgraph.name,
            label: label.value,
          },
        ]
      }),
    ),
  )
}

function settings(labels: readonly string[]): readonly ReadonlySet<string>[] {
  if (labels.length > ALL_SETTINGS_UP_TO) {
    const alone = labels.map((label) => new Set([label]))
    const without = labels.map((label) => new Set(labels.filter((other) => other !== label)))
    return [new Set<string>(), new Set(labels), ...alone, ...without]
  }
  return Array.from(
    { length: 2 ** labels.length },
    (_, bits) => new Set(labels.filter((_label, index) => (bits >> index) % 2 === 1)),
  )
}

function withSetting(
  subgraph: ParsedSubgraph,
  document: DocumentNode,
  moves: readonly Move[],
  active: ReadonlySet<string>,
): DocumentNode {
  let parent = ''
  const enterType = (node: { readonly name: { readonly value: string } }) => void (parent = node.name.value)
  return visit(document, {
    ObjectTypeDefinition: enterType,
    ObjectTypeExtension: enterType,
    FieldDefinition(node) {
      const here = moves.filter(({ place }) => place === `${parent}.${node.name.value}`)
      const inwards = here.find(({ to }) => to === subgraph.name)
      const outwards = here.find(({ from }) => from === subgraph.name)
      if (inwards !== undefined) {
        const isActive = active.has(inwards.label)
        return {
          ...node,
          directives: node.directives?.flatMap((one) => plainOverride(subgraph, one, isActive)),
        }
      }
      if (outwards === undefined || active.has(outwards.label)) return undefined
      return { ...node, directives: [...(node.directives ?? []), overrideFrom(subgraph, outwards.to)] }
    },
  })
}

function plainOverride(
  subgraph: ParsedSubgraph,
  node: ConstDirectiveNode,
  isActive: boolean,
): readonly ConstDirectiveNode[] {
  if (federationDirectiveName(subgraph.link, node.name.value) !== 'override') return [node]
  return isActive
    ? [{ ...node, arguments: node.arguments?.filter(({ name }) => name.value !== 'label') }]
    : []
}

function overrideFrom(subgraph: ParsedSubgraph, from: string): ConstDirectiveNode {
  const imported = [...(subgraph.link?.imports ?? [])].find(([, name]) => name === 'override')?.[0]
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: imported ?? 'federation__override' },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'from' },
        value: { kind: Kind.STRING, value: from },
      },
    ],
  }
}
