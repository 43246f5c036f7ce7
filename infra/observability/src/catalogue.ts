/** Reads the series of docs/metrics.md, as Prometheus names them, and those that an expression asks for. */
import { readFileSync } from 'node:fs'
import { prometheusName } from '@switchyard/testkit'

const PAGE = new URL('../../../docs/metrics.md', import.meta.url)
const ROW = /^\| `([a-z0-9._]+\.[a-z0-9._]+)` \| ((?:counter|gauge|histogram)[^|]*?) \| ([^|]*) ?\|/gm
/** Series of Prometheus itself: about everything that it scrapes, and about its alerts. */
const OWN = [
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
] as const
/** Labels that Prometheus adds to every series, and the label of its histograms. */
const ADDED_LABELS: readonly string[] = ['job', 'service', 'instance', 'le']
/** Strings, matchers of labels, ranges, lists of labels, numbers and durations. */
const WITHOUT_NAMES = [
  /"(?:[^"\\]|\\.)*"/g,
  /\{[^}]*\}/g,
  /\[[^\]]*\]/g,
  /\b(?:by|without|on|ignoring)\s*\([^)]*\)/g,
  /\b\d[\w.]*/g,
]
const WORDS = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
])

/** Names of series, each with the names of its labels, as Prometheus shows them. */
export function catalogue(): ReadonlyMap<string, ReadonlySet<string>> {
  const page = readFileSync(PAGE, 'utf8')
  const listed = new Map<string, ReadonlySet<string>>(OWN.map(([name, labels]) => [name, new Set(labels)]))
  for (const [, name = '', kind = '', labels = ''] of page.matchAll(ROW)) {
    for (const series of seriesOf(prometheusName(name, kind), kind)) {
      listed.set(series, new Set([...(listed.get(series) ?? []), ...labelsOf(labels)]))
    }
  }
  return listed
}

/** The series that a PromQL expression reads. */
export function seriesIn(expression: string): readonly string[] {
  let rest = expression
  for (const pattern of WITHOUT_NAMES) rest = rest.replaceAll(pattern, ' ')
  const names = [...rest.matchAll(/[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g)].map(([name]) => name)
  return [...new Set(names.filter((name) => !WORDS.has(name)))]
}

/** Returns the series and labels of an expression that docs/metrics.md does not list. */
export function unknownIn(expression: string, listed: ReturnType<typeof catalogue>): readonly string[] {
  const series = seriesIn(expression)
  const labels = new Set([...ADDED_LABELS, ...series.flatMap((name) => [...(listed.get(name) ?? [])])])
  return [
    ...series.filter((name) => !listed.has(name)),
    ...labelsIn(expression).filter((label) => !labels.has(label)),
  ]
}

/** Returns the labels that an expression selects or groups by. */
function labelsIn(expression: string): readonly string[] {
  const selected = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label)
  const grouped = [...expression.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, list = '']) => list.split(',').map((label) => label.trim()),
  )
  return [...new Set([...selected, ...grouped])].filter((label) => label !== '')
}

function labelsOf(cell: string): readonly string[] {
  // Values stand behind a colon, up to the next semicolon.
  return cell
    .split(';')
    .flatMap((part) => [...(part.split(':')[0] ?? '').matchAll(/`([a-z0-9._]+)`/g)])
    .map(([, label = '']) => toPrometheus(label))
}

function seriesOf(name: string, kind: string): readonly string[] {
  return kind.startsWith('histogram') ? ['count', 'sum', 'bucket'].map((part) => `${name}_${part}`) : [name]
}

function toPrometheus(name: string): string {
  return name.replaceAll('.', '_')
}
