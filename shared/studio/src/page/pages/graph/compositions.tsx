/** What base and each flag are composed to at this moment. */
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty } from '../../parts/states.tsx'
import type { GraphDetail, Revision } from './types.ts'

type Report = GraphDetail['compositions'][number]

const STATES: Readonly<Record<Report['status'], { readonly tone: Tone; readonly text: string }>> = {
  composed: { tone: 'good', text: 'composed' },
  unchanged: { tone: 'good', text: 'reused' },
  failed: { tone: 'bad', text: 'failed' },
  empty: { tone: 'quiet', text: 'empty' },
}
const MOST_ERRORS = 3

export function Compositions({
  graph,
  served,
}: {
  readonly graph: GraphDetail
  readonly served: Revision | undefined
}) {
  const reported = new Set(graph.compositions.map(({ featureFlag }) => featureFlag))
  const waiting = graph.featureFlags.filter(({ name }) => !reported.has(name))
  const hasFailed = graph.compositions.some(({ status }) => status === 'failed')
  return (
    <section className="card" aria-labelledby="compositions">
      <header>
        <h2 id="compositions">Compositions</h2>
        {hasFailed && served !== undefined ? <Since graph={graph} served={served} /> : null}
      </header>
      {graph.compositions.length === 0 && waiting.length === 0 ? (
        <Empty title="Nothing was composed yet">
          <p>A graph is composed as soon as a subgraph of it has a schema.</p>
        </Empty>
      ) : (
        <ul className="compositions">
          {graph.compositions.map((report) => (
            <li key={report.featureFlag ?? ''}>
              <Composition report={report} graph={graph} />
            </li>
          ))}
          {waiting.map(({ name, state }) => (
            <li key={name}>
              <div className="row">
                <strong>
                  <Foreign text={name} />
                </strong>
                <Pill tone={state === 'pending' ? 'warn' : 'quiet'}>{state}</Pill>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Composition({
  report: { featureFlag, status, errors, errorCount, hints },
  graph,
}: {
  readonly report: Report
  readonly graph: GraphDetail
}) {
  const { tone, text } = STATES[status]
  const state = graph.featureFlags.find(({ name }) => name === featureFlag)?.state
  const isLeftOut = status !== 'failed' && state !== undefined && state !== 'served'
  return (
    <>
      <div className="row">
        <strong>{featureFlag === null ? 'base' : <Foreign text={featureFlag} />}</strong>
        <span className="quiet small">{featureFlag === null ? '' : 'flag'}</span>
        <Pill tone={tone}>{text}</Pill>
        {isLeftOut ? <Foreign text={state} /> : null}
        {hints.length === 0 ? null : <span className="quiet small">{hints.length} hints</span>}
      </div>
      {errors.length === 0 ? null : (
        <ul className="errors">
          {errors.slice(0, MOST_ERRORS).map((error, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- errors have no other name
            <li key={index}>
              <code>{error.code}</code> <Foreign text={error.message} />
            </li>
          ))}
          <li>
            <Link
              to="/ns/$namespace/graphs/$graph/errors"
              params={{ namespace: graph.namespace, graph: graph.name }}
              search={featureFlag === null ? {} : { featureFlag }}
            >
              {errorCount === 1 ? 'See where it is' : `See where all ${errorCount} errors are`}
            </Link>
          </li>
        </ul>
      )}
    </>
  )
}

/** Tells how far routers are behind while a composition fails: the log has no record of failures. */
function Since({
  graph: { namespace, name },
  served,
}: {
  readonly graph: GraphDetail
  readonly served: Revision
}) {
  const log = useRead('/v1/log', { query: { after: served.registrySequence, namespace, limit: 100 } })
  const first = log.data?.records.find(({ graphs }) => graphs?.some(({ graph }) => graph === name) === true)
  if (first === undefined) return null
  return (
    <span className="quiet small">
      failing since <Moment at={first.time} /> at the earliest: <Foreign text={first.summary} />
    </span>
  )
}
