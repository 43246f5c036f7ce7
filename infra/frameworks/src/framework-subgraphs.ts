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

/** A subgraph that sends events, in a framework with subscriptions. */
export type EventSubgraph = {
  readonly framework: string
  /** The beginning of the names of its root fields, and the name of the subgraph. */
  readonly prefix: string
  readonly program: SubgraphProgram
  readonly protocol: 'graphql-transport-ws' | 'sse'
  /**
   * Whether errors in events have whole paths. gqlgen leaves the subscription field out, so the router tells
   * them at that field.
   */
  readonly hasWholePaths: boolean
  /** The reason why the framework cannot run on this machine. Null if it can. */
  readonly missing: string | null
}

export const EVENT_SUBGRAPHS: readonly EventSubgraph[] = [
  eventsFromNpm('Apollo Server with graphql-ws', 'apollo', 'apollo-server', 'graphql-transport-ws'),
  eventsFromNpm('Mercurius', 'mercurius', 'mercurius', 'graphql-transport-ws'),
  eventsFromNpm('GraphQL Yoga', 'yoga', 'yoga', 'sse'),
  {
    framework: 'Strawberry',
    prefix: 'strawberry',
    program: {
      name: 'strawberry',
      command: `${CACHE}strawberry/bin/python`,
      arguments: [eventSource('strawberry/main.py')],
      path: '/',
    },
    protocol: 'graphql-transport-ws',
    hasWholePaths: true,
    missing: missing('strawberry'),
  },
  {
    framework: 'gqlgen',
    prefix: 'gqlgen',
    program: { name: 'gqlgen', command: `${CACHE}gqlgen/changes`, arguments: [], path: '/query' },
    protocol: 'graphql-transport-ws',
    hasWholePaths: false,
    missing: missing('gqlgen'),
  },
  {
    framework: 'async-graphql',
    prefix: 'rust',
    program: {
      name: 'rust',
      command: `${CACHE}async-graphql/changes`,
      arguments: [],
      path: '/graphql',
    },
    protocol: 'graphql-transport-ws',
    hasWholePaths: true,
    missing: missing('async-graphql', 'async-graphql'),
  },
]

/** The subgraph that adds to what the others send. */
export const PRICES: SubgraphProgram = eventProgram('prices', 'prices')

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

function eventsFromNpm(
  framework: string,
  prefix: string,
  folder: string,
  protocol: EventSubgraph['protocol'],
): EventSubgraph {
  const program = eventProgram(prefix, folder)
  return { framework, prefix, program, protocol, hasWholePaths: true, missing: null }
}

function eventProgram(name: string, folder: string): SubgraphProgram {
  const main = eventSource(`${folder}/main.ts`)
  return { name, command: process.execPath, arguments: [main], path: '/graphql' }
}

function eventSource(path: string): string {
  return fileURLToPath(new URL(`subscriptions/${path}`, import.meta.url))
}

function source(path: string): string {
  return fileURLToPath(new URL(`subgraphs/${path}`, import.meta.url))
}

/** Returns why a framework is missing, as the script that sets it up noted it. */
function missing(framework: string, script = 'frameworks'): string | null {
  const reason = `${CACHE}${framework}.missing`
  if (existsSync(reason)) return readFileSync(reason, 'utf8').trim()
  return existsSync(`${CACHE}${framework}/ready`) ? null : `scripts/${script}.sh was not run`
}
