import { PreviewList, PreviewView } from '@switchyard/contracts'
import { sortedByName } from '@switchyard/domain'
import { previewView } from '../../views/preview-views.ts'
import { NamespacePath, PreviewPath, ReadQuery } from '../api/api.ts'
import { found, type ReadRoutes } from './read-route.ts'

export function previewReads({ add, sources }: ReadRoutes): void {
  add({
    url: '/v1/previews/:namespace',
    summary: 'List the previews of a namespace, with their state per graph',
    params: NamespacePath,
    query: ReadQuery,
    answer: PreviewList,
    looksDownstream: true,
    read: ({ state }) => ({
      previews: sortedByName(state.previews.values()).map((preview) => previewView(sources, state, preview)),
    }),
  })
  add({
    url: '/v1/previews/:namespace/:name',
    summary: 'A preview, with its state per graph',
    params: PreviewPath,
    query: ReadQuery,
    answer: PreviewView,
    looksDownstream: true,
    read: ({ state, params: { name } }) =>
      previewView(sources, state, found(state.previews, 'preview', name, state)),
  })
}
