/** A feature flag: what it replaces, where it is served, by whom it is asked, and what can be done with it. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRefusal } from '../../api/commands.ts'
import { useRead } from '../../api/use-api.ts'
import { useFleetInterval } from '../../api/use-fleet-interval.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { ChangesOf, isAbout, useLog } from '../../parts/history/changes-of.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill } from '../../parts/pill.tsx'
import { Refusal } from '../../parts/refusal.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { LastNamed } from '../../parts/flags/last-named.tsx'
import { routersOf, stageOf, toneOfState } from '../../parts/flags/stages.ts'
import type { FlagDetail, Snapshot } from './affected.ts'
import { FlagActions } from './flag-actions.tsx'

const MINUTE_MS = 60_000

const route = getRouteApi('/ns/$namespace/feature-flags/$flag')

export function FlagPage() {
  const { namespace, flag: name } = route.useParams()
  const refusal = useRefusal(namespace)
  const refetchInterval = useFleetInterval()
  const flag = useRead(
    '/v1/feature-flags/{namespace}/{name}',
    { path: { namespace, name } },
    // No event tells who asked for it.
    { refetchInterval: refetchInterval === false ? MINUTE_MS : refetchInterval },
  )
  const snapshot = useRead('/v1/namespaces/{namespace}/snapshot', { path: { namespace } })
  return (
    <div className="stack">
      <Loaded of={flag}>
        {(detail) => (
          <>
            <PageHead
              title={name}
              actions={
                snapshot.data === undefined ? null : <FlagActions flag={detail} snapshot={snapshot.data} />
              }
            >
              A feature flag of the namespace <Foreign text={namespace} />. {stageOf(detail).means}
            </PageHead>
            <Refusal reason={refusal} />
            <AtAGlance flag={detail} />
            <Replaces flag={detail} snapshot={snapshot.data} />
            <Served flag={detail} />
            <AskedBy flag={detail} />
            <Rollouts flag={detail} />
            <ChangesOf namespace={namespace} kind="feature-flag" name={name} />
          </>
        )}
      </Loaded>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'feature-flag', 'get', name, '--namespace', namespace]} />
      </div>
    </div>
  )
}

function AtAGlance({ flag }: { readonly flag: FlagDetail }) {
  const { tone, text } = stageOf(flag)
  const requests = flag.lastDay?.reduce((sum, one) => sum + one.requests, 0)
  return (
    <section className="card" aria-label="At a glance">
      <dl className="inset facts">
        <div>
          <dt>Stage</dt>
          <dd>
            <Pill tone={tone}>{text}</Pill>
          </dd>
        </div>
        <div>
          <dt>Requests in 24 hours</dt>
          <dd>{requests ?? 'not known'}</dd>
        </div>
        <div>
          <dt>Last named</dt>
          <dd>
            <LastNamed flag={flag} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Created flag={flag} />
          </dd>
        </div>
        <div>
          <dt>Labels</dt>
          <dd>
            {flag.labels.length === 0 ? 'none' : <Foreign text={flag.labels.join(' ')} mono />}
            <small>they choose its graphs</small>
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** The age of a flag, as far back as this page reads the log. */
function Created({ flag: { namespace, name } }: { readonly flag: FlagDetail }) {
  const { data, error } = useLog(namespace)
  if (error !== null) return <>not known</>
  if (data === undefined) return <>…</>
  const created = data.records.find(({ events }) =>
    events.some((event) => event.type === 'feature-flag.created' && isAbout(event, 'feature-flag', name)),
  )
  if (created !== undefined) return <Moment at={created.time} />
  const oldest = data.records.at(-1)
  if (oldest === undefined) return <>not known</>
  return (
    <>
      before <Moment at={oldest.time} />
      <small>older than the changes that this page reads</small>
    </>
  )
}

function Replaces({
  flag: { featureSubgraphs },
  snapshot,
}: {
  readonly flag: FlagDetail
  readonly snapshot: Snapshot | undefined
}) {
  const byName = new Map(snapshot?.subgraphs.map((one) => [one.name, one]))
  return (
    <section className="card" aria-labelledby="replaces">
      <header>
        <h2 id="replaces">Replaces</h2>
      </header>
      {featureSubgraphs.length === 0 ? (
        <Empty title="It replaces nothing">
          <p>It has no feature subgraph, so nothing is composed for it.</p>
        </Empty>
      ) : (
        <ul className="entries">
          {featureSubgraphs.map((name) => {
            const own = byName.get(name)
            return (
              <li key={name}>
                <p>
                  <strong>
                    <Foreign text={own?.base ?? '…'} mono />
                  </strong>{' '}
                  <span className="quiet">by</span>{' '}
                  <strong>
                    <Foreign text={name} mono />
                  </strong>
                </p>
                {own === undefined ? null : (
                  <p className="quiet small">
                    {own.schema === null ? 'no schema is published' : `${own.schema.bytes} bytes of schema`},
                    at <Foreign text={own.routingUrl} />
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function Served({ flag }: { readonly flag: FlagDetail }) {
  const { namespace, name, graphs } = flag
  const routers = useRead('/v1/routers', { query: { namespace } }, { refetchInterval: useFleetInterval() })
  return (
    <section className="card" aria-labelledby="served">
      <header>
        <h2 id="served">Where it is served</h2>
      </header>
      {graphs.length === 0 ? (
        <Empty title="Nowhere">
          <p>Its labels choose no graph of the namespace.</p>
        </Empty>
      ) : (
        <ul className="entries">
          {graphs.map(({ graph, state }) => {
            const count = routers.data === undefined ? null : routersOf(routers.data.routers, graph, name)
            return (
              <li key={graph}>
                <div className="row">
                  <strong>
                    <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph }}>
                      <Foreign text={graph} />
                    </Link>
                  </strong>
                  <Pill tone={flag.enabled ? toneOfState(state) : 'quiet'}>
                    <Foreign text={state} />
                  </Pill>
                  <span className="quiet small">
                    {count === null
                      ? ''
                      : count.total === 0
                        ? 'no router of it is running'
                        : `on ${count.serving} of ${count.total} routers`}
                  </span>
                </div>
                <Errors flag={flag} graph={graph} />
                <p className="row small">
                  <Link
                    to="/ns/$namespace/graphs/$graph/difference"
                    params={{ namespace, graph }}
                    search={{ from: 'base', to: `flag:${name}` }}
                  >
                    What it changes for clients
                  </Link>
                </p>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

const MOST_ERRORS = 3

function Errors({
  flag: { namespace, name, compositions },
  graph,
}: {
  readonly flag: FlagDetail
  readonly graph: string
}) {
  const report = compositions.find((one) => one.graph === graph)
  if (report === undefined || report.errors.length === 0) return null
  return (
    <ul className="notice" data-tone="bad">
      {report.errors.slice(0, MOST_ERRORS).map((error, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- errors have no other name
        <li key={index}>
          <code>{error.code}</code> <Foreign text={error.message} />
        </li>
      ))}
      {report.errorCount > MOST_ERRORS ? (
        <li className="quiet small">{report.errorCount - MOST_ERRORS} more errors</li>
      ) : null}
      <li>
        <Link
          to="/ns/$namespace/graphs/$graph/errors"
          params={{ namespace, graph }}
          search={{ featureFlag: name }}
        >
          Show them at their places
        </Link>
      </li>
    </ul>
  )
}

function AskedBy({ flag: { lastDay } }: { readonly flag: FlagDetail }) {
  const asked = lastDay?.filter(({ requests }) => requests > 0) ?? []
  return (
    <section className="card" aria-labelledby="asked">
      <header>
        <h2 id="asked">Who got it in the last 24 hours</h2>
        <span className="quiet small">by its name, or by a rollout</span>
      </header>
      {lastDay === undefined ? (
        <Empty title="Not known">
          <p>This registry keeps no usage, or cannot read it at the moment.</p>
        </Empty>
      ) : asked.length === 0 ? (
        <Empty title="No router told of a request">
          <p>Routers tell what they count each minute.</p>
        </Empty>
      ) : (
        <TableScroll label="Who got it">
          <table className="table">
            <thead>
              <tr>
                <th>Client</th>
                <th>Graph</th>
                <th className="number">Requests</th>
              </tr>
            </thead>
            <tbody>
              {asked.flatMap(({ graph, clients }) =>
                clients.map(({ name, version, requests }) => (
                  <tr key={JSON.stringify([graph, name, version])}>
                    <td>
                      {name === null ? (
                        <span className="quiet">gave no name</span>
                      ) : (
                        <Foreign text={version === null ? name : `${name} ${version}`} />
                      )}
                    </td>
                    <td>
                      <Foreign text={graph} />
                    </td>
                    <td className="number">{requests}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </TableScroll>
      )}
    </section>
  )
}

function Rollouts({ flag: { namespace, name } }: { readonly flag: FlagDetail }) {
  const rollouts = useRead('/v1/rollouts/{namespace}', { path: { namespace } })
  return (
    <section className="card" aria-labelledby="rollouts">
      <header>
        <h2 id="rollouts">Rollouts</h2>
      </header>
      <Loaded of={rollouts}>
        {({ rollouts: all }) => {
          const own = all.filter(({ flag }) => flag === name)
          if (own.length === 0)
            return (
              <Empty title="No rollout gives it to anybody">
                <p>Only requests that name it get it.</p>
              </Empty>
            )
          return (
            <ul className="entries">
              {own.map(({ name: rollout, mode, inForce, status, graph }) => (
                <li key={rollout} className="row">
                  <div className="row">
                    <strong>
                      <Link to="/ns/$namespace/rollouts/$rollout" params={{ namespace, rollout }}>
                        <Foreign text={rollout} />
                      </Link>
                    </strong>
                    <span>
                      {mode === 'shadow' ? `compares ${inForce} %` : `${inForce} %`}{' '}
                      <span className="quiet">
                        of <Foreign text={graph} />
                        {status === 'active' ? '' : `, ${status}`}
                      </span>
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </section>
  )
}
