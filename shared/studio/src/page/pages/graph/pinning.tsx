/** Holding a graph on a revision, and letting it go. */
import { useRefusal, withReason } from '../../api/commands.ts'
import { useWrite } from '../../api/use-api.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { GraphDetail, Revision } from './types.ts'

type About = Pick<GraphDetail, 'namespace' | 'name' | 'routers' | 'pinnedRevision'>

export function Release({ graph }: { readonly graph: About }) {
  const release = useWrite('delete', '/v1/graphs/{namespace}/{name}/pin')
  const { namespace, name } = graph
  return (
    <Confirmed
      label="Release"
      kind="main"
      refusal={useRefusal(namespace)}
      title={`Release ${name}`}
      affected={[
        <>{routersOf(graph)} the newest composition of the graph, and all later ones again.</>,
        <>What was changed while it was held takes effect at once.</>,
      ]}
      command={['switchyard', 'config', 'release', name, '--namespace', namespace]}
      act={(reason) =>
        release.mutateAsync({ address: { path: { namespace, name } }, body: withReason({}, reason) })
      }
    />
  )
}

export function RollBack({ graph, to }: { readonly graph: About; readonly to: Revision }) {
  const pin = useWrite('put', '/v1/graphs/{namespace}/{name}/pin')
  const { namespace, name } = graph
  const flags = to.featureFlags.length === 0 ? 'no flag' : to.featureFlags.join(', ')
  return (
    <Confirmed
      label="Roll back"
      kind="danger"
      size="small"
      refusal={useRefusal(namespace)}
      title={`Roll ${name} back to revision ${to.revision}`}
      affected={[
        <>
          {routersOf(graph)} what revision {to.revision} held, which was published{' '}
          <Moment at={to.createdAt} />.
        </>,
        <>With it, they serve base and {flags}.</>,
        <>The graph is held there: later changes reach no router until it is released.</>,
      ]}
      command={[
        'switchyard',
        'config',
        'rollback',
        name,
        '--to',
        String(to.revision),
        '--namespace',
        namespace,
      ]}
      act={(reason) =>
        pin.mutateAsync({
          address: { path: { namespace, name } },
          body: withReason({ revision: to.revision }, reason),
        })
      }
    />
  )
}

function routersOf({ routers: { total } }: About): string {
  if (total === 0) return 'No router is running; those that start are given'
  return total === 1
    ? 'The router that is running is given'
    : `All ${total} routers that are running are given`
}
