/** A folder with what readers of the pages have: subgraphs that run, their schemas, and settings. */
import { writeFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freePorts, serveSubgraph, temporaryDirectory } from '../../../shared/testkit/src/index.ts'
import { fenceOf } from './commands.ts'
import { PageShell } from './page-shell.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\n'
const PRODUCTS = `${LINK}type Query { products: [Product!]! }\ntype Product @key(fields: "id") { id: ID! name: String }\n`
const NEXT = PRODUCTS.replace('name: String', 'name: String price: Int')
const SUPERGRAPH = join(import.meta.dirname, '../../../infra/docker/build/warm-up.graphql')

/** Ports of the router, the registry, and two subgraphs, as the pages name them. */
const NAMED = ['4000', '4100', '5001', '5002', '6379'] as const

export class PageWorld implements AsyncDisposable {
  readonly folder: string
  readonly shell: PageShell
  readonly #parts: AsyncDisposable

  private constructor(folder: string, shell: PageShell, parts: AsyncDisposable) {
    this.folder = folder
    this.shell = shell
    this.#parts = parts
  }

  /** `files`: further ones, by their path from the folder. */
  static async create(files: Readonly<Record<string, string>> = {}): Promise<PageWorld> {
    await using parts = new AsyncDisposableStack()
    const { path: folder } = parts.use(await temporaryDirectory())
    const free = await freePorts(NAMED.length)
    const ports = new Map(NAMED.map((name, index) => [name as string, free[index] ?? 0]))
    const port = (name: (typeof NAMED)[number]): number => ports.get(name) ?? 0
    const resolvers = { Query: { products: () => [{ id: '1', name: 'Tent', price: 1 }] } }
    parts.use(await serveSubgraph({ sdl: PRODUCTS, resolvers, port: port('5001') }))
    parts.use(await serveSubgraph({ sdl: NEXT, resolvers, port: port('5002') }))
    const withPorts = (text: string): string =>
      text.replaceAll(/\b\d{4}\b/g, (name) => String(ports.get(name) ?? name))
    const all = {
      'products.graphql': PRODUCTS,
      'products-next.graphql': NEXT,
      'graph.yaml': withPorts(fenceOf('README.md', 'yaml')),
      'router.yaml': 'limits: { max_depth: 20 }\n',
      'query.graphql': '{ products { name } }\n',
      ...files,
    }
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    const env = {
      SWITCHYARD_ROUTER_PORT: String(port('4000')),
      SWITCHYARD_REGISTRY_PORT: String(port('4100')),
      SWITCHYARD_PORT: String(port('4000')),
      DEV_MODE: 'true',
      ENGINE_ENABLE_DEFER: 'true',
    }
    const shell = parts.use(new PageShell(folder, ports, env))
    const open = parts.move()
    return new PageWorld(folder, shell, { [Symbol.asyncDispose]: () => open.disposeAsync() })
  }

  /** `switchyard up` runs, with a graph that has no subgraph yet. */
  async start(): Promise<void> {
    await this.shell.run('switchyard up')
    await this.shell.run('switchyard federated-graph create shop --label-matcher team=web')
  }

  /** As `start`, with a subgraph that is served. */
  async publish(): Promise<void> {
    await this.start()
    await this.shell.run(
      'switchyard subgraph publish products --schema products.graphql --routing-url http://localhost:5001/graphql --label team=web',
    )
  }

  /** Writes `config.json` and `supergraph.graphql`. */
  async compose(): Promise<void> {
    await this.shell.run('switchyard router compose --input graph.yaml --out config.json')
    await this.shell.run(`cp '${SUPERGRAPH}' supergraph.graphql`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]()
  }
}
