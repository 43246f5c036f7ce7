/** The plan of an operation as a drawing, and as a list that says the same. */
import type { Trace } from '@switchyard/request-trace'
import { printable } from '@switchyard/values'
import { useMemo } from 'react'
import type { PlanDrawing, PlanEdge } from '../plans/lay-out-plan.ts'
import { MOST_FETCHES, planOf, type PlanFetch } from '../plans/plan-of-trace.ts'
import { stateOf, useLoaded } from './use-loaded.ts'

const load = () => import('../plans/lay-out-plan.ts')
/** Characters that fit into the box of a fetch. */
const FITTING = 26

export function PlanView({
  trace,
  label,
}: {
  readonly trace: Pick<Trace, 'fetches'>
  /** The name of the plan for readers of the screen. */
  readonly label: string
}) {
  const plan = useMemo(() => planOf(trace), [trace])
  if (plan.length === 0)
    return <p className="operation-views ov-note">The router fetched nothing for this operation.</p>
  return (
    <div className="operation-views">
      <Drawn plan={plan} label={label} />
      <ol className="ov-plan" aria-label={`Fetches of ${label}`}>
        {plan.map((fetch) => (
          <li key={fetch.number} data-state={fetch.state}>
            <strong>
              <bdi>{shown(fetch.subgraph)}</bdi>
            </strong>{' '}
            at <bdi>{shown(fetch.path)}</bdi>, {facts(fetch).join(', ')}
          </li>
        ))}
      </ol>
      {plan.length === MOST_FETCHES ? <p className="ov-note">The first {MOST_FETCHES} are shown.</p> : null}
    </div>
  )
}

function Drawn({ plan, label }: { readonly plan: readonly PlanFetch[]; readonly label: string }) {
  const loading = useLoaded(load)
  const drawing = useMemo(() => loading.module?.layOutPlan(plan) ?? null, [loading.module, plan])
  const state = stateOf(loading)
  if (state !== null) return <p className="ov-note">{state}</p>
  if (drawing === null || loading.module === null)
    return <p className="ov-note">The plan has too many fetches to be drawn.</p>
  return <Drawing drawing={drawing} size={loading.module.NODE} count={plan.length} label={label} />
}

function Drawing({
  drawing: { width, height, nodes, edges },
  size,
  count,
  label,
}: {
  readonly drawing: PlanDrawing
  readonly size: { readonly width: number; readonly height: number }
  readonly count: number
  readonly label: string
}) {
  const title = `Plan with ${count} ${count === 1 ? 'fetch' : 'fetches'}; the list below says the same.`
  return (
    <div className="ov-scroll" role="region" aria-label={`Drawing of ${label}`} tabIndex={0}>
      <svg role="img" aria-label={title} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {edges.map((edge) => (
          <path key={`${edge.from} ${edge.to}`} className="ov-edge" d={lineOf(edge)} />
        ))}
        {nodes.map(({ fetch, x, y }) => (
          <g key={fetch.number} transform={`translate(${x} ${y})`} data-state={fetch.state}>
            <rect width={size.width} height={size.height} rx="6" data-deferred={fetch.deferred !== null} />
            <text x="10" y="18">
              <tspan className="ov-strong">{fit(`${fetch.number} ${fetch.subgraph}`)}</tspan>
              <tspan x="10" dy="16">
                {fit(fetch.path)}
              </tspan>
              <tspan x="10" dy="15" className="ov-quiet">
                {fit(timeOf(fetch) + (fetch.deferred === null ? '' : `, deferred`))}
              </tspan>
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

function lineOf({ points }: PlanEdge): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function facts(fetch: PlanFetch): readonly string[] {
  const { after, deferred, began } = fetch
  return [
    timeOf(fetch),
    ...(began === null ? [] : [`begun after ${round(began)} ms`]),
    after.length === 0 ? 'waits for no other' : `waits for ${after.slice(0, 20).join(', ')}`,
    ...(deferred === null ? [] : [`deferred: ${shown(deferred)}`]),
  ]
}

function timeOf({ state, took }: PlanFetch): string {
  if (state === 'skipped') return 'nothing to ask for'
  if (state === 'not begun') return 'not begun'
  const time = took === null ? '' : `${round(took)} ms`
  return state === 'failed' ? `failed${time === '' ? '' : ` after ${time}`}` : time === '' ? 'done' : time
}

function round(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds).toLocaleString('en')
}

function fit(text: string): string {
  return printable(text.length > FITTING ? `${text.slice(0, FITTING - 1)}…` : text)
}

function shown(text: string): string {
  return printable(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
