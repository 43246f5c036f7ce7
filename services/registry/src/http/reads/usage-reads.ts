/** Usage of a graph: what routers counted of its requests. */
import {
  GraphFigures,
  Namespace,
  problem,
  ProblemError,
  ResourceName,
  Sha256,
  UnusedCoordinates,
  USAGE_GROUPS,
  UsageReport,
  UsedOperation,
} from '@switchyard/contracts'
import { z } from 'zod'
import type { AskedSchema } from '../../usage/coordinates-thread.ts'
import { MOST_MINUTES } from '../../usage/recent-minutes.ts'
import { type ApiOptions, ReadQuery } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

/** Coordinates of one question. */
const MOST_COORDINATES = 1000
/** Coordinates of one list of those that are not used: a large schema has hundreds of thousands. */
const MOST_UNUSED = 20_000
const MINUTE_MS = 60_000
const DEFAULT_MINUTES = 60

const GraphPath = z.object({ namespace: Namespace, graph: ResourceName })
const OperationPath = GraphPath.extend({ hash: Sha256 })
const Time = z.coerce.number().int().min(0).optional()
const Text = z.string().max(500).optional()
const WindowQuery = ReadQuery.extend({ from: Time, to: Time })
/** A parameter that may be repeated. */
const listOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.union([item.transform((one) => [one]), z.array(item).max(most)])

const UsageQuery = WindowQuery.extend({
  /** Several groups make a row for each combination. */
  group: listOf(z.enum(USAGE_GROUPS), USAGE_GROUPS.length).default(['operation']),
  operation: Text,
  client: Text,
  clientVersion: Text,
  /** Empty for base. */
  flag: Text,
  coordinate: listOf(z.string().min(1).max(500), MOST_COORDINATES).optional(),
  search: Text,
  /** The flag by whose schema fields of interfaces are related to fields of types; base by default. */
  schemaOf: ResourceName.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
})
const UnusedQuery = WindowQuery.extend({
  search: Text,
  limit: z.coerce.number().int().min(1).max(MOST_UNUSED).default(MOST_UNUSED),
})
const FiguresQuery = ReadQuery.extend({
  minutes: z.coerce.number().int().min(1).max(MOST_MINUTES).default(DEFAULT_MINUTES),
})

export function usageReads({ add }: ReadRoutes, { usage, revisions }: ApiOptions): void {
  const kept = () => keptUsage(usage)
  const servedBase = (namespace: string, graph: string, flag?: string): AskedSchema | null => {
    const served = revisions.newest({ namespace, graph })
    const flags = Object.entries(served?.featureFlags ?? {})
    const ofFlag = flags.find(([name]) => name === flag)?.[1]
    const { artifact, pieces } = ofFlag ?? served?.base ?? {}
    return artifact === undefined ? null : { namespace, artifact, pieces }
  }
  add({
    url: '/v1/usage/:namespace/:graph',
    summary: 'How often a graph was used, by operation, client, flag, coordinate or hour',
    params: GraphPath,
    query: UsageQuery,
    answer: UsageReport,
    looksDownstream: true,
    read: async ({ state, params: { namespace, graph }, query }) => {
      found(state.graphs, 'federated graph', graph, state)
      const { operation, client, clientVersion, search, flag, group, coordinate, schemaOf, ...rest } = query
      const filter = { operation, client, clientVersion, search, flag: flag === '' ? null : flag }
      const question = { ...rest, groups: group, filter, coordinates: coordinate }
      const schema = servedBase(namespace, graph, schemaOf)
      return kept().answers.report({ namespace, graph }, schema, question)
    },
  })
  add({
    url: '/v1/usage/:namespace/:graph/operations/:hash',
    summary: 'An operation that was used: its document, its coordinates and who asks for it',
    params: OperationPath,
    query: WindowQuery,
    answer: UsedOperation,
    looksDownstream: false,
    read: async ({ state, params: { namespace, graph, hash }, query }) => {
      found(state.graphs, 'federated graph', graph, state)
      const used = await kept().answers.operation({ namespace, graph }, hash, query)
      if (used !== null) return used
      throw new ProblemError(
        problem('NOT_FOUND', `No router told that the operation ${hash} was executed in this time.`),
      )
    },
  })
  add({
    url: '/v1/usage/:namespace/:graph/unused',
    summary: 'The coordinates of a graph that nobody asked for',
    params: GraphPath,
    query: UnusedQuery,
    answer: UnusedCoordinates,
    looksDownstream: true,
    read: ({ state, params: { namespace, graph }, query }) => {
      found(state.graphs, 'federated graph', graph, state)
      return kept().answers.unused({ namespace, graph }, servedBase(namespace, graph), query)
    },
  })
}

/** The last minutes of a graph. */
export function figuresReads({ add }: ReadRoutes, { usage, now }: ApiOptions): void {
  add({
    url: '/v1/figures/:namespace/:graph',
    summary: 'Requests, errors and latency of the last minutes of a graph, by flag',
    params: GraphPath,
    query: FiguresQuery,
    answer: GraphFigures,
    looksDownstream: false,
    read: ({ state, params: { namespace, graph }, query: { minutes } }) => {
      found(state.graphs, 'federated graph', graph, state)
      return keptUsage(usage).heard.minutes.of({ namespace, graph }, minutes, Math.floor(now() / MINUTE_MS))
    },
  })
}

/** Throws a problem if the registry keeps no usage. */
function keptUsage(usage: ApiOptions['usage']): NonNullable<ApiOptions['usage']> {
  if (usage !== null) return usage
  throw new ProblemError(
    problem('NOT_FOUND', 'This registry keeps no usage: SWITCHYARD_USAGE_DAYS is 0 there.'),
  )
}
