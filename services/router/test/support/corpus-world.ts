/** A suite of the engine's corpus behind a router: its subgraphs over HTTP, and what they received. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '@switchyard/composition'
import { createMonolith, createSubgraphs, subgraphInputs, type Suite } from '@switchyard/corpus'
import { buildSchema } from 'graphql'
import { start, type TestRouter } from './router.ts'
import { closeServer, listenOnFreePort } from './subgraph.ts'

export type Received = { readonly subgraph: string; readonly body: unknown }

export type CorpusWorld = AsyncDisposable & {
  readonly router: TestRouter
  /** Since the last call. */
  takeReceived(): readonly Received[]
}

/** `change`: what is made of the supergraph before the router gets it. */
export async function startCorpusWorld(
  suite: Suite,
  settings: string,
  change: (supergraphSdl: string) => string = (sdl) => sdl,
): Promise<CorpusWorld> {
  await using parts = new AsyncDisposableStack()
  const schema = suite.whole === undefined ? createMonolith(suite).schema : buildSchema(suite.whole)
  const subgraphs = createSubgraphs(suite, schema)
  const received: Received[] = []
  const server = createServer((request, response) => {
    const subgraph = decodeURIComponent(request.url ?? '').slice(1)
    const answer = async (body: string) => {
      received.push({ subgraph, body: JSON.parse(body) })
      const given = await subgraphs.get(subgraph)?.server.execute(body, suite.tables?.() ?? {})
      if (given === undefined) throw new Error(`There is no subgraph ${subgraph}`)
      const sent = suite.subgraphs[subgraph]?.sabotage?.(body, given) ?? { kind: 'answer', ...given }
      if (sent.kind === 'failure') return response.destroy()
      response.writeHead(sent.status, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(sent.body))
    }
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => void answer(body).catch(() => response.destroy()))
  })
  const port = await listenOnFreePort(server)
  parts.defer(() => closeServer(server))
  const composed = compose({
    subgraphs: subgraphInputs(suite).map((input) => ({
      ...input,
      routingUrl: `http://127.0.0.1:${port}/${encodeURIComponent(input.name)}`,
    })),
  })
  if (composed.kind === 'failed') throw new Error(`The suite ${suite.name} does not compose`)
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-traces-'))
  parts.defer(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'supergraph.graphql')
  await writeFile(path, change(composed.supergraphSdl))
  // Progressive overrides draw for each request; here they draw the same each time.
  const overrides = { random: () => 0.4 }
  const router = parts.use(await start({ kind: 'supergraph', path }, { settings, overrides }))
  await router.ready
  const world = parts.move()
  return {
    router,
    takeReceived: () => received.splice(0),
    [Symbol.asyncDispose]: () => world.disposeAsync(),
  }
}
