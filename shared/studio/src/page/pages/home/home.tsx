/** Home: all graphs with their state, what wants attention, and what changed lately. */
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import type { GraphView } from '../../api/use-graphs.ts'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { ChangeLine } from '../../parts/history/change-line.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty, Loaded, Problem } from '../../parts/states.tsx'
import { type Attention, attention, type Facts } from './attention.ts'
import './home.css'
import { useFacts } from './use-facts.ts'

const LATELY = 8
const MOST_SHOWN = 20

export function Home() {
  const { facts, error } = useFacts()
  return (
    <div className="stack">
      <PageHead title="Home">{facts === undefined ? undefined : <Summary facts={facts} />}</PageHead>
      {error === null ? null : <Problem error={error} />}
      {facts === undefined ? (
        error === null ? (
          <p className="waiting">Reading all graphs …</p>
        ) : null
      ) : (
        <>
          <WantsAttention found={attention(facts)} />
          <Graphs facts={facts} />
        </>
      )}
      <Lately />
    </div>
  )
}

function Summary({ facts: { graphs, routers } }: { readonly facts: Facts }) {
  const alive = routers.filter((router) => router.alive).length
  return (
    <>
      {counted(graphs.length, 'graph')}, {counted(alive, 'router')}
      {alive === 1 ? ' is' : ' are'} running.
    </>
  )
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function WantsAttention({ found }: { readonly found: readonly Attention[] }) {
  if (found.length === 0) return null
  return (
    <section className="card" aria-labelledby="attention">
      <header>
        <h2 id="attention">Wants attention</h2>
        <span className="quiet small">{counted(found.length, 'thing')}</span>
      </header>
      <ul className="lines">
        {found.slice(0, MOST_SHOWN).map((one) => (
          <li key={`${one.state} ${one.namespace} ${one.name} ${one.graph}`} className="line">
            <Pill tone={one.tone}>{one.state}</Pill>
            <span className="line-name">
              <NameOf of={one} />
            </span>
            <span className="quiet line-text">
              <Foreign text={one.sentence} />
            </span>
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN ? (
        <p className="inset quiet small">{counted(found.length - MOST_SHOWN, 'more thing')}.</p>
      ) : null}
    </section>
  )
}

function NameOf({ of: { name, namespace, graph } }: { readonly of: Attention }) {
  if (graph === null) return <Foreign text={name} />
  return (
    <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph }}>
      <Foreign text={name} />
    </Link>
  )
}

const BASE: Readonly<Record<GraphView['base'], { readonly tone: Tone; readonly text: string }>> = {
  composed: { tone: 'good', text: 'composed' },
  failed: { tone: 'bad', text: 'not composed' },
  empty: { tone: 'quiet', text: 'empty' },
  pending: { tone: 'warn', text: 'being composed' },
}

function Graphs({ facts }: { readonly facts: Facts }) {
  if (facts.graphs.length === 0) {
    return (
      <section className="card">
        <Empty title="There is no graph yet">
          <p>A graph is made of the schemas of subgraphs. These two commands make one:</p>
          <Command words={['switchyard', 'federated-graph', 'create', 'shop']} />
          <Command
            words={[
              'switchyard',
              'subgraph',
              'publish',
              'products',
              '--schema',
              'products.graphql',
              '--routing-url',
              'http://localhost:5001/graphql',
            ]}
          />
        </Empty>
      </section>
    )
  }
  return (
    <section aria-labelledby="graphs" className="stack-close">
      <h2 id="graphs">Graphs</h2>
      <ul className="graphs">
        {facts.graphs.map((graph) => (
          <li key={`${graph.namespace}/${graph.name}`}>
            <GraphCard graph={graph} facts={facts} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function GraphCard({ graph, facts }: { readonly graph: GraphView; readonly facts: Facts }) {
  const { namespace, name, base, revision, pinnedRevision, subgraphs } = graph
  const isOf = (one: { readonly namespace: string; readonly graph: string }) =>
    one.namespace === namespace && one.graph === name
  const routers = facts.routers.filter((router) => router.alive && isOf(router))
  const newest = routers.filter(({ serves }) => serves === 'newest').length
  const flags = facts.flags.filter(
    (flag) => flag.namespace === namespace && flag.enabled && flag.graphs.some((one) => one.graph === name),
  )
  return (
    <Link to="/ns/$namespace/graphs/$graph" params={{ namespace, graph: name }} className="card graph-card">
      <span className="row">
        <strong className="graph-name">
          <Foreign text={name} />
        </strong>
        <Pill tone={BASE[base].tone}>{BASE[base].text}</Pill>
        {pinnedRevision === null ? null : <Pill tone="warn">held</Pill>}
      </span>
      <span className="quiet small">
        <Foreign text={namespace} /> · {counted(subgraphs.length, 'subgraph')}
        {flags.length === 0 ? '' : ` · ${counted(flags.length, 'flag')}`}
      </span>
      <span className="graph-facts">
        <span>
          <b>{revision ?? '–'}</b>
          <span className="quiet small">revision</span>
        </span>
        <span>
          <b>{routers.length === 0 ? 'no router' : `${newest} of ${routers.length}`}</b>
          <span className="quiet small">{routers.length === 0 ? 'is running' : 'routers serve it'}</span>
        </span>
      </span>
    </Link>
  )
}

function Lately() {
  const log = useRead('/v1/log', { query: { order: 'newest', limit: LATELY } })
  return (
    <section className="card" aria-labelledby="lately">
      <header>
        <h2 id="lately">Lately</h2>
      </header>
      <Loaded of={log}>
        {({ records }) =>
          records.length === 0 ? (
            <Empty title="Nothing was changed yet" />
          ) : (
            <ul className="lines">
              {records.map((record) => (
                <li key={record.sequence} className="line">
                  <ChangeLine record={record} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
