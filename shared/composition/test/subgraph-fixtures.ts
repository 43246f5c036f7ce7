import { Work } from '../src/memory/work.ts'
import { readGraph } from '../src/graph/graph.ts'
import { mergeSubgraphs } from '../src/merge/merge.ts'
import { readModel } from '../src/model/read-model.ts'
import { printSupergraph } from '../src/supergraph/print-graph.ts'
import { compose } from '@switchyard/composition'
import type { CompositionError, CompositionInput, CompositionResult } from '@switchyard/composition'
import { parse, visit } from 'graphql'
import { expect } from 'vitest'

export const FED2 =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@interfaceObject"])\n'

export type ComposeOptions = Pick<CompositionInput, 'allowUnenforcedAuthorization'>

export function composeSdls(
  sdls: Readonly<Record<string, string>>,
  options: ComposeOptions = {},
): CompositionResult {
  return composePairs(Object.entries(sdls), options)
}

/** Pairs, for names that an object literal cannot hold. */
export function composePairs(
  pairs: readonly (readonly [string, string])[],
  { allowUnenforcedAuthorization }: ComposeOptions = {},
): CompositionResult {
  return compose({
    allowUnenforcedAuthorization,
    subgraphs: pairs.map(([name, sdl]) => ({ name, routingUrl: `http://${encodeURIComponent(name)}/`, sdl })),
  })
}

export function expectComposed(result: CompositionResult): string {
  if (result.kind === 'failed') expect.fail(result.errors.map((error) => error.message).join('\n'))
  return result.supergraphSdl
}

export function expectFailed(result: CompositionResult): readonly CompositionError[] {
  if (result.kind === 'composed') expect.fail('composed')
  expect(result.errors).not.toHaveLength(0)
  return result.errors
}

/** The supergraph that the merge makes of subgraphs which no rule refuses. */
export function mergeSdls(sdls: Readonly<Record<string, string>>): string {
  const { merged, subgraphs } = mergedOf(sdls)
  return printSupergraph(merged, subgraphs).text
}

/** Merges schemas without any rule, with the subgraphs as the supergraph names them. */
export function mergedOf(sdls: Readonly<Record<string, string>>) {
  const names = Object.keys(sdls).sort()
  const models = names.map((name) => readModel(parse(sdls[name] ?? '', { noLocation: true })))
  const positions = new Map(names.map((name, at) => [name, at]))
  const graph = readGraph(models, positions)
  const merged = mergeSubgraphs(graph, new Work(null, false).byType(undefined, graph.changed))
  const subgraphs = names.flatMap((name, at) => {
    const model = models[at]
    return model === undefined ? [] : [{ name, routingUrl: `http://${name}`, valueName: name, model }]
  })
  return { merged, subgraphs }
}

export function graphsOf(
  supergraphSdl: string,
): readonly { readonly value: string; readonly name: string; readonly url: string }[] {
  const graphs: { value: string; name: string; url: string }[] = []
  visit(parse(supergraphSdl), {
    EnumValueDefinition(node) {
      const join = node.directives?.find((directive) => directive.name.value === 'join__graph')
      if (join === undefined) return
      const read = (name: string) => {
        const value = join.arguments?.find((argument) => argument.name.value === name)?.value
        return value?.kind === 'StringValue' ? value.value : ''
      }
      graphs.push({ value: node.name.value, name: read('name'), url: read('url') })
    },
  })
  return graphs
}
