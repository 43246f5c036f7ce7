/** The dashboard for people who publish schemas: how a command reaches routers, and where it waits. */
import { type DashboardPlan, type Panel, quantile, rate } from './panel.ts'
import { processPanels } from './process.ts'

const rates = (by: string, series: string): string => `sum by (${by}) (${rate(series)})`

const publishing: readonly Panel[] = [
  {
    title: 'Commands',
    description: 'What was asked of the registry: publishes, flags that were switched, and so on.',
    unit: 'ops',
    queries: [{ expr: rates('command', 'switchyard_registry_commands_total'), legend: '{{command}}' }],
  },
  {
    title: 'Commands that were refused',
    description: 'By command. Who gave it was told why.',
    unit: 'ops',
    queries: [
      {
        expr: rates('command', 'switchyard_registry_commands_total{outcome=~"refused|unknown"}'),
        legend: '{{command}}',
        rare: true,
      },
    ],
  },
  {
    title: '95 % of the commands are written within',
    description: 'Without waiting for what they cause. Slow: NATS writes slowly.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'switchyard_registry_command_duration_seconds'), legend: 'p95' }],
  },
]

const composing: readonly Panel[] = [
  {
    title: 'Compositions',
    description:
      'By what came of them. failed: subgraphs do not fit together, and routers go on with what they have.',
    unit: 'ops',
    queries: [{ expr: rates('status', 'switchyard_composer_results_total'), legend: '{{status}}' }],
  },
  {
    title: '95 % of the passes take less than',
    description: 'A pass composes a graph with all of its flags.',
    unit: 's',
    queries: [{ expr: quantile(0.95, 'switchyard_composer_pass_duration_seconds'), legend: 'p95' }],
  },
  {
    title: 'Passes that ended without a result',
    description: 'superseded: a newer change took over, which is well. dropped, failed: tried again.',
    unit: 'ops',
    queries: [
      {
        expr: rates('reason', 'switchyard_composer_interrupted_passes_total'),
        legend: '{{reason}}',
        rare: true,
      },
    ],
  },
]

const distributing: readonly Panel[] = [
  {
    title: 'Revisions that were published',
    description: 'What was composed and handed to routers, by what caused it.',
    unit: 'ops',
    queries: [
      { expr: rates('reason', 'switchyard_config_distribution_published_total'), legend: '{{reason}}' },
    ],
  },
  {
    title: 'Swaps of routers',
    description: 'Configurations that began to be served, by where routers heard of them.',
    unit: 'ops',
    queries: [{ expr: rates('source', 'switchyard_router_swaps_total'), legend: '{{source}}' }],
  },
  {
    title: 'Trouble while distributing',
    description:
      'Steps that are tried again, manifests that were lost in Redis and written again, routers that stay behind.',
    unit: 'ops',
    queries: [
      {
        expr: rates('step', 'switchyard_config_distribution_failed_attempts_total'),
        legend: 'failed {{step}}',
        rare: true,
      },
      {
        expr: rates('how', 'switchyard_config_distribution_repairs_total'),
        legend: 'repaired {{how}}',
        rare: true,
      },
      {
        expr: `sum(${rate('switchyard_config_distribution_routers_behind_total')})`,
        legend: 'routers behind',
        rare: true,
      },
    ],
  },
]

const servers: readonly Panel[] = [
  {
    title: 'Records that wait',
    description:
      'How far each reader of a log is behind its end. A line that stays above 0: that service does not keep up.',
    unit: 'short',
    queries: [
      {
        expr: 'max by (log, reader, instance) (switchyard_log_lag)',
        legend: '{{log}} → {{reader}} {{instance}}',
      },
    ],
  },
  {
    title: 'Connected to NATS and Redis',
    description: '1: the service is connected; 0: it is not, and tries again.',
    unit: 'none',
    queries: [
      {
        expr: 'min by (system, instance) (switchyard_connection_connected)',
        legend: '{{instance}} → {{system}}',
      },
    ],
  },
  {
    title: 'Connections that were made again',
    description: 'Often: the network or the server drops them.',
    unit: 'ops',
    queries: [
      { expr: rates('system', 'switchyard_connection_reconnects_total'), legend: '{{system}}', rare: true },
    ],
  },
  {
    title: 'Management API: 95 % are faster than',
    description: 'Commands that wait until routers serve what they caused are slow on purpose.',
    unit: 's',
    queries: [
      {
        expr: quantile(0.95, 'http_server_request_duration_seconds', ['http_route'], 'service="registry"'),
        legend: '{{http_route}}',
      },
    ],
  },
  {
    title: 'Unknown API keys and forged heartbeats',
    description: 'Many: somebody tries to get in, or a secret was changed in one place only.',
    unit: 'ops',
    queries: [
      { expr: `sum(${rate('switchyard_registry_wrong_keys_total')})`, legend: 'API keys', rare: true },
      {
        expr: rates('reason', 'switchyard_heartbeats_not_believed_total'),
        legend: 'heartbeats: {{reason}}',
        rare: true,
      },
    ],
  },
]

export const platform: DashboardPlan = {
  uid: 'switchyard-platform',
  title: 'Switchyard: platform',
  description:
    'From a publish to what routers serve: registry, composers, config-distribution, NATS and Redis.',
  sections: [
    { title: 'Commands', panels: publishing },
    { title: 'Composition', panels: composing },
    { title: 'Distribution', panels: distributing },
    { title: 'Logs, NATS and Redis', panels: servers },
    { title: 'Processes', panels: processPanels('job="switchyard", service!="router"') },
  ],
}
