/** A registry with a graph that is composed for real, of subgraphs that a test publishes. */
import { buildArtifact, compose, toCompositionMessage } from '@switchyard/composition'
import type { CommandOutcome } from '@switchyard/contracts'
import { type Client, openStorage, outcome, ROUTING_URL, startClient } from '../harness.ts'
import { type Downstream, startDownstream } from '../downstream.ts'

export type ComposingShop = AsyncDisposable & {
  readonly client: Client
  readonly downstream: Downstream
  /** Publishes a subgraph, or a feature subgraph of `base`, and waits for what it causes. */
  publish(name: string, sdl: string, base?: string): Promise<CommandOutcome>
}

export async function startComposingShop(): Promise<ComposingShop> {
  await using stack = new AsyncDisposableStack()
  const storage = stack.use(await openStorage())
  const client = stack.use(await startClient(storage))
  const downstream = stack.use(startDownstream(storage.log, storage.blobs))
  downstream.compose = async (subgraphs) => {
    const sdls = subgraphs.map(async ({ schema, ...subgraph }) => {
      return { ...subgraph, sdl: Buffer.from(await storage.blobs.get(schema)).toString('utf8') }
    })
    const composed = compose({ subgraphs: await Promise.all(sdls) })
    if (composed.kind === 'failed') return composed.errors.map(toCompositionMessage)
    return Buffer.from(JSON.stringify(buildArtifact(composed.supergraphSdl, subgraphs)))
  }
  outcome(await client.post('/v1/graphs/default', { name: 'shop' }))
  const owned = stack.move()
  return {
    client,
    downstream,
    async publish(name, sdl, base) {
      const more = base === undefined ? {} : { subgraph: base }
      const path = `/v1/subgraphs/default/${name}/schema`
      return outcome(await client.put(path, { sdl, routingUrl: ROUTING_URL, ...more }))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
