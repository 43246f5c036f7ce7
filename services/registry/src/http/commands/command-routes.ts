import type { FastifyInstance } from 'fastify'
import type { ApiOptions } from '../api/api.ts'
import { applyCommands } from './apply-commands.ts'
import { commandRoutes } from './command-route.ts'
import { documentCommands } from './document-commands.ts'
import { featureFlagCommands } from './feature-flag-commands.ts'
import { graphCommands } from './graph-commands.ts'
import { namespaceCommands } from './namespace-commands.ts'
import { previewCommands } from './preview-commands.ts'
import { rolloutCommands } from './rollout-commands.ts'
import { subgraphCommands } from './subgraph-commands.ts'

/** Every write to a namespace, resource by resource. */
export function installCommandRoutes(server: FastifyInstance, options: ApiOptions): void {
  const routes = commandRoutes(server, options)
  namespaceCommands(routes)
  graphCommands(routes, options)
  documentCommands(routes, options)
  subgraphCommands(routes, options)
  featureFlagCommands(routes)
  rolloutCommands(routes, options)
  previewCommands(routes, options)
  applyCommands(routes, options)
}
