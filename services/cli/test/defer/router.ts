/** A router as a process of its own, as one stands behind proxies. It asks no subgraph: there is none. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServiceProcess, temporaryDirectory } from '@switchyard/testkit'

const MAIN = 'services/router/src/main.ts'
const SUPERGRAPH = `
schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.4", for: EXECUTION) { query: Query }
enum join__Graph { ONE @join__graph(name: "one", url: "http://127.0.0.1:9/graphql") }
type Query @join__type(graph: ONE) { one: Int }
`

export type ProbedRouter = AsyncDisposable & { readonly url: string; readonly output: () => string }

export async function startRouter(env: Readonly<Record<string, string>>): Promise<ProbedRouter> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryDirectory())
  const file = join(folder.path, 'supergraph.graphql')
  await writeFile(file, SUPERGRAPH)
  const running = stack.use(await startServiceProcess(MAIN, { SWITCHYARD_SUPERGRAPH: file, ...env }))
  const kept = stack.move()
  return {
    url: `http://127.0.0.1:${running.port}/graphql`,
    output: () => running.output(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
