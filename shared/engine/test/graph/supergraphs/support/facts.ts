/**
 * What planning can know about a supergraph, spelt in one way: two composers may write the same facts
 * differently (`join__field` on every subgraph or on none, spaces in selections, defaults written out).
 */
import type { CompiledEdge, CompiledType, TypeRef } from '../../../../src/graph/compiled/compiled-graph.ts'
import { type Graph, printTypeRef, typeOf } from '../../../../src/graph/graph.ts'
import { type TypeId, typeId } from '../../../../src/ids/ids.ts'
import { fieldSetText } from '../../../../src/graph/moves/field-set-text.ts'

/** Lines, sorted: `Product.price in b: Int! requires {weight}`. */
export function factsOf(graph: Graph): readonly string[] {
  return graph.compiled.types
    .flatMap((type) => [...typeFacts(graph, type), ...fieldFacts(graph, type)])
    .sort()
}

function typeFacts(graph: Graph, type: CompiledType): readonly string[] {
  const hidden = type.inaccessible ? ' inaccessible' : ''
  return [
    `${type.kind} ${type.name}${hidden} = ${names(graph, type.possible)}`,
    ...type.enumValues.map(
      ({ name, inaccessible }) => `${type.name}.${name}${inaccessible ? ' inaccessible' : ''}`,
    ),
    ...type.presence.flatMap(({ sub, interfaceObject, keys, runtime }) => [
      `${type.name} in ${subName(graph, sub)}${interfaceObject ? ' as interface object' : ''} = ${names(graph, runtime)}`,
      ...keys.map(
        ({ fieldSet, resolvable }) =>
          `${type.name} in ${subName(graph, sub)} by {${selectionText(graph, fieldSet)}}${resolvable ? '' : ' unresolvable'}`,
      ),
    ]),
  ]
}

function fieldFacts(graph: Graph, type: CompiledType): readonly string[] {
  return type.fields.flatMap((field) => {
    const coordinate = `${type.name}.${field.name}`
    return [
      `${coordinate}: ${printTypeRef(graph, field.type)}${field.inaccessible ? ' inaccessible' : ''}`,
      ...field.edges.map(
        (edge) => `${coordinate} in ${subName(graph, edge.sub)}${edgeText(graph, edge, field.type)}`,
      ),
    ]
  })
}

function edgeText(graph: Graph, edge: CompiledEdge, type: TypeRef): string {
  const own = printTypeRef(graph, edge.type)
  const label = graph.compiled.labels[edge.label]
  return [
    own === printTypeRef(graph, type) ? '' : `: ${own}`,
    edge.external ? ' external' : '',
    edge.requires === null ? '' : ` requires {${selectionText(graph, edge.requires.fieldSet)}}`,
    edge.provides === null ? '' : ` provides {${selectionText(graph, edge.provides)}}`,
    label === undefined ? '' : ` ${edge.wantLabel ? 'with' : 'without'} ${label}`,
  ].join('')
}

/** Types are numbered per supergraph: by name they can be compared between two. */
function selectionText(graph: Graph, fieldSet: Parameters<typeof fieldSetText>[0]): string {
  return fieldSetText(fieldSet).replaceAll(
    /\.\.\.(\d+)/g,
    (_, id) => `...${typeOf(graph, typeId(Number(id))).name}`,
  )
}

function subName(graph: Graph, sub: number): string {
  return graph.compiled.subgraphs[sub]?.name ?? String(sub)
}

function names(graph: Graph, ids: readonly TypeId[]): string {
  return ids.map((id) => typeOf(graph, id).name).join('|')
}
