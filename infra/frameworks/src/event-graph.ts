/**
 * A graph whose subgraphs send events, each in another framework and in a process of its own, composed and
 * served as users do it. One more subgraph adds to what they send.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts, runSwitchyard } from '@switchyard/e2e'
import { temporaryDirectory } from '@switchyard/testkit'
import { EVENT_SUBGRAPHS, PRICES } from './framework-subgraphs.ts'
import { startRouter } from './router-program.ts'
import { SubgraphProcess } from './subgraph-process.ts'

export type EventGraph = AsyncDisposable & {
  readonly url: string
  /** The subgraphs by their names. Frameworks that cannot run on this machine are left out. */
  readonly subgraphs: ReadonlyMap<string, SubgraphProcess>
}

export async function openEventGraph(): Promise<EventGraph> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await temporaryDirectory())
  const present = EVENT_SUBGRAPHS.filter(({ missing }) => missing === null)
  const programs = [...present.map(({ program }) => program), PRICES]
  const [port = 0, ...ports] = await freePorts(programs.length + 1)
  const subgraphs = new Map<string, SubgraphProcess>()
  const entries: object[] = []
  for (const [index, program] of programs.entries()) {
    const subgraph = parts.use(await SubgraphProcess.start(program, ports[index] ?? 0))
    subgraphs.set(program.name, subgraph)
    await writeFile(join(folder.path, `${program.name}.graphql`), await subgraph.sdl())
    entries.push({
      name: program.name,
      routing_url: subgraph.url,
      schema: { file: `./${program.name}.graphql` },
    })
  }
  // JSON is YAML.
  await writeFile(join(folder.path, 'graph.yaml'), JSON.stringify({ version: 1, subgraphs: entries }))
  const executionConfig = join(folder.path, 'config.json')
  const { code, stdout, stderr } = await runSwitchyard(
    ['router', 'compose', '--input', 'graph.yaml', '--out', executionConfig],
    {},
    folder.path,
  )
  if (code !== 0) throw new Error(`The graph does not compose (exit code ${code}):\n${stdout}${stderr}`)
  const overrides = Object.fromEntries(
    present.map(({ prefix, protocol }) => [prefix, { subscriptions: { protocol } }]),
  )
  const settings = { subscriptions: { enabled: true }, subgraphs: { overrides } }
  parts.use(await startRouter(folder.path, executionConfig, port, settings))
  const running = parts.move()
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    subgraphs,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
