import {
  FeatureFlagList,
  FederatedGraphList,
  Namespace,
  NamespaceList,
  problem,
  ProblemError,
  ResourceName,
  RouterList,
  SubgraphList,
} from '@switchyard/contracts'
import type { NamespaceState } from '@switchyard/domain'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { flagViews, graphViews, subgraphViews } from '../views.ts'
import { type ApiOptions, authorize, NamespacePath, ProblemResponse, ReadQuery } from './api.ts'

const RouterQuery = z.strictObject({
  namespace: Namespace.optional(),
  graph: ResourceName.optional(),
})

export function installReadRoutes(server: FastifyInstance, options: ApiOptions): void {
  const app = server.withTypeProvider<ZodTypeProvider>()
  const { fold, downstream } = options
  const sources = { fold, compositions: downstream.compositions, configs: downstream.configs }

  const stateFor = async (namespace: string, consistency: 'strong' | 'eventual'): Promise<NamespaceState> => {
    const state = consistency === 'strong' ? await fold.caughtUp(namespace) : fold.state(namespace)
    if (state.exists) return state
    throw new ProblemError(problem('NOT_FOUND', `There is no namespace "${namespace}".`))
  }

  app.get('/v1/namespaces', {
    schema: {
      summary: 'List the namespaces',
      querystring: ReadQuery,
      response: { 200: NamespaceList, ...ProblemResponse },
    },
    onRequest: async (request) => void (await authorize(options, request, { kind: 'read', namespace: null })),
    handler: async ({ query }) => {
      if (query.consistency === 'strong') await fold.everythingCaughtUp()
      return { namespaces: fold.namespaces().map((name) => ({ name })) }
    },
  })

  app.get('/v1/graphs/:namespace', {
    schema: {
      summary: 'List the federated graphs of a namespace',
      params: NamespacePath,
      querystring: ReadQuery,
      response: { 200: FederatedGraphList, ...ProblemResponse },
    },
    preValidation: async (request) => void (await authorize(options, request, readIn(request.params))),
    handler: async ({ params, query }) => ({
      graphs: graphViews(sources, await stateFor(params.namespace, query.consistency)),
    }),
  })

  app.get('/v1/subgraphs/:namespace', {
    schema: {
      summary: 'List the subgraphs and feature subgraphs of a namespace',
      params: NamespacePath,
      querystring: ReadQuery,
      response: { 200: SubgraphList, ...ProblemResponse },
    },
    preValidation: async (request) => void (await authorize(options, request, readIn(request.params))),
    handler: async ({ params, query }) => ({
      subgraphs: subgraphViews(await stateFor(params.namespace, query.consistency)),
    }),
  })

  app.get('/v1/feature-flags/:namespace', {
    schema: {
      summary: 'List the feature flags of a namespace, with their state per graph',
      params: NamespacePath,
      querystring: ReadQuery,
      response: { 200: FeatureFlagList, ...ProblemResponse },
    },
    preValidation: async (request) => void (await authorize(options, request, readIn(request.params))),
    handler: async ({ params, query }) => ({
      featureFlags: flagViews(sources, await stateFor(params.namespace, query.consistency)),
    }),
  })

  app.get('/v1/routers', {
    schema: {
      summary: 'List the routers that were heard',
      querystring: RouterQuery,
      response: { 200: RouterList, ...ProblemResponse },
    },
    onRequest: async (request) => void (await authorize(options, request, { kind: 'read', namespace: null })),
    handler: async ({ query }) => {
      const routers = downstream.fleet.list().filter((router) => {
        const isInNamespace = query.namespace === undefined || router.namespace === query.namespace
        return isInNamespace && (query.graph === undefined || router.graph === query.graph)
      })
      return { routers }
    },
  })
}

function readIn(params: { readonly namespace: string }) {
  return { kind: 'read', namespace: params.namespace } as const
}
