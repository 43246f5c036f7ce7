/** The tables of docs/metrics.md, to compare what a service really serves with them. */
import { readFileSync } from 'node:fs'
import type { ScrapedMetric } from './scraped-metrics.ts'

export type CatalogueRow = {
  /** The name as Prometheus shows it. */
  readonly name: string
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string
  /** The unit as Prometheus spells it. Empty if there is none. */
  readonly unit: string
  /** Sorted. */
  readonly labels: readonly string[]
}

const PAGE = new URL('../../../docs/metrics.md', import.meta.url)

/** The rows of these sections, by the texts of their headings. */
export function metricsCatalogue(sections: readonly string[]): readonly CatalogueRow[] {
  const parts = readFileSync(PAGE, 'utf8').split(/^## /m)
  return sections.flatMap((heading) => {
    const part = parts.find((text) => text.startsWith(`${heading}\n`))
    if (part === undefined) throw new Error(`docs/metrics.md has no section "${heading}"`)
    return [...part.matchAll(/^\| `([a-z0-9._]+\.[a-z0-9._]+)` \| ([^|]+) \| ([^|]*)\|/gm)].map(
      ([, name = '', kind = '', labels = '']) => rowOf(name, kind, labels),
    )
  })
}

function rowOf(name: string, kind: string, labels: string): CatalogueRow {
  const [type = '', unit = ''] = kind.split(', ')
  return {
    name: prometheusName(name, kind),
    type,
    unit: unit === 'ratio' ? '' : unit,
    labels: labels
      .split(';')
      .flatMap((label) => /`([^`]+)`/.exec(label)?.[1] ?? [])
      .map(shown)
      .toSorted(),
  }
}

/**
 * The name that Prometheus shows for an instrument of docs/metrics.md, whose kind is such as `counter,
 * seconds`.
 */
export function prometheusName(name: string, kind: string): string {
  const [type = '', unit = ''] = kind.split(', ')
  return `${shown(name)}${unit === '' ? '' : `_${unit}`}${type === 'counter' ? '_total' : ''}`
}

/** Returns a label, or a name without its suffixes, as Prometheus shows it. */
function shown(name: string): string {
  return name.replaceAll('.', '_')
}

/** The same of what a service serves. */
export function servedRows(metrics: ReadonlyMap<string, ScrapedMetric>): readonly CatalogueRow[] {
  return [...metrics.values()]
    .filter(({ name }) => name !== 'target_info')
    .flatMap(({ name, type, unit, samples }) => {
      const sets = new Set(samples.map(({ labels }) => labelsOf(labels).join()))
      return [...sets].map((labels) => ({
        name,
        type,
        unit,
        labels: labels === '' ? [] : labels.split(','),
      }))
    })
}

/** `le` tells the buckets of a histogram apart. */
function labelsOf(labels: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(labels)
    .filter((label) => label !== 'le')
    .toSorted()
}

export function byName(rows: readonly CatalogueRow[]): readonly CatalogueRow[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
