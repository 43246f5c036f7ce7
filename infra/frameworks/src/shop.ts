/**
 * The whole shop: a process per subgraph, their schemas taken over HTTP, composed by `switchyard router
 * compose`, and served by `switchyard router start`. Two flags serve other subgraphs: `next-stock` replaces
 * the stock by a later version of it, `elsewhere` replaces the two subgraphs in other languages by the same
 * ones in JavaScript, so that every answer has to stay as it is. A third, `stale`, publishes schemas with a
 * root field that no subgraph has.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts, runSwitchyard } from '@switchyard/e2e'
import { temporaryDirectory } from '@switchyard/testkit'
import { FRAMEWORK_SUBGRAPHS, standIn, type SubgraphProgram } from './framework-subgraphs.ts'
import { startRouter } from './router-program.ts'
import { SubgraphProcess } from './subgraph-process.ts'
import { WireTap } from './wire-tap.ts'

export const SUBGRAPH_NAMES = ['catalog', 'accounts', 'shipping', 'stock', 'reviews'] as const
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number]

export type ShopSubgraph = {
  readonly process: SubgraphProcess
  readonly tap: WireTap
  readonly sdl: string
}

export type Shop = AsyncDisposable & {
  readonly url: string
  readonly subgraphs: Readonly<Record<SubgraphName, ShopSubgraph>>
  readonly features: Readonly<Record<FeatureName, ShopSubgraph>>
  readonly executionConfig: string
  /** The supergraph of the graph without flags. */
  readonly supergraphSdl: string
}

const SETTINGS = {
  engine: { enable_defer: true },
  access_log: { enabled: false },
  subgraph_errors: { allowed_extensions: ['code', 'hours', 'carrier', 'stars', 'level'] },
}

const FEATURES = ['stock-next', 'stock-elsewhere', 'reviews-elsewhere'] as const
type FeatureName = (typeof FEATURES)[number]

export async function openShop(): Promise<Shop> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await temporaryDirectory())
  const ports = await freePorts(SUBGRAPH_NAMES.length + FEATURES.length + 1)
  const open = async (program: SubgraphProgram, port: number): Promise<ShopSubgraph> => {
    const subgraph = parts.use(await SubgraphProcess.start(program, port))
    const tap = parts.use(await WireTap.open(port, program.path))
    return { process: subgraph, tap, sdl: await subgraph.sdl() }
  }
  const programs = [...SUBGRAPH_NAMES.map(programOf), ...FEATURES.map(featureProgram)]
  // Where one fails, the others are waited for: what has started by then is stopped.
  const settled = await Promise.allSettled(
    programs.map((program, index) => open(program, at(ports, index + 1))),
  )
  const opened = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  const subgraphs = record(SUBGRAPH_NAMES, (_, index) => at(opened, index))
  const features = record(FEATURES, (_, index) => at(opened, SUBGRAPH_NAMES.length + index))

  const executionConfig = join(folder.path, 'config.json')
  await compose({ ...subgraphs, ...features }, folder.path, executionConfig)
  const port = at(ports, 0)
  parts.use(await startRouter(folder.path, executionConfig, port, SETTINGS))

  const running = parts.move()
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    subgraphs,
    features,
    executionConfig,
    supergraphSdl: await supergraphIn(executionConfig),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The root field that only the schema of `<name>-stale` has. */
export function ghostOf(name: SubgraphName): string {
  return `ghostOf${name[0]?.toUpperCase()}${name.slice(1)}`
}

function programOf(name: SubgraphName): SubgraphProgram {
  const found = FRAMEWORK_SUBGRAPHS.find(({ program }) => program.name === name)
  if (found === undefined) throw new Error(`No framework has the subgraph "${name}".`)
  return found.missing !== null && found.standIn !== null ? found.standIn : found.program
}

function featureProgram(name: FeatureName): SubgraphProgram {
  switch (name) {
    case 'stock-next':
      return standIn('stock-next')
    case 'stock-elsewhere':
      return standIn('stock')
    case 'reviews-elsewhere':
      return standIn('reviews')
    default:
      return name satisfies never
  }
}

async function compose(
  all: Readonly<Record<SubgraphName | FeatureName, ShopSubgraph>>,
  folder: string,
  executionConfig: string,
): Promise<void> {
  const entry = async (name: string, { sdl, tap }: Pick<ShopSubgraph, 'sdl' | 'tap'>) => {
    await writeFile(join(folder, `${name}.graphql`), sdl)
    return { name, routing_url: tap.url, schema: { file: `./${name}.graphql` } }
  }
  const feature = async (name: FeatureName, replaced: SubgraphName) => ({
    ...(await entry(name, all[name])),
    subgraph_name: replaced,
  })
  const graph = {
    version: 1,
    subgraphs: await Promise.all(SUBGRAPH_NAMES.map((name) => entry(name, all[name]))),
    feature_flags: [
      { name: 'next-stock', feature_graphs: [await feature('stock-next', 'stock')] },
      {
        name: 'stale',
        feature_graphs: await Promise.all(
          SUBGRAPH_NAMES.map(async (name) => ({
            ...(await entry(`${name}-stale`, {
              sdl: `${all[name].sdl}\nextend type Query { ${ghostOf(name)}: String }`,
              tap: all[name].tap,
            })),
            subgraph_name: name,
          })),
        ),
      },
      {
        name: 'elsewhere',
        feature_graphs: [
          await feature('stock-elsewhere', 'stock'),
          await feature('reviews-elsewhere', 'reviews'),
        ],
      },
    ],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'graph.yaml'), JSON.stringify(graph))
  const { code, stdout, stderr } = await runSwitchyard(
    ['router', 'compose', '--input', 'graph.yaml', '--out', executionConfig],
    {},
    folder,
  )
  if (code !== 0) throw new Error(`The graph does not compose (exit code ${code}):\n${stdout}${stderr}`)
}

async function supergraphIn(executionConfig: string): Promise<string> {
  const config = JSON.parse(await readFile(executionConfig, 'utf8')) as {
    readonly base: { readonly supergraphSdl: string }
  }
  return config.base.supergraphSdl
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new RangeError(`There is no value ${index} of ${values.length}.`)
  return value
}

function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name, index: number) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name, index) => [name, value(name, index)])) as Record<Name, Value>
}
