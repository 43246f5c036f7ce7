import { CreateNamespace, ReasonOnly, UpdateNamespace } from '@switchyard/contracts'
import { z } from 'zod'
import { NamespacePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

export function namespaceCommands({ add }: CommandRoutes): void {
  add({
    method: 'POST',
    url: '/v1/namespaces',
    summary: 'Create a namespace',
    params: z.object({}),
    body: CreateNamespace,
    namespace: (body) => body.name,
    command: () => ({ type: 'create-namespace' }),
  })
  add({
    method: 'PATCH',
    url: '/v1/namespaces/:namespace',
    summary: 'Set the hosts that the subgraphs of previews may have',
    params: NamespacePath,
    body: UpdateNamespace,
    command: ({ body: { previewHosts } }) => ({ type: 'set-preview-hosts', hosts: previewHosts }),
  })
  add({
    method: 'DELETE',
    url: '/v1/namespaces/:namespace',
    summary: 'Delete a namespace with everything in it',
    params: NamespacePath,
    body: ReasonOnly,
    command: () => ({ type: 'delete-namespace' }),
  })
}
