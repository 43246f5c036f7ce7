/** The tables of docs/log-events.md: one row for each log event that a source declares. */
import { LogEvent } from '../../shared/service-kit/src/logging/log-event.ts'
import { declarations, type Found, withTable } from './declarations.ts'

const HEAD = '| event | level | services | fields | what it means | what to do |\n|---|---|---|---|---|---|\n'

/** Headings by how the name of an event begins, for events of packages that several services use. */
const SHARED: readonly (readonly [start: RegExp, heading: string])[] = [
  [/^(?:process\.|log\.lines-lost|health\.)/, 'Every process'],
  [/^(?:metrics|traces|telemetry)\./, 'Metrics and traces'],
  [/^/, 'NATS, Redis and the logs'],
]

/** Headings by how the name of an event of the router begins. */
const ROUTER: readonly (readonly [start: RegExp, heading: string])[] = [
  [/^(?:config|generation|flags?)\./, 'Router: configurations'],
  [/^workers?\./, 'Router: several workers'],
  [/^(?:router|settings|tls)\./, 'Router: listening and limits'],
  [/^/, 'Router: requests'],
]

const SERVICES: Readonly<Record<string, string>> = {
  registry: 'Registry',
  composer: 'Composer',
  'config-distribution': 'Config-distribution',
  standalone: '`switchyard up`',
}

/** Lists the log events that the sources declare. */
export function declaredEvents(): Promise<readonly Found<LogEvent>[]> {
  return declarations(['logEvent'], LogEvent)
}

/** Returns docs/log-events.md with tables of these events. */
export function withEvents(page: string, events: readonly Found<LogEvent>[]): string {
  const sections = Map.groupBy(events, headingOf)
  return [...sections].reduce(
    (text, [heading, found]) => withTable(text, heading, HEAD, found.map(rowOf).toSorted()),
    page,
  )
}

function headingOf({ place, declaration: { name } }: Found<LogEvent>): string {
  const [group, service = ''] = place.split('/')
  const known = group === 'services' ? SERVICES[service] : undefined
  const byName = group === 'services' ? ROUTER : SHARED
  return known ?? byName.find(([start]) => start.test(name))?.[1] ?? ''
}

function rowOf({ place, declaration: { name, facts } }: Found<LogEvent>): string {
  const { level, fields = [], rareFields = [], says, advice = '' } = facts
  const [group, service = ''] = place.split('/')
  const { services = group === 'services' ? service : 'all' } = facts
  const names = [...fields, ...rareFields].map((field) => `\`${field}\``).join(', ')
  const levels = [level].flat().join(', ')
  return `| \`${name}\` | ${levels} | ${services} | ${names} | ${sentence(says)} | ${advice} |`
}

/** Returns messages of lines as sentences. */
function sentence(says: string): string {
  const begun = `${says.slice(0, 1).toUpperCase()}${says.slice(1)}`
  return begun.endsWith('.') ? begun : `${begun}.`
}
