/** A subgraph: where it is, where it is used, its schema, and the schemas that were published before. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Read } from '../../api/client.ts'
import { useRead } from '../../api/use-api.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Names } from '../../parts/names.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { History } from './history.tsx'
import { SchemaText } from './schema-text.tsx'
import './subgraphs.css'

type SubgraphDetail = Read<'/v1/subgraphs/{namespace}/{name}'>

const route = getRouteApi('/ns/$namespace/subgraphs/$subgraph')

export function Subgraph() {
  const { namespace, subgraph: name } = route.useParams()
  const detail = useRead('/v1/subgraphs/{namespace}/{name}', { path: { namespace, name } })
  return (
    <div className="stack">
      <PageHead title={name}>
        A subgraph of the namespace <Foreign text={namespace} />
        {detail.data?.base == null ? null : (
          <>
            , which replaces <Foreign text={detail.data.base} /> in flags
          </>
        )}
        .
      </PageHead>
      <Loaded of={detail}>{(subgraph) => <About subgraph={subgraph} />}</Loaded>
    </div>
  )
}

function About({ subgraph }: { readonly subgraph: SubgraphDetail }) {
  const { namespace, name, published, base } = subgraph
  const kind = base === null ? 'subgraph' : 'feature-subgraph'
  return (
    <>
      <AtAGlance subgraph={subgraph} />
      <Use subgraph={subgraph} />
      {published ? (
        <>
          <SchemaText namespace={namespace} name={name} />
          <History namespace={namespace} name={name} published={subgraph.schema} />
        </>
      ) : (
        <section className="card">
          <Empty title="Its schema was not published yet">
            <p>Until then it takes part in no graph.</p>
            <Command
              words={[
                'switchyard',
                kind,
                'publish',
                name,
                '--schema',
                `${name}.graphql`,
                '--namespace',
                namespace,
              ]}
            />
          </Empty>
        </section>
      )}
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', kind, 'get', name, '--namespace', namespace]} />
      </div>
    </>
  )
}

function AtAGlance({
  subgraph: { routingUrl, labels, bytes, schema },
}: {
  readonly subgraph: SubgraphDetail
}) {
  return (
    <section className="card" aria-label="At a glance">
      <dl className="inset facts">
        <div>
          <dt>Routing URL</dt>
          <dd>{routingUrl === '' ? 'none' : <Foreign text={routingUrl} />}</dd>
        </div>
        <div>
          <dt>Schema</dt>
          <dd>
            {bytes === null ? 'none yet' : sizeOf(bytes)}
            {schema === null ? null : (
              <small>
                <code>{schema.slice(0, 12)}</code>
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>Labels</dt>
          <dd>{labels.length === 0 ? 'none' : <Foreign text={labels.join(' ')} mono />}</dd>
        </div>
      </dl>
    </section>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`
}

function Use({
  subgraph: { namespace, name, graphs, featureFlags, featureSubgraphs },
}: {
  readonly subgraph: SubgraphDetail
}) {
  return (
    <section className="card" aria-labelledby="use">
      <header>
        <h2 id="use">Where it is used</h2>
      </header>
      <dl className="inset facts">
        <Used title="Graphs" names={graphs} none="It takes part in no graph.">
          {(graph, shown) => (
            <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph }}>
              {shown}
            </Link>
          )}
        </Used>
        <Used title="Flags" names={featureFlags} none="No flag has it as a member.">
          {(_, shown) => shown}
        </Used>
        <Used title="Replaced by" names={featureSubgraphs} none={`No feature subgraph replaces it.`}>
          {(subgraph, shown) => (
            <Link
              to="/ns/$namespace/subgraphs/$subgraph"
              params={{ namespace, subgraph }}
              key={`${name} ${subgraph}`}
            >
              {shown}
            </Link>
          )}
        </Used>
      </dl>
    </section>
  )
}

function Used({
  title,
  names,
  none,
  children,
}: {
  readonly title: string
  readonly names: readonly string[]
  readonly none: string
  readonly children: (name: string, shown: ReactNode) => ReactNode
}) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="used">
        {names.length === 0 ? <span className="quiet">{none}</span> : <Names names={names} link={children} />}
      </dd>
    </div>
  )
}
