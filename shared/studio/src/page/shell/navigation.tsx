/** The entries of the navigation. A page that is added gets its entry here. */
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Place } from './use-place.ts'

type Entry = { readonly label: string; readonly link: LinkProps; readonly isExact?: boolean }

/** Returns the entries that belong to no graph. */
function general(): readonly Entry[] {
  return [
    { label: 'Home', link: { to: '/' }, isExact: true },
    { label: 'History', link: { to: '/history' } },
    { label: 'Fleet', link: { to: '/fleet' } },
    { label: 'Traces', link: { to: '/traces' } },
    { label: 'Keys', link: { to: '/keys' } },
  ]
}

/** Returns the entries of a namespace. */
function ofNamespace(namespace: string): readonly Entry[] {
  const params = { namespace }
  return [
    { label: 'Flags', link: { to: '/ns/$namespace/feature-flags', params } },
    { label: 'Rollouts', link: { to: '/ns/$namespace/rollouts', params } },
  ]
}

/** Returns the entries of a graph. */
function ofGraph({ namespace, graph }: Place): readonly Entry[] {
  const params = { namespace, graph }
  return [
    { label: 'Overview', link: { to: '/ns/$namespace/graphs/$graph', params }, isExact: true },
    { label: 'Schema', link: { to: '/ns/$namespace/graphs/$graph/schema', params } },
    { label: 'Difference', link: { to: '/ns/$namespace/graphs/$graph/difference', params } },
    { label: 'Playground', link: { to: '/ns/$namespace/graphs/$graph/playground', params } },
    { label: 'Composition errors', link: { to: '/ns/$namespace/graphs/$graph/errors', params } },
    {
      label: 'Subgraphs',
      link: { to: '/ns/$namespace/subgraphs', params: { namespace }, search: { graph } },
    },
    { label: 'Checks', link: { to: '/ns/$namespace/checks', params: { namespace }, search: { graph } } },
    { label: 'Operations', link: { to: '/ns/$namespace/graphs/$graph/operations', params } },
  ]
}

export function Navigation({
  place,
  namespace,
  onGo,
}: {
  readonly place: Place | null
  /** Null if there are several, and none of them is chosen. */
  readonly namespace: string | null
  readonly onGo: () => void
}) {
  return (
    <nav aria-label="Pages">
      <Entries entries={general()} onGo={onGo} />
      {place === null ? null : <Entries title="Graph" entries={ofGraph(place)} onGo={onGo} />}
      {namespace === null ? null : <Entries title="Namespace" entries={ofNamespace(namespace)} onGo={onGo} />}
    </nav>
  )
}

function Entries({
  title,
  entries,
  onGo,
}: {
  readonly title?: string
  readonly entries: readonly Entry[]
  readonly onGo: () => void
}) {
  if (entries.length === 0) return null
  return (
    <>
      {title === undefined ? null : <h2>{title}</h2>}
      <ul>
        {entries.map(({ label, link, isExact = false }) => (
          <li key={label}>
            <Link {...link} activeOptions={{ exact: isExact, includeSearch: false }} onClick={onGo}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
