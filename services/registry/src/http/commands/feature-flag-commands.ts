import { CreateFeatureFlag, ReasonOnly, UpdateFeatureFlag } from '@switchyard/contracts'
import { NamespacePath, ResourcePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

export function featureFlagCommands({ add }: CommandRoutes): void {
  add({
    method: 'POST',
    url: '/v1/feature-flags/:namespace',
    summary: 'Create a feature flag',
    params: NamespacePath,
    body: CreateFeatureFlag,
    command: ({ body }) => ({ type: 'create-feature-flag', ...body }),
  })
  add({
    method: 'PATCH',
    url: '/v1/feature-flags/:namespace/:name',
    summary: 'Replace the labels or the feature subgraphs of a feature flag',
    params: ResourcePath,
    body: UpdateFeatureFlag,
    command: ({ params, body: { labels, featureSubgraphs } }) => ({
      type: 'update-feature-flag',
      name: params.name,
      ...(labels === undefined ? {} : { labels }),
      ...(featureSubgraphs === undefined ? {} : { featureSubgraphs }),
    }),
  })
  add({
    method: 'DELETE',
    url: '/v1/feature-flags/:namespace/:name',
    summary: 'Delete a feature flag',
    params: ResourcePath,
    body: ReasonOnly,
    command: ({ params }) => ({ type: 'delete-feature-flag', name: params.name }),
  })
  for (const action of ['enable', 'disable'] as const) {
    add({
      method: 'POST',
      url: `/v1/feature-flags/:namespace/:name/${action}`,
      summary: `${action === 'enable' ? 'Enable' : 'Disable'} a feature flag`,
      params: ResourcePath,
      body: ReasonOnly,
      command: ({ params }) => ({ type: `${action}-feature-flag`, name: params.name }),
    })
  }
}
