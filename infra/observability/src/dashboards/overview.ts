/** The dashboard for the wall, which shows across the room whether clients are served well. */
import { type DashboardPlan, OF_OPERATIONS, type Panel, quantile, rate } from './panel.ts'

const MINE = `service="router", ${OF_OPERATIONS}`
const REQUESTS = `http_server_request_duration_seconds_count{${MINE}}`
const FAILED = `http_server_request_duration_seconds_count{${MINE}, http_response_status_code=~"5.."}`

const numbers: readonly Panel[] = [
  {
    title: 'Routers that serve',
    description:
      'Routers that have a configuration and answer. Fewer than you run: see the dashboard of routers.',
    unit: 'none',
    number: true,
    queries: [{ expr: 'count(switchyard_router_revision)', legend: 'routers' }],
  },
  {
    title: 'Services that do not answer',
    description: 'Processes whose metrics port is silent. Anything but 0 wants somebody to look.',
    unit: 'none',
    number: true,
    redFrom: 1,
    queries: [{ expr: 'count(up{job="switchyard"} == 0)', legend: 'services', rare: true }],
  },
  {
    title: 'Alerts',
    description: 'Alerts that fire now; Prometheus lists them with what to do first.',
    unit: 'none',
    number: true,
    redFrom: 1,
    queries: [{ expr: 'count(ALERTS{alertstate="firing"})', legend: 'alerts', rare: true }],
  },
  {
    title: 'Requests per second',
    description: 'Requests of clients that all routers together answered.',
    unit: 'reqps',
    number: true,
    queries: [{ expr: `sum(${rate(REQUESTS)})`, legend: 'requests' }],
  },
  {
    title: 'Server errors',
    description: 'Share of requests with a status of 500 or above.',
    unit: 'percentunit',
    number: true,
    redFrom: 0.01,
    queries: [{ expr: `sum(${rate(FAILED)}) / sum(${rate(REQUESTS)})`, legend: 'share', rare: true }],
  },
  {
    title: '99 % are faster than',
    description: 'Time until the answer was written, of all but the slowest hundredth of requests.',
    unit: 's',
    number: true,
    redFrom: 1,
    queries: [{ expr: quantile(0.99, 'http_server_request_duration_seconds', [], MINE), legend: 'p99' }],
  },
]

const traffic: readonly Panel[] = [
  {
    title: 'Requests by status',
    description:
      'HTTP status of answers to clients. Errors of GraphQL have status 200 and stand in the dashboard of routers.',
    unit: 'reqps',
    stacked: true,
    queries: [
      {
        expr: `sum by (http_response_status_code) (${rate(REQUESTS)})`,
        legend: '{{http_response_status_code}}',
      },
    ],
  },
  {
    title: 'Time until the answer was written',
    description: 'Half, 95 % and 99 % of the requests were faster than this.',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((share) => ({
      expr: quantile(share, 'http_server_request_duration_seconds', [], MINE),
      legend: `p${share * 100}`,
    })),
  },
  {
    title: 'Requests with a feature flag',
    description: 'Requests that were answered by the composition of a flag, by its name.',
    unit: 'reqps',
    queries: [
      { expr: `sum by (flag) (${rate('switchyard_router_requests_total{flag!=""}')})`, legend: '{{flag}}' },
    ],
  },
]

const health: readonly Panel[] = [
  {
    title: 'Calls of subgraphs that failed',
    description:
      'By subgraph and by the code of the error, see docs/errors.md. What is missing in answers comes from here.',
    unit: 'reqps',
    queries: [
      {
        expr: `sum by (subgraph, outcome) (${rate('switchyard_router_subgraph_duration_seconds_count{outcome!="answered"}')})`,
        legend: '{{subgraph}} {{outcome}}',
        rare: true,
      },
    ],
  },
  {
    title: 'Revision that is served',
    description: 'Each publish makes a new one. All routers of a graph should show the same line.',
    unit: 'none',
    queries: [{ expr: 'switchyard_router_revision', legend: '{{graph}} {{instance}}' }],
  },
  {
    title: 'Event loop delay',
    description:
      'One turn in a hundred was later than this. Above 50 ms everybody who uses that process waits.',
    unit: 's',
    redFrom: 0.05,
    queries: [{ expr: 'nodejs_eventloop_delay_p99_seconds{job="switchyard"}', legend: '{{instance}}' }],
  },
]

export const overview: DashboardPlan = {
  uid: 'switchyard-overview',
  title: 'Switchyard: overview',
  description: 'Whether clients are served, and how well.',
  sections: [
    { title: 'Now', panels: numbers },
    { title: 'What clients get', panels: traffic },
    { title: 'What it depends on', panels: health },
  ],
}
