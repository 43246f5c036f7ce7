/** The subgraphs of the shop, each in another framework, and how each is started. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type SubgraphProgram = {
  readonly name: string
  readonly command: string
  readonly arguments: readonly string[]
  /** The path at which the framework serves GraphQL by default. */
  readonly path: string
}

export type FrameworkSubgraph = {
  readonly framework: string
  readonly program: SubgraphProgram
  /** The reason why the framework cannot run on this machine. Null if it can. */
  readonly missing: string | null
  /** The program that answers in its place then. Null for frameworks of npm, which are always there. */
  readonly standIn: SubgraphProgram | null
}

const CACHE = fileURLToPath(new URL('../../../.cache/frameworks/', import.meta.url))

export const FRAMEWORK_SUBGRAPHS: readonly FrameworkSubgraph[] = [
  fromNpm('Apollo Server 5', 'catalog', 'apollo-server', '/'),
  fromNpm('GraphQL Yoga with Pothos', 'accounts', 'yoga-pothos', '/graphql'),
  fromNpm('Mercurius', 'shipping', 'mercurius', '/graphql'),
  {
    framework: 'Strawberry',
    program: {
      name: 'stock',
      command: `${CACHE}strawberry/bin/python`,
      arguments: [source('strawberry/main.py')],
      path: '/',
    },
    missing: missing('strawberry'),
    standIn: standIn('stock'),
  },
  {
    framework: 'gqlgen',
    program: { name: 'reviews', command: `${CACHE}gqlgen/reviews`, arguments: [], path: '/query' },
    missing: missing('gqlgen'),
    standIn: standIn('reviews'),
  },
]

export type StandInName = 'stock' | 'stock-next' | 'reviews'

export function standIn(name: StandInName): SubgraphProgram {
  return nodeProgram(name, 'stand-ins', '/graphql', [name])
}

function fromNpm(framework: string, name: string, folder: string, path: string): FrameworkSubgraph {
  return { framework, program: nodeProgram(name, folder, path), missing: null, standIn: null }
}

function nodeProgram(
  name: string,
  folder: string,
  path: string,
  args: readonly string[] = [],
): SubgraphProgram {
  return { name, command: process.execPath, arguments: [source(`${folder}/main.ts`), ...args], path }
}

function source(path: string): string {
  return fileURLToPath(new URL(`subgraphs/${path}`, import.meta.url))
}

/** Returns why a framework is missing, as scripts/frameworks.sh noted it. */
function missing(framework: string): string | null {
  const reason = `${CACHE}${framework}.missing`
  if (existsSync(reason)) return readFileSync(reason, 'utf8').trim()
  return existsSync(`${CACHE}${framework}/ready`) ? null : 'scripts/frameworks.sh was not run'
}
