/**
 * `feature-flag diff`: how the client schema with a flag differs from the base, in every graph that the flag
 * is for.
 */
import { didYouMean } from '@switchyard/contracts'
import { type FeatureFlag, type NamespaceState } from '@switchyard/domain'
import { diffFlag, flagInGraphs, type FlagInGraph, isServed } from '@switchyard/schema-checks'
import type { CommandResult } from '../output/command-result.ts'
import { LocalRefusal } from '../run/errors.ts'
import { interruptible } from '../run/interruptible.ts'
import { diffResult } from './diff-report.ts'
import type { CheckCall } from './checked.ts'
import type { Diffed, DiffOptions, GraphDiff } from './diffed.ts'
import { onOneState, readSchemas, readServed } from './read-namespace.ts'

/** Compares what is served of base and flag. If nothing is served, they are composed here. */
export async function diffFeatureFlag(call: CheckCall, options: DiffOptions): Promise<CommandResult> {
  const { context, registry, namespace } = call
  const diffed = await interruptible(context.signal, () =>
    onOneState(registry, namespace, (state) => diff(call, options, state)),
  )
  return diffResult(diffed, context)
}

async function diff(
  { context, registry, namespace }: CheckCall,
  options: DiffOptions,
  state: NamespaceState,
): Promise<Diffed> {
  const flag = state.flags.get(options.name)
  if (flag === undefined) {
    throw new LocalRefusal(
      'NOT_FOUND',
      `There is no feature flag "${options.name}" in namespace "${namespace}".${didYouMean(options.name, state.flags.keys())}`,
    )
  }
  const places = placesOf(state, flag, options.graph)
  const applying = places.filter(({ applicability }) => applicability.kind === 'applies')
  const served = await readServed(
    registry,
    namespace,
    applying.map(({ graph }) => graph),
  )
  const composed = applying.filter(({ graph }) => !isServed(served.get(graph), flag.name))
  const inputs = composed.flatMap(({ base, flag: withFlag }) => [...base, ...withFlag])
  const sdls = await readSchemas(registry, namespace, new Map(inputs.map((input) => [input.schema, input])))
  const graphs: GraphDiff[] = []
  for (const place of places) {
    context.signal.throwIfAborted()
    const applies = place.applicability.kind === 'applies'
    const found = applies ? await diffFlag(flag.name, place, { sdls, served: served.get(place.graph) }) : null
    graphs.push({ place, diff: found })
  }
  const sources = new Map(
    inputs.flatMap(({ name, schema }) => {
      const sdl = sdls.get(schema)
      return sdl === undefined ? [] : [[name, { sdl }] as const]
    }),
  )
  return { ...options, namespace, flag, graphs, sources }
}

function placesOf(
  state: NamespaceState,
  { name }: FeatureFlag,
  graph: string | undefined,
): readonly FlagInGraph[] {
  const places = flagInGraphs(state, name)
  if (graph === undefined) return places
  if (!state.graphs.has(graph)) {
    throw new LocalRefusal(
      'NOT_FOUND',
      `There is no federated graph "${graph}" in namespace "${state.namespace}".${didYouMean(graph, state.graphs.keys())}`,
    )
  }
  const place = places.find((candidate) => candidate.graph === graph)
  if (place !== undefined) return [place]
  throw new LocalRefusal(
    'NOT_FOUND',
    `Feature flag "${name}" does not apply to federated graph "${graph}": its labels do not satisfy the graph's label matchers.`,
  )
}
