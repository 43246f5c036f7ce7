import { NamespaceSnapshot } from '@switchyard/contracts'
import { snapshotOf } from '@switchyard/domain'
import { NamespacePath, ReadQuery } from '../api/api.ts'
import type { ReadRoutes } from './read-route.ts'

export function namespaceReads({ add }: ReadRoutes): void {
  add({
    url: '/v1/namespaces/:namespace/snapshot',
    summary: 'Everything in a namespace, as of one moment',
    params: NamespacePath,
    query: ReadQuery,
    answer: NamespaceSnapshot,
    looksDownstream: false,
    read: ({ state }) => snapshotOf(state),
  })
}
