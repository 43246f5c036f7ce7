import { Readable } from 'node:stream'
import {
  ExecutionConfigFile,
  type GraphName,
  problem,
  ProblemError,
  ResourceName,
} from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import { type ArtifactStores, hasArtifact } from '@switchyard/event-log'
import { z } from 'zod'
import { executionConfigChunks, type ServedArtifacts } from '../../views/execution-config-text.ts'
import { graphView } from '../../views/graph-views.ts'
import type { PublishedConfig } from '../../reading/published-configs.ts'
import { type ApiOptions, ReadQuery, ResourcePath } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

const Query = ReadQuery.extend({
  revision: z.coerce.number().int().min(1).optional(),
  featureFlag: z.union([ResourceName, z.array(ResourceName)]).optional(),
  /** Base alone. */
  flags: z.literal('none').optional(),
})

export function executionConfigRead(
  { add, sources }: ReadRoutes,
  { blobs, pieces, revisions, publicUrls }: ApiOptions,
): void {
  /** Those of the newest revisions of which base is kept, newest first. */
  const keptRevisions = async (graph: GraphName): Promise<readonly number[]> => {
    const kept: number[] = []
    for (const { revision, base } of await revisions.bases(graph, MOST_LOOKED_AT))
      if (await hasArtifact({ blobs, pieces }, base)) kept.push(revision)
    return kept
  }
  add({
    url: '/v1/graphs/:namespace/:name/execution-config',
    summary: 'What routers serve from, as one file: of the newest revision or of another one',
    params: ResourcePath,
    query: Query,
    answer: ExecutionConfigFile,
    looksDownstream: true,
    read: async ({ state, params: { namespace, name }, query: { revision, featureFlag, flags }, reply }) => {
      const graph = found(state.graphs, 'federated graph', name, state)
      const id = { namespace, graph: name }
      const config = revision === undefined ? revisions.newest(id) : await revisions.find(id, revision)
      if (config === null) {
        const reason =
          revision === undefined ? reasons[graphView(sources, state, graph, publicUrls).base] : null
        const there = await revisions.describeThose(id)
        throw new ProblemError(noConfigProblem(name, revision, reason, there))
      }
      const chosen = featureFlag === undefined ? (flags === undefined ? null : []) : [featureFlag].flat()
      const artifacts = withFlagsChosen(config, chosen)
      if (!(await isKept({ blobs, pieces }, artifacts)))
        throw new ProblemError(lostProblem(name, config, await keptRevisions(id)))
      const chunks = await executionConfigChunks({ blobs, pieces }, { namespace, name }, artifacts)
      return reply.type('application/json; charset=utf-8').send(Readable.from(chunks))
    },
  })
}

/** How many of the newest revisions are looked at when one is not kept. */
const MOST_LOOKED_AT = 100

async function isKept(
  stores: ArtifactStores,
  { base, featureFlags, documents }: ServedArtifacts,
): Promise<boolean> {
  for (const artifact of [base, ...featureFlags.map(([, flag]) => flag)])
    if (!(await hasArtifact(stores, artifact))) return false
  for (const { manifest } of documents) if (!(await stores.blobs.has(manifest))) return false
  return true
}

/** An artifact is lost with its store, or when a log was imported without it. */
function lostProblem(graph: string, { revision }: PublishedConfig, kept: readonly number[]) {
  const which =
    kept.length === 0
      ? `nor is that of any other of the newest ${MOST_LOOKED_AT} revisions`
      : `kept are revisions ${kept.join(', ')}`
  return problem(
    'NOT_FOUND',
    `What revision ${revision} of federated graph "${graph}" served is not kept any more; ${which}.`,
  )
}

const reasons = {
  pending: 'its composition is not there yet',
  empty: 'no subgraph with a published schema matches its label matchers',
  failed: 'its base composition fails',
  composed: 'its first revision is on the way',
}

function noConfigProblem(graph: string, revision: number | undefined, reason: string | null, there: string) {
  return problem(
    'NOT_FOUND',
    reason === null
      ? `Federated graph "${graph}" has no revision ${revision}: ${there}.`
      : `Nothing was published for federated graph "${graph}" yet: ${reason}.`,
  )
}

/** Leaves only the given flags; null leaves all of them. */
function withFlagsChosen(
  { base, featureFlags, documents = [], revision }: PublishedConfig,
  flags: readonly string[] | null,
): ServedArtifacts {
  if (base === null) throw new Error('a revision of a removed graph was taken for one that serves something')
  const missing = (flags ?? []).filter((name) => !Object.hasOwn(featureFlags, name))
  if (missing.length > 0) {
    const served = Object.keys(featureFlags)
      .sort(compareNames)
      .map((name) => `"${name}"`)
    throw new ProblemError(
      problem(
        'NOT_FOUND',
        `Revision ${revision} has no feature flag ${missing.map((name) => `"${name}"`).join(', ')}; it has ${served.join(', ') || 'none'}.`,
      ),
    )
  }
  return {
    base,
    featureFlags: Object.entries(featureFlags).filter(([name]) => flags === null || flags.includes(name)),
    documents,
  }
}
