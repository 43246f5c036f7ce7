/** Events about previews on a state. Total, like all events. */
import type { PreviewSubgraph, RegistryEvent } from '@switchyard/contracts'
import { compareNames, type NamespaceState, type Preview } from './namespace-state.ts'

/** An event about a preview. */
export type PreviewEvent = Extract<RegistryEvent, { readonly type: `preview.${string}` }>

export function isPreviewEvent(event: RegistryEvent): event is PreviewEvent {
  return event.type.startsWith('preview.')
}

/** Applies an event about a preview. */
export function applyPreviewEvent(state: NamespaceState, event: PreviewEvent): NamespaceState {
  if (event.type === 'preview.created') {
    const { name, flag, subgraphs, expires } = event
    return withPreview(state, { name, flag, subgraphs: byBase(subgraphs), expires })
  }
  const preview = state.previews.get(event.name)
  if (preview === undefined) return state
  switch (event.type) {
    case 'preview.updated': {
      const { subgraphs, expires = preview.expires } = event
      const all = subgraphs === undefined ? preview.subgraphs : byBase(subgraphs)
      return withPreview(state, { ...preview, subgraphs: all, expires })
    }
    case 'preview.deleted':
    case 'preview.expired':
      return { ...state, previews: state.previews.delete(event.name) }
    default:
      return event satisfies never
  }
}

function withPreview(state: NamespaceState, preview: Preview): NamespaceState {
  return { ...state, previews: state.previews.set(preview.name, preview) }
}

function byBase(subgraphs: readonly PreviewSubgraph[]): readonly PreviewSubgraph[] {
  return subgraphs.toSorted((left, right) => compareNames(left.base, right.base))
}
