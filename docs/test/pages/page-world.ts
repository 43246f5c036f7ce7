/** A folder with what readers of the pages have: subgraphs that run, their schemas, and settings. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type Collector,
  freePorts,
  serveSubgraph,
  startCollector,
  temporaryDirectory,
  waitFor,
} from '../../../shared/testkit/src/index.ts'
import { fenceOf, ROOT } from './commands.ts'
import { PageShell, type PageShellOptions } from './page-shell.ts'
import { withPorts } from './ports.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\n'
export const PRODUCTS = `${LINK}type Query { products: [Product!]! }\ntype Product @key(fields: "id") { id: ID! name: String }\n`
export const NEXT = PRODUCTS.replace('name: String', 'name: String price: Int')
const SUPERGRAPH = join(ROOT, 'infra/docker/build/warm-up.graphql')

/** Ports of a router, a registry, subgraphs, Redis, metrics, a collector and the demo, as pages name them. */
const NAMED = [
  ...(['4000', '4100', '5001', '5002', '6379', '9464', '4318'] as const),
  ...(['4101', '4102', '4103', '4104', '4201'] as const),
] as const
type NamedPort = (typeof NAMED)[number]

/** What `make` does is done in this checkout, since tools that follow no links would write beside them. */
const MAKE_THERE = `Makefile: ;\n%:\n\t@$(MAKE) --no-print-directory -C '${ROOT}' $@\n`

const DEMO_PORTS: Readonly<Record<string, NamedPort>> = {
  ROUTER: '4000',
  REGISTRY: '4100',
  PRODUCTS: '4101',
  INVENTORY: '4102',
  REVIEWS: '4103',
  ACCOUNTS: '4104',
  PRODUCTS_NEXT: '4201',
}

export type PageWorldOptions = Pick<PageShellOptions, 'bin' | 'env' | 'isAlone' | 'servers'> & {
  /** Further ones, by their path from the folder. */
  readonly files?: Readonly<Record<string, string>> | undefined
  /** Whether the folder is a checkout: what is in this one is there, by links. */
  readonly isCheckout?: boolean | undefined
}

export class PageWorld implements AsyncDisposable {
  readonly folder: string
  readonly shell: PageShell
  /** Of OpenTelemetry. */
  readonly collector: Collector
  readonly #parts: AsyncDisposable

  private constructor(folder: string, shell: PageShell, collector: Collector, parts: AsyncDisposable) {
    this.folder = folder
    this.shell = shell
    this.collector = collector
    this.#parts = parts
  }

  static async create({ files, isCheckout, ...options }: PageWorldOptions = {}): Promise<PageWorld> {
    await using parts = new AsyncDisposableStack()
    const { path: folder } = parts.use(await temporaryDirectory())
    const free = options.isAlone === true ? NAMED.map(Number) : await freePorts(NAMED.length)
    const ports = new Map(NAMED.map((name, index) => [name as string, free[index] ?? 0]))
    const port = (name: NamedPort): number => ports.get(name) ?? 0
    const resolvers = { Query: { products: () => [{ id: '1', name: 'Tent', price: 1 }] } }
    // Nobody outside of it can be asked by a shell with a network of its own.
    const outside = (name: NamedPort): number => (options.isAlone === true ? 0 : port(name))
    parts.use(await serveSubgraph({ sdl: PRODUCTS, resolvers, port: outside('5001') }))
    parts.use(await serveSubgraph({ sdl: NEXT, resolvers, port: outside('5002') }))
    const collector = parts.use(await startCollector(outside('4318')))
    const all = {
      'products.graphql': PRODUCTS,
      'products-next.graphql': NEXT,
      'graph.yaml': fenceOf('docs/getting-started.md', 'yaml'),
      'router.yaml': 'limits: { max_depth: 20 }\n',
      'query.graphql': '{ products { name } }\n',
      'supergraph.graphql': readFileSync(SUPERGRAPH, 'utf8'),
      ...files,
    }
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), withPorts(text, ports))
    }
    if (isCheckout === true)
      for (const name of await readdir(ROOT))
        if (name === 'Makefile') await writeFile(join(folder, name), MAKE_THERE)
        else if (name !== '.git') await symlink(join(ROOT, name), join(folder, name))
    const demo = Object.entries(DEMO_PORTS).map(([name, named]): [string, string] => [
      `SWITCHYARD_DEMO_${name}_PORT`,
      String(port(named)),
    ])
    const servicePorts = {
      SWITCHYARD_ROUTER_PORT: String(port('4000')),
      SWITCHYARD_REGISTRY_PORT: String(port('4100')),
      SWITCHYARD_PORT: String(port('4000')),
    }
    const shell = parts.use(
      new PageShell({
        folder,
        ports,
        ...options,
        env: {
          ...(options.isAlone === true ? {} : servicePorts),
          ...Object.fromEntries(demo),
          DEV_MODE: 'true',
          ENGINE_ENABLE_DEFER: 'true',
          ...options.env,
        },
      }),
    )
    const open = parts.move()
    return new PageWorld(folder, shell, collector, { [Symbol.asyncDispose]: () => open.disposeAsync() })
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

  /** `switchyard up` runs, with what `graph.yaml` says, and its graph is served. */
  async apply(): Promise<void> {
    await this.shell.run('switchyard up')
    await this.shell.run('switchyard apply graph.yaml')
    // The command waits for compositions. While no router serves anything, nobody waits for one.
    const stored = join(this.folder, '.switchyard/config-store/default/shop/manifest.json')
    await waitFor('the graph to be served', () => existsSync(stored))
  }

  /** Writes `config.json`. */
  async compose(): Promise<void> {
    await this.shell.run('switchyard router compose --input graph.yaml --out config.json')
  }

  /** A router with what `compose` wrote, and with metrics. */
  async startRouter(): Promise<void> {
    await this.shell.run(
      'SWITCHYARD_METRICS_PORT=9464 switchyard router start --execution-config config.json',
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]()
  }
}
