/** Brief plans of dashboards, which `dashboard.ts` writes in the form that Grafana reads. */

export type Query = {
  readonly expr: string
  /** Names a line: text, with `{{label}}` for the value of a label. */
  readonly legend: string
  /** True if the panel shows 0 while there is no series, since the event has not happened yet. */
  readonly rare?: true
}

/**
 * Units of Grafana:
 * https://github.com/grafana/grafana/blob/main/packages/grafana-data/src/valueFormats/categories.ts.
 */
export type Unit = 'short' | 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit' | 'none' | 'bool_yes_no'

export type Panel = {
  readonly title: string
  /** An explanation for first readers: what the panel shows, and which values are good or bad. */
  readonly description: string
  readonly unit: Unit
  readonly queries: readonly Query[]
  /** One number instead of lines. */
  readonly number?: true
  readonly stacked?: true
  /** The value from which on the panel is red. */
  readonly redFrom?: number
}

export type Section = { readonly title: string; readonly panels: readonly Panel[] }

export type DashboardPlan = {
  readonly uid: string
  readonly title: string
  readonly description: string
  /** A choice of routers above the panels: `$instance` in expressions. */
  readonly choosesRouter?: true
  readonly sections: readonly Section[]
}

/**
 * Matches requests of routers for operations. Answers about flags (OFREP) are cheap and many, and would hide
 * what happens to operations.
 */
export const OF_OPERATIONS = 'http_route!~".*/ofrep/.*"'

/** The expression as it is asked. */
export function shown({ expr, rare }: Query): string {
  return rare === true ? `${expr} or vector(0)` : expr
}

export function rate(series: string): string {
  return `rate(${series}[$__rate_interval])`
}

/** Seconds within which `share` of what a histogram measured was done, for each value of the labels `by`. */
export function quantile(share: number, series: string, by: readonly string[] = [], matchers = ''): string {
  const buckets = `${series}_bucket${matchers === '' ? '' : `{${matchers}}`}`
  return `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (${rate(buckets)}))`
}
