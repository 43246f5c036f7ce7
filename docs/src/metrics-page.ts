/** The tables of docs/metrics.md: one row for each metric that a source declares. */
import { Metric } from '../../shared/service-kit/src/metrics/metric.ts'
import { declarations, type Found, withTable } from './declarations.ts'

const HEAD = '| name | kind | labels | meaning |\n|---|---|---|---|\n'

/** Headings for metrics of packages that several services use, by how the name of a metric begins. */
const SHARED: readonly (readonly [start: string, heading: string])[] = [
  ['switchyard.log.', 'Registry, composer and config-distribution'],
  ['switchyard.heartbeats.', 'Registry and config-distribution'],
  ['switchyard.usage.', 'Registry'],
  ['switchyard.figures.', 'Config-distribution'],
  ['switchyard.ready', 'Ready or not'],
  ['switchyard.certificate.', 'Certificates'],
  ['switchyard.connection.', 'On NATS and Redis'],
  ['', 'Every service'],
]

const UNITS = { s: ', seconds', By: ', bytes', '1': ', ratio' }

/** Lists the metrics that the sources declare. */
export function declaredMetrics(): Promise<readonly Found<Metric>[]> {
  return declarations(['declareCounter', 'declareGauge', 'declareHistogram'], Metric)
}

/** Returns docs/metrics.md with tables of these metrics. */
export function withMetrics(page: string, metrics: readonly Found<Metric>[]): string {
  const sections = Map.groupBy(metrics, headingOf)
  return [...sections].reduce(
    (text, [heading, found]) => withTable(text, heading, HEAD, found.map(rowOf).toSorted()),
    page,
  )
}

function headingOf({ place, declaration: { name } }: Found<Metric>): string {
  const [group, service = ''] = place.split('/')
  if (group === 'services') return `${service.slice(0, 1).toUpperCase()}${service.slice(1)}`
  return SHARED.find(([start]) => name.startsWith(start))?.[1] ?? ''
}

function rowOf({ declaration: { name, kind, facts } }: Found<Metric>): string {
  const unit = facts.unit === undefined ? '' : UNITS[facts.unit]
  const labels = Object.entries(facts.labels ?? {}).map(([label, values]) => {
    const words = typeof values === 'string' ? values : values.map((value) => `\`${value}\``).join(', ')
    return `\`${label}\`${words === '' ? '' : `: ${words}`}`
  })
  return `| \`${name}\` | ${kind}${unit} | ${labels.join('; ')} | ${facts.description} |`
}
