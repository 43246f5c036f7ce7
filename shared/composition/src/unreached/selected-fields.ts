/** Finds fields in the selections that keys and `@requires` write as strings. */
import { Kind, type ASTNode } from 'graphql'
import type { Label } from '../catalogue/labels.ts'
import { argument } from '../federation/federation-link.ts'
import type { GraphPlace } from '../findings/finding.ts'
import type { Graph } from '../graph/graph.ts'
import type { FieldSelection, FieldsType, Key } from '../model/model.ts'
import { selectionText } from '../model/field-selection.ts'
import { parseFieldSet } from '../model/field-sets.ts'
import { walkSelection } from '../subgraph/rules/field-sets/walk.ts'

/** A selection of one subgraph, with the type of its outermost fields. */
export type Selection = {
  readonly at: number
  readonly type: FieldsType
  readonly selection: FieldSelection
}

/** Reads each selection once for all fields that are looked for. */
export class SelectedFields {
  readonly #graph: Graph
  readonly #nodes = new Map<FieldSelection, ReadonlyMap<string, ASTNode>>()
  readonly #texts = new Map<string, string>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  /** The name of the first selected field with these coordinates. */
  node(one: Selection, coordinate: string): ASTNode | null {
    let nodes = this.#nodes.get(one.selection)
    if (nodes === undefined) {
      nodes = this.#read(one)
      this.#nodes.set(one.selection, nodes)
    }
    return nodes.get(coordinate) ?? null
  }

  /** The place of a field in a selection, or the whole selection if it is selected in other words. */
  place(one: Selection, coordinate: string, label: Label): GraphPlace {
    const { at, selection } = one
    const inner = this.node(one, coordinate)
    if (inner !== null)
      return {
        subgraph: at,
        node: selection.node,
        within: { selection: selection.set, node: inner },
        label,
      }
    const value = argument(selection.node, 'fields')
    return { subgraph: at, node: value?.kind === Kind.STRING ? value : selection.node, label }
  }

  /** The keys of a type that select what the text of a supergraph's key does. */
  keysLike(text: string, keys: readonly Key[]): readonly Key[] {
    let plain = this.#texts.get(text)
    if (plain === undefined) {
      const set = parseFieldSet(text)
      plain = set === null ? text : selectionText(set)
      this.#texts.set(text, plain)
    }
    return keys.filter(({ fields }) => fields.text === plain)
  }

  #read({ at, type, selection }: Selection): ReadonlyMap<string, ASTNode> {
    const nodes = new Map<string, ASTNode>()
    const model = this.#graph.subgraphs[at]
    if (model === undefined) return nodes
    for (const { type: on, node } of walkSelection(model, selection.set, type, () => true)) {
      const coordinate = `${on.name}.${node.name.value}`
      if (!nodes.has(coordinate)) nodes.set(coordinate, node.name)
    }
    return nodes
  }
}

/** A selection as its author wrote it. */
export function writtenText({ node, text }: FieldSelection): string {
  const value = argument(node, 'fields')
  return value?.kind === Kind.STRING ? value.value : text
}
