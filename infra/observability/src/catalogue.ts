/** What docs/metrics.md lists, as Prometheus names it, and which of that an expression asks for. */
import { readFileSync } from 'node:fs'

const PAGE = new URL('../../../docs/metrics.md', import.meta.url)
const ROW = /^\| `([a-z0-9._]+\.[a-z0-9._]+)` \| (counter|gauge|histogram)\b[^|]*\| ([^|]*) ?\|/gm
/** What Prometheus itself says of everything that it asks. */
const SCRAPED = 'up'
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
  const listed = new Map<string, ReadonlySet<string>>([[SCRAPED, new Set()]])
  for (const [, name = '', kind = '', labels = ''] of page.matchAll(ROW)) {
    const own = new Set(labelsOf(labels))
    for (const series of seriesOf(toPrometheus(name), kind)) listed.set(series, own)
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

/** The labels that it selects or groups by. */
export function labelsIn(expression: string): readonly string[] {
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
  if (kind === 'counter') return [`${name}_total`]
  return kind === 'histogram' ? ['count', 'sum', 'bucket'].map((part) => `${name}_${part}`) : [name]
}

function toPrometheus(name: string): string {
  return name.replaceAll('.', '_')
}
