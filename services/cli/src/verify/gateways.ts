/** Opens both gateways on one supergraph, with sample subgraphs or with the real ones. */
import { compileSupergraph, type Graph, isJsonObject, openGraph } from '@switchyard/engine'
import { oneServer, sampleSubgraphs } from '@switchyard/samples'
import {
  isolatedSecondOpinion,
  type IsolatedSecondOpinion,
  type Opinion,
  SecondOpinionError,
} from '@switchyard/second-opinion'
import { engineGateway, type EngineGateway } from './engine-gateway.ts'
import { type Judge, openJudge } from './judge.ts'
import { openLiveJudge } from './live-judge.ts'
import type { AskSubgraph } from './operation.ts'

/** The supergraph, the active labels, and the seed of sample values. */
export type GatewayOptions = {
  readonly supergraphSdl: string
  readonly labels: ReadonlySet<string>
  readonly seed: number
}

/** A judge together with the servers that it asks. */
export type OpenJudge = AsyncDisposable & { readonly judge: Judge }

/** Throws SupergraphError where the engine does not load the supergraph. */
export function openVerifiedGraph(supergraphSdl: string): Graph {
  return openGraph(compileSupergraph(supergraphSdl))
}

/** `ours` may put another engine in the place of the right one. */
export async function openSampleJudge(
  graph: Graph,
  options: GatewayOptions,
  ours: (ask: AskSubgraph) => EngineGateway = (ask) => engineGateway(graph, ask, options.labels),
): Promise<OpenJudge> {
  const samples = sampleSubgraphs(options)
  const ask: AskSubgraph = (subgraph, question) => samples.ask(subgraph, question)
  const server = oneServer(samples.world, graph.apiSchema)
  const theirs = await stitched(options, ask)
  const judge = openJudge({
    graph,
    ours: ours(ask),
    theirs,
    oneServer: async (operation) => {
      const { data, errors = [] } = await server.answer(operation)
      return {
        data: asData(data),
        errors: errors.map(({ message, path }) => ({ message, path: path ?? null })),
      }
    },
  })
  return { judge, [Symbol.asyncDispose]: () => close(theirs) }
}

/** Samples that the real subgraphs' differences are looked for in. */
const SAMPLE_SEEDS = 3

/** A judge that asks the real subgraphs. */
export async function openRealJudge(
  graph: Graph,
  options: GatewayOptions,
  ask: AskSubgraph,
): Promise<OpenJudge> {
  await using opened = new AsyncDisposableStack()
  const theirs = await stitched(options, ask)
  opened.defer(() => close(theirs))
  const samples: Judge[] = []
  for (let seed = options.seed; seed < options.seed + SAMPLE_SEEDS; seed++)
    samples.push(opened.use(await openSampleJudge(graph, { ...options, seed })).judge)
  const judge = openLiveJudge({ ours: engineGateway(graph, ask, options.labels), theirs, samples })
  const keep = opened.move()
  return { judge, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

async function stitched(
  { supergraphSdl, labels }: GatewayOptions,
  ask: AskSubgraph,
): Promise<IsolatedSecondOpinion | SecondOpinionError> {
  try {
    return await isolatedSecondOpinion({
      supergraphSdl,
      labels,
      execute: (subgraph, { document, variables }) => ask(subgraph, { query: document, variables }),
    })
  } catch (error) {
    if (error instanceof SecondOpinionError) return error
    throw error
  }
}

async function close(opinion: IsolatedSecondOpinion | SecondOpinionError): Promise<void> {
  if (!(opinion instanceof SecondOpinionError)) await opinion[Symbol.asyncDispose]()
}

function asData(data: unknown): Opinion['data'] {
  return isJsonObject(data) ? data : null
}
