import { CreateFeatureFlag, PromoteFeatureFlag, ReasonOnly, UpdateFeatureFlag } from '@switchyard/contracts'
import { NamespacePath, ResourcePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

export function featureFlagCommands(routes: CommandRoutes): void {
  const { add } = routes
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
  promotionCommands(routes)
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

function promotionCommands({ add }: CommandRoutes): void {
  for (const { method, type, does } of [
    {
      method: 'POST',
      type: 'promote-feature-flag',
      does: 'Promote a feature flag: its content becomes the base',
    },
    { method: 'DELETE', type: 'undo-promotion', does: 'Undo the promotion of a feature flag' },
  ] as const) {
    add({
      method,
      url: '/v1/feature-flags/:namespace/:name/promote',
      summary: does,
      params: ResourcePath,
      body: PromoteFeatureFlag,
      command: ({ params: { name }, body: { expectedSequence } }) => ({
        command: { type, name },
        judgedAt: expectedSequence,
      }),
    })
  }
}
