/** The graph that pages are about: the one in the address, else the one before, else the only one. */
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { GraphView } from '../api/use-graphs.ts'

export type Place = { readonly namespace: string; readonly graph: string }

export function usePlace(graphs: readonly GraphView[] | undefined): Place | null {
  const params: { namespace?: string; graph?: string } = useParams({ strict: false })
  const search: { namespace?: string; graph?: string } = useSearch({ strict: false })
  const namespace = params.namespace ?? search.namespace
  const graph = params.graph ?? search.graph
  const [last, setLast] = useState<Place | null>(null)
  useEffect(() => {
    if (namespace !== undefined && graph !== undefined) setLast({ namespace, graph })
  }, [namespace, graph])
  if (namespace !== undefined && graph !== undefined) return { namespace, graph }
  const isThere = ({ namespace: its, name }: GraphView) => last?.namespace === its && last.graph === name
  if (last !== null && (graphs === undefined || graphs.some(isThere))) {
    if (namespace === undefined || namespace === last.namespace) return last
  }
  const candidates = graphs?.filter((one) => namespace === undefined || one.namespace === namespace) ?? []
  const [only] = candidates
  return candidates.length === 1 && only !== undefined
    ? { namespace: only.namespace, graph: only.name }
    : null
}

/** The namespace that pages are about: the one in the address, else that of the graph, else the only one. */
export function useNamespace(place: Place | null, namespaces: readonly string[]): string | null {
  const params: { namespace?: string } = useParams({ strict: false })
  const search: { namespace?: string } = useSearch({ strict: false })
  const only = namespaces.length === 1 ? namespaces[0] : undefined
  return params.namespace ?? search.namespace ?? place?.namespace ?? only ?? null
}
