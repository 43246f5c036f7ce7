/** The processes that are running: what each serves, how it is, and when it was last heard. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Read } from '../../api/client.ts'
import { HEARTBEAT_MS, useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import './fleet.css'
import { heard, Load } from './load.tsx'
import { Services } from './services.tsx'

type Router = Read<'/v1/routers'>['routers'][number]

const route = getRouteApi('/fleet')

export function Fleet() {
  const { namespace, graph } = route.useSearch()
  const routers = useRead('/v1/routers', { query: { namespace, graph } }, { refetchInterval: HEARTBEAT_MS })
  const words = namespace === undefined ? [] : ['--namespace', namespace]
  if (graph !== undefined) words.push('--graph', graph)
  return (
    <div className="stack">
      <PageHead title="Fleet">
        {graph === undefined
          ? 'The routers, registries and composers that were heard in the last minute.'
          : `The routers of ${graph} that were heard in the last minute.`}
      </PageHead>
      <Loaded of={routers}>
        {({ routers: list, verified }) => (
          <section className="card" aria-labelledby="routers">
            <header>
              <h2 id="routers">Routers</h2>
              <span className="quiet small">
                {verified === true
                  ? 'Each proved with the fleet key that it is one.'
                  : 'By what they say of themselves: heartbeats are not signed.'}
              </span>
            </header>
            {list.length === 0 ? <NoRouter /> : <Routers routers={list} />}
          </section>
        )}
      </Loaded>
      {graph === undefined ? <Services /> : null}
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'router', 'list', ...words]} />
        {graph === undefined ? <Command words={['switchyard', 'registry', 'services']} /> : null}
      </div>
    </div>
  )
}

function NoRouter() {
  return (
    <Empty title="No router was heard">
      <p>
        A router reports every five seconds. If one should be running, look at its log: it may not reach NATS,
        or serve another graph.
      </p>
      <Command words={['switchyard', 'router', 'start', '--help']} />
    </Empty>
  )
}

function Routers({ routers }: { readonly routers: readonly Router[] }) {
  return (
    <ul className="fleet">
      {routers.map((router) => (
        <li key={`${router.namespace}/${router.graph}/${router.instance}`}>
          <RouterLine router={router} />
        </li>
      ))}
    </ul>
  )
}

function RouterLine({ router }: { readonly router: Router }) {
  const { instance, namespace, graph, rejected } = router
  const { tone, text } = stateOf(router)
  return (
    <>
      <div className="row">
        <strong>
          <Foreign text={instance} mono />
        </strong>
        <Pill tone={tone}>{text}</Pill>
        <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph }}>
          <Foreign text={graph} />
        </Link>
        <span className="quiet small">
          <Foreign text={namespace} />
        </span>
      </div>
      <RouterFacts router={router} />
      {rejected === undefined ? null : (
        <div className="notice" data-tone="bad">
          <p>
            It refused revision {rejected.revision}: <Foreign text={rejected.message} />
          </p>
          <p className="quiet small">
            <code>{rejected.code}</code>
          </p>
        </div>
      )}
    </>
  )
}

function RouterFacts({ router }: { readonly router: Router }) {
  const { version, revision, flags, configCreatedAt, ageSeconds } = router
  const { load, requestsPerSecond, errorsPerSecond } = router
  return (
    <dl className="facts">
      <div>
        <dt>Serves</dt>
        <dd>
          {revision === 0 ? 'nothing' : `revision ${revision}`}
          <small>
            {SERVES[router.serves ?? 'none']}
            {configCreatedAt === null ? null : (
              <>
                , made <Moment at={configCreatedAt} />
              </>
            )}
          </small>
        </dd>
      </div>
      <div>
        <dt>Flags</dt>
        <dd>{flags.length}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{version === undefined ? 'older than versions' : <Foreign text={version} />}</dd>
      </div>
      <div>
        <dt>Last heard</dt>
        <dd>{heard(ageSeconds)}</dd>
      </div>
      {requestsPerSecond === undefined ? null : (
        <div>
          <dt>Requests</dt>
          <dd>
            {requestsPerSecond.toFixed(1)} a second
            {errorsPerSecond === undefined ? null : <small>{errorsPerSecond.toFixed(1)} with errors</small>}
          </dd>
        </div>
      )}
      {load === undefined ? null : <Load load={load} />}
    </dl>
  )
}

const SERVES: Readonly<Record<NonNullable<Router['serves']>, string>> = {
  newest: 'the newest',
  older: 'an older one',
  'not-in-log': 'not in the log',
  none: 'nothing that was published',
}

function stateOf({ state, alive, serves, rejected }: Router): { readonly tone: Tone; readonly text: string } {
  if (!alive) return state === 'stopped' ? { tone: 'quiet', text: 'stopped' } : { tone: 'bad', text: 'lost' }
  if (rejected !== undefined) return { tone: 'bad', text: 'refused a revision' }
  if (serves === 'not-in-log') return { tone: 'bad', text: 'astray' }
  if (state === 'serving')
    return serves === 'older' ? { tone: 'warn', text: 'behind' } : { tone: 'good', text: state }
  return { tone: state === 'graph-deleted' ? 'bad' : 'warn', text: state }
}
