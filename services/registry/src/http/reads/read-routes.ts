import { Namespace, NamespaceList, ResourceName, RouterList, ServiceList } from '@switchyard/contracts'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiOptions, authorize, ProblemResponse, ReadQuery } from '../api/api.ts'
import { auditReads } from './audit-reads.ts'
import { commandReads } from './command-reads.ts'
import { differenceRead } from './difference-read.ts'
import { documentReads } from './document-reads.ts'
import { executionConfigRead } from './execution-config-read.ts'
import { featureFlagReads } from './feature-flag-reads.ts'
import { graphReads } from './graph-reads.ts'
import { namespaceReads } from './namespace-reads.ts'
import { previewReads } from './preview-reads.ts'
import { readRoutes } from './read-route.ts'
import { rolloutReads } from './rollout-reads.ts'
import { schemaReads } from './schema-reads.ts'
import { subgraphReads } from './subgraph-reads.ts'
import { figuresReads, usageReads } from './usage-reads.ts'

const RouterQuery = z.strictObject({
  namespace: Namespace.optional(),
  graph: ResourceName.optional(),
})

export function installReadRoutes(server: FastifyInstance, options: ApiOptions): void {
  installGlobalReads(server, options)
  commandReads(server, options)
  auditReads(server, options)
  const routes = readRoutes(server, options)
  namespaceReads(routes)
  graphReads(routes, options)
  executionConfigRead(routes, options)
  schemaReads(routes, options)
  differenceRead(routes, options)
  documentReads(routes, options)
  subgraphReads(routes, options)
  featureFlagReads(routes, options)
  rolloutReads(routes, options)
  previewReads(routes)
  usageReads(routes, options)
  figuresReads(routes, options)
}

/** Reads that belong to no namespace. */
function installGlobalReads(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { fold, downstream } = options

  app.get('/v1/namespaces', {
    schema: {
      summary: 'List the namespaces',
      querystring: ReadQuery,
      response: { 200: NamespaceList, ...ProblemResponse },
    },
    onRequest: async (request) => void (await authorize(options, request, { kind: 'read', namespace: null })),
    handler: async ({ query }) => {
      if (query.consistency === 'strong') await fold.everythingCaughtUp()
      const namespaces = fold.namespaces().map((name) => {
        return { name, previewHosts: [...fold.state(name).previewHosts] }
      })
      return { namespaces }
    },
  })

  app.get('/v1/routers', {
    schema: {
      summary: 'List the routers that were heard',
      querystring: RouterQuery,
      response: { 200: RouterList, ...ProblemResponse },
    },
    onRequest: async (request) => void (await authorize(options, request, { kind: 'read', namespace: null })),
    handler: async ({ query }) => {
      const { fleet, revisions } = downstream
      const asked = fleet.list().filter((router) => {
        const isInNamespace = query.namespace === undefined || router.namespace === query.namespace
        return isInNamespace && (query.graph === undefined || router.graph === query.graph)
      })
      const routers = asked.map((router) => ({ ...router, serves: revisions.servedBy(router) }))
      return { routers, ...(fleet.isVerified ? { verified: true as const } : {}) }
    },
  })

  app.get('/v1/services', {
    schema: {
      summary: 'List the registries and composers that were heard',
      response: { 200: ServiceList, ...ProblemResponse },
    },
    onRequest: async (request) => void (await authorize(options, request, { kind: 'read', namespace: null })),
    handler: async () => ({ services: options.services.list() }),
  })
}
