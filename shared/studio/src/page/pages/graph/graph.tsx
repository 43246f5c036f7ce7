/** A graph: what base and its flags are composed to, what routers serve of it, and the way back. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRefusal } from '../../api/commands.ts'
import { useFleetInterval } from '../../api/use-fleet-interval.ts'
import { useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Names } from '../../parts/names.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Refusal } from '../../parts/refusal.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { Compositions } from './compositions.tsx'
import './graph.css'
import { Release } from './pinning.tsx'
import { Revisions } from './revisions.tsx'
import { Traffic } from './traffic.tsx'
import type { GraphDetail, Revision } from './types.ts'

const REVISIONS = 20
const route = getRouteApi('/ns/$namespace/graphs/$graph')

export function Graph() {
  const { namespace, graph: name } = route.useParams()
  const path = { namespace, name }
  const refusal = useRefusal(namespace)
  const refetchInterval = useFleetInterval()
  const graph = useRead('/v1/graphs/{namespace}/{name}', { path }, { refetchInterval })
  const revisions = useRead('/v1/graphs/{namespace}/{name}/revisions', { path, query: { limit: REVISIONS } })
  return (
    <div className="stack">
      <Loaded of={graph}>
        {(detail) => (
          <>
            <PageHead
              title={name}
              actions={detail.pinnedRevision === null ? null : <Release graph={detail} />}
            >
              A graph of the namespace <Foreign text={namespace} />.
            </PageHead>
            <Refusal reason={refusal} />
            <Held graph={detail} />
            <AtAGlance graph={detail} newest={revisions.data?.revisions[0]} />
            <Compositions graph={detail} />
            <Traffic namespace={namespace} graph={name} />
            <Subgraphs graph={detail} />
            <Loaded of={revisions}>
              {(list) => <Revisions graph={detail} revisions={list.revisions} limit={REVISIONS} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </div>
  )
}

function Held({ graph: { pinnedRevision } }: { readonly graph: GraphDetail }) {
  if (pinnedRevision === null) return null
  return (
    <div className="notice" data-tone="warn">
      <p>
        <strong>Held on revision {pinnedRevision}.</strong> Changes are composed as always, and reach no
        router until the graph is released.
      </p>
    </div>
  )
}

function AtAGlance({
  graph: { revision, routers, subgraphs, featureFlags },
  newest,
}: {
  readonly graph: GraphDetail
  readonly newest: Revision | undefined
}) {
  const served = featureFlags.filter(({ state }) => state === 'served').length
  const isEverywhere = routers.serving === routers.total
  return (
    <section className="card" aria-label="At a glance">
      <dl className="inset facts">
        <div>
          <dt>Revision</dt>
          <dd>
            {revision ?? 'none yet'}
            {newest === undefined ? null : (
              <small>
                published <Moment at={newest.createdAt} />
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>Live on</dt>
          <dd>
            {routers.total === 0 ? 'no router' : `${routers.serving} of ${routers.total} routers`}
            {routers.total === 0 ? (
              <small>none of this graph is running</small>
            ) : (
              <Meter value={routers.serving} total={routers.total} tone={isEverywhere ? 'good' : 'warn'} />
            )}
          </dd>
        </div>
        <div>
          <dt>Flags served</dt>
          <dd>
            {served} of {featureFlags.length}
          </dd>
        </div>
        <div>
          <dt>Subgraphs</dt>
          <dd>{subgraphs.length}</dd>
        </div>
      </dl>
    </section>
  )
}

function Subgraphs({ graph: { namespace, name, subgraphs } }: { readonly graph: GraphDetail }) {
  return (
    <section className="card" aria-labelledby="subgraphs">
      <header>
        <h2 id="subgraphs">Subgraphs</h2>
        <Link to="/ns/$namespace/subgraphs" params={{ namespace }} search={{ graph: name }} className="small">
          See all subgraphs
        </Link>
      </header>
      {subgraphs.length === 0 ? (
        <Empty title="No subgraph takes part">
          <p>A subgraph takes part once its schema is published and its labels match those of the graph.</p>
        </Empty>
      ) : (
        <div className="inset">
          <Names
            names={subgraphs}
            link={(subgraph, shown) => (
              <Link to="/ns/$namespace/subgraphs/$subgraph" params={{ namespace, subgraph }}>
                {shown}
              </Link>
            )}
          />
        </div>
      )}
    </section>
  )
}
