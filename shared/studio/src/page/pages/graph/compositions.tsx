/** What base and each flag are composed to at this moment. */
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty } from '../../parts/states.tsx'
import type { GraphDetail } from './types.ts'

type Report = GraphDetail['compositions'][number]
type Failure = NonNullable<GraphDetail['failing']>[number]

const STATES: Readonly<Record<Report['status'], { readonly tone: Tone; readonly text: string }>> = {
  composed: { tone: 'good', text: 'composed' },
  unchanged: { tone: 'good', text: 'reused' },
  failed: { tone: 'bad', text: 'failed' },
  empty: { tone: 'quiet', text: 'empty' },
}
const MOST_ERRORS = 3

export function Compositions({ graph }: { readonly graph: GraphDetail }) {
  const reported = new Set(graph.compositions.map(({ featureFlag }) => featureFlag))
  const waiting = graph.featureFlags.filter(({ name }) => !reported.has(name))
  return (
    <section className="card" aria-labelledby="compositions">
      <header>
        <h2 id="compositions">Compositions</h2>
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
  const since = graph.failing?.find((failure) => failure.featureFlag === featureFlag)
  const isLeftOut = status !== 'failed' && state !== undefined && state !== 'served'
  return (
    <>
      <div className="row">
        <strong>{featureFlag === null ? 'base' : <Foreign text={featureFlag} />}</strong>
        <span className="quiet small">{featureFlag === null ? '' : 'flag'}</span>
        <Pill tone={tone}>{text}</Pill>
        {isLeftOut ? <Foreign text={state} /> : null}
        {hints.length === 0 ? null : <span className="quiet small">{hints.length} hints</span>}
        {since === undefined ? null : <Since namespace={graph.namespace} since={since} />}
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

/** Tells which change a composition fails since, or the changes that it is one of. */
function Since({
  namespace,
  since: { after, sequence },
}: {
  readonly namespace: string
  readonly since: Failure
}) {
  const log = useRead('/v1/log', { query: { after, namespace, limit: 100 } })
  const changes = log.data?.records.filter((record) => record.sequence <= sequence) ?? []
  const [first] = changes
  if (first === undefined) return null
  return (
    <span className="quiet small">
      failing since <Moment at={first.time} />
      {changes.length === 1 ? ': ' : ` at the earliest, by one of ${changes.length} changes: `}
      <Foreign text={first.summary} />
    </span>
  )
}
