import {
  CreateFederatedGraph,
  PinFederatedGraph,
  ReasonOnly,
  UpdateFederatedGraph,
} from '@switchyard/contracts'
import { type ApiOptions, NamespacePath, ResourcePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

export function graphCommands({ add }: CommandRoutes, { revisions }: ApiOptions): void {
  add({
    method: 'POST',
    url: '/v1/graphs/:namespace',
    summary: 'Create a federated graph',
    params: NamespacePath,
    body: CreateFederatedGraph,
    command: ({ body }) => ({ type: 'create-federated-graph', ...body }),
  })
  add({
    method: 'PATCH',
    url: '/v1/graphs/:namespace/:name',
    summary: 'Change a federated graph: replace its label matchers, allow or refuse unenforced authorization',
    params: ResourcePath,
    body: UpdateFederatedGraph,
    command: ({ params, body }) => ({ type: 'update-federated-graph', name: params.name, ...body }),
  })
  add({
    method: 'DELETE',
    url: '/v1/graphs/:namespace/:name',
    summary: 'Delete a federated graph',
    params: ResourcePath,
    body: ReasonOnly,
    command: ({ params }) => ({ type: 'delete-federated-graph', name: params.name }),
  })
  add({
    method: 'PUT',
    url: '/v1/graphs/:namespace/:name/pin',
    summary: 'Hold a federated graph on one of its revisions',
    params: ResourcePath,
    body: PinFederatedGraph,
    command: ({ params, body }) => ({ type: 'pin-federated-graph', name: params.name, ...body }),
    objection: ({ params, body }) =>
      revisions.absence({ namespace: params.namespace, graph: params.name }, body.revision),
  })
  add({
    method: 'DELETE',
    url: '/v1/graphs/:namespace/:name/pin',
    summary: 'Let a federated graph follow its newest revision again',
    params: ResourcePath,
    body: ReasonOnly,
    command: ({ params }) => ({ type: 'unpin-federated-graph', name: params.name }),
  })
  add({
    method: 'POST',
    url: '/v1/graphs/:namespace/:name/republish',
    summary: 'Publish the same content of a federated graph once more, so that every router takes it',
    params: ResourcePath,
    body: ReasonOnly,
    command: ({ params }) => ({ type: 'republish-federated-graph', name: params.name }),
  })
}
