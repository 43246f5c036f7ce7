/** The dashboard for people who want to know why a router is slow, or what it refuses. */
import { type DashboardPlan, OF_OPERATIONS, type Panel, quantile, rate } from './panel.ts'
import { processPanels } from './process.ts'

const MINE = 'service="router", instance=~"$instance"'
const of = (series: string, more = ''): string => `${series}{${MINE}${more === '' ? '' : `, ${more}`}}`
const rates = (by: string, series: string): string => `sum by (${by}) (${rate(series)})`

const requests: readonly Panel[] = [
  {
    title: 'Requests',
    description:
      'Requests of clients that each router answered. Very different lines: the load balancer is not balancing.',
    unit: 'reqps',
    queries: [
      { expr: rates('instance', of('http_server_request_duration_seconds_count')), legend: '{{instance}}' },
    ],
  },
  {
    title: 'In progress',
    description: 'Requests that are being read, carried out or answered.',
    unit: 'short',
    queries: [{ expr: of('http_server_active_requests'), legend: '{{instance}}' }],
  },
  {
    title: 'Refused, by code',
    description: 'What was refused and why: docs/errors.md says what each code means and what to do.',
    unit: 'reqps',
    queries: [
      { expr: rates('code', of('switchyard_router_refusals_total')), legend: '{{code}}', rare: true },
    ],
  },
  {
    title: 'Time until the answer was written',
    description: 'Half, 95 % and 99 % of the requests were faster than this.',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((share) => ({
      expr: quantile(share, 'http_server_request_duration_seconds', [], `${MINE}, ${OF_OPERATIONS}`),
      legend: `p${share * 100}`,
    })),
  },
  {
    title: '95 % of each phase',
    description: 'Where the time of slow requests goes: docs/metrics.md says what happens in each phase.',
    unit: 's',
    queries: [
      {
        expr: quantile(0.95, 'switchyard_router_phase_duration_seconds', ['phase'], MINE),
        legend: '{{phase}}',
      },
    ],
  },
  {
    title: 'Ended because of a limit',
    description:
      'Connections, requests and streams, by the limit; a few bad clients, or limits that are too tight.',
    unit: 'ops',
    queries: [
      { expr: rates('limit', of('switchyard_router_limited_total')), legend: '{{limit}}', rare: true },
    ],
  },
]

const subgraphs: readonly Panel[] = [
  {
    title: 'Calls',
    description: 'Calls of each subgraph.',
    unit: 'reqps',
    queries: [
      {
        expr: rates('subgraph', of('switchyard_router_subgraph_duration_seconds_count')),
        legend: '{{subgraph}}',
      },
    ],
  },
  {
    title: 'Calls that failed',
    description: 'By subgraph and by the code of the error, see docs/errors.md.',
    unit: 'reqps',
    queries: [
      {
        expr: rates(
          'subgraph, outcome',
          of('switchyard_router_subgraph_duration_seconds_count', 'outcome!="answered"'),
        ),
        legend: '{{subgraph}} {{outcome}}',
        rare: true,
      },
    ],
  },
  {
    title: '95 % of the calls are faster than',
    description: 'Of each subgraph. What is slow here makes every query slow that needs it.',
    unit: 's',
    queries: [
      {
        expr: quantile(0.95, 'switchyard_router_subgraph_duration_seconds', ['subgraph'], MINE),
        legend: '{{subgraph}}',
      },
    ],
  },
  {
    title: 'Calls in progress',
    description: 'A line that rises and does not fall: that subgraph answers more slowly than it is asked.',
    unit: 'short',
    queries: [
      {
        expr: `sum by (subgraph) (${of('switchyard_router_active_subgraph_calls')})`,
        legend: '{{subgraph}}',
      },
    ],
  },
]

const planning: readonly Panel[] = [
  {
    title: 'Known operations and plans',
    description:
      'Share of requests whose operation and plan were known. Low: clients write values into their queries.',
    unit: 'percentunit',
    queries: ['operation', 'plan'].map((what) => ({
      expr: `sum(${rate(of(`switchyard_router_${what}_lookups_total`, 'result="hit"'))}) / sum(${rate(of(`switchyard_router_${what}_lookups_total`))})`,
      legend: `${what}s`,
    })),
  },
  {
    title: 'Plans made',
    description: 'By what came of it; refused, timed-out and overloaded ones were answered with an error.',
    unit: 'ops',
    queries: [{ expr: rates('outcome', of('switchyard_router_plans_total')), legend: '{{outcome}}' }],
  },
  {
    title: 'Waiting for a planning thread',
    description:
      'Operations in the queue. Above 0 for long: somebody asks for many expensive new operations.',
    unit: 'short',
    queries: [{ expr: of('switchyard_router_planning_queue'), legend: '{{instance}}' }],
  },
]

const compositions: readonly Panel[] = [
  {
    title: 'Feature flags: how they are chosen',
    description:
      'header, cookie, rollout: answered by the flag. unknown, not-served: named, and answered by base. rollout-control, rollout-not-ready: of a rollout, and answered by base.',
    unit: 'reqps',
    queries: [{ expr: rates('reason', of('switchyard_router_requests_total')), legend: '{{reason}}' }],
  },
  {
    title: 'Requests by flag',
    description: 'Requests that were answered by the composition of a flag.',
    unit: 'reqps',
    queries: [
      { expr: rates('flag', of('switchyard_router_requests_total', 'flag!=""')), legend: '{{flag}}' },
    ],
  },
  {
    title: 'Compositions of flags that were compiled',
    description:
      'Requests wait for those that are built as requested. Again and again: flags.max_built_size is too small.',
    unit: 'ops',
    queries: [
      {
        expr: rates('flag, outcome, reason', of('switchyard_router_flag_builds_total')),
        legend: '{{flag}} {{outcome}}',
        rare: true,
      },
    ],
  },
  {
    title: 'Age of what is served',
    description: 'Time since the configuration that is served was published.',
    unit: 's',
    queries: [{ expr: of('switchyard_router_composition_age_seconds'), legend: '{{instance}}' }],
  },
  {
    title: 'Left out, since it is damaged',
    description:
      'Feature flags and manifests of documents that are damaged in the config store. Anything but 0: requests for such a flag are refused.',
    unit: 'short',
    redFrom: 1,
    queries: [{ expr: of('switchyard_router_left_out'), legend: '{{instance}} {{part}}' }],
  },
  {
    title: 'Configurations that were refused',
    description: 'By source and code. Anything but 0: somebody forges or replays, or keys do not fit.',
    unit: 'ops',
    redFrom: 0.001,
    queries: [
      {
        expr: rates('source, code', of('switchyard_router_rejected_manifests_total')),
        legend: '{{source}} {{code}}',
        rare: true,
      },
    ],
  },
  {
    title: 'Memory of what is remembered',
    description: 'Compiled compositions, operations with their plans, answers that clients have not read.',
    unit: 'bytes',
    stacked: true,
    queries: [
      { expr: `sum(${of('switchyard_router_generation_size_bytes')})`, legend: 'compositions' },
      { expr: `sum(${of('switchyard_router_operations_size_bytes')})`, legend: 'operations' },
      { expr: `sum(${of('switchyard_router_unsent_size_bytes')})`, legend: 'unread answers' },
      { expr: `sum(${of('switchyard_router_unanswered_size_bytes')})`, legend: 'requests in progress' },
    ],
  },
]

export const router: DashboardPlan = {
  uid: 'switchyard-router',
  title: 'Switchyard: routers',
  description: 'Requests, subgraphs, plans, feature flags and processes of the routers.',
  choosesRouter: true,
  sections: [
    { title: 'Requests of clients', panels: requests },
    { title: 'Subgraphs', panels: subgraphs },
    { title: 'Operations and plans', panels: planning },
    { title: 'Compositions and feature flags', panels: compositions },
    { title: 'Processes', panels: processPanels(MINE) },
  ],
}
