/** The choice of the graph that pages are about. It changes the address, and nothing else. */
import { type LinkProps, useMatches, useNavigate } from '@tanstack/react-router'
import type { GraphView } from '../api/use-graphs.ts'
import { printable } from '@switchyard/values'
import type { Place } from './use-place.ts'

export function GraphChoice({
  graphs,
  place,
}: {
  readonly graphs: readonly GraphView[]
  readonly place: Place | null
}) {
  const navigate = useNavigate()
  const matches = useMatches()
  const keyOf = ({ namespace, graph }: Place) => `${namespace}/${graph}`
  const places = graphs.map(({ namespace, name }) => ({ namespace, graph: name }))
  const go = (key: string) => {
    const chosen = places.find((one) => keyOf(one) === key)
    if (chosen === undefined) return
    const current = matches.at(-1)?.fullPath
    // The same page of the other graph.
    void navigate({ to: isOfGraph(current) ? current : '/ns/$namespace/graphs/$graph', params: chosen })
  }
  if (places.length === 0) return null
  return (
    <label className="labelled graph-choice">
      <span>Graph</span>
      <select
        className="field"
        value={place === null ? '' : keyOf(place)}
        onChange={(event) => go(event.target.value)}
      >
        {place === null || !places.some((one) => keyOf(one) === keyOf(place)) ? (
          <option value={place === null ? '' : keyOf(place)}>
            {place === null ? 'Choose a graph' : printable(keyOf(place))}
          </option>
        ) : null}
        {places.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {printable(`${one.namespace} / ${one.graph}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

type PageOfGraph = Extract<LinkProps['to'], `${string}$graph${string}`>

function isOfGraph(path: string | undefined): path is PageOfGraph {
  // A page of one thing of a graph, such as an operation, is of that graph alone.
  return path?.includes('$graph') === true && path.split('$').length === 3
}
