/** Tables and chart of a comparison. */
import type { Table } from '@switchyard/lab'
import { type Bars, shown } from './chart.ts'
import { describeGrowth, growthOf, median } from './numbers.ts'
import type { Results, Sample } from './run.ts'
import type { Scenario } from './scenarios.ts'

type Reported = { readonly results: Results; readonly scenarios: readonly Scenario[] }

/** CPU of each gateway for each scenario, and how many times that of the first gateway it is. */
export function comparisonTable({ results, scenarios }: Reported): Table {
  const gateways = gatewaysOf(results)
  const [own = ''] = gateways
  const rows = comparable(results, scenarios).map(({ id, title }) => {
    const base = figure(results, own, id, 'cpuMs')
    return [
      title,
      ...gateways.map((gateway) => {
        const cpu = figure(results, gateway, id, 'cpuMs')
        if (cpu === null) return '–'
        return base === null || gateway === own ? shown(cpu) : `${shown(cpu)} (${(cpu / base).toFixed(1)} ×)`
      }),
    ]
  })
  return { head: ['CPU ms per request', ...gateways], rows }
}

/** Makes the table of what clients see. The subgraphs and the load generator run on the same machine. */
export function servingTable({ results, scenarios }: Reported): Table {
  const gateways = gatewaysOf(results)
  const rows = comparable(results, scenarios).map(({ id, title }) => [
    title,
    ...gateways.map((gateway) => {
      const perSecond = figure(results, gateway, id, 'perSecond')
      if (perSecond === null) return '–'
      const [p50, p99] = [figure(results, gateway, id, 'p50'), figure(results, gateway, id, 'p99')]
      return `${perSecond.toFixed(0)} / ${p50?.toFixed(0)} / ${p99?.toFixed(0)}`
    }),
  ])
  return { head: ['requests a second / p50 ms / p99 ms', ...gateways], rows }
}

/** Start and memory of each gateway whose start was measured. */
export function memoryTable({ results: { samples, starts } }: Reported): Table {
  const rows = Object.entries(Object.groupBy(starts, ({ gateway }) => gateway)).map(([gateway, its = []]) => {
    const heavy = samples.filter((sample) => sample.gateway === gateway && sample.scenario === 'heavy')
    return [
      gateway,
      `${median(its.map(({ readyMs }) => readyMs)).toFixed(0)} ms`,
      `${median(its.map(({ restMb }) => restMb)).toFixed(0)} MB`,
      heavy.length === 0 ? '–' : `${median(heavy.map(({ residentMb }) => residentMb)).toFixed(0)} MB`,
    ]
  })
  return { head: ['', 'first answer after', 'resident at rest', 'resident after the heavy query'], rows }
}

/** How the CPU of the first gateway grows, one row for each thing that grows. */
export function growthTable({ results, scenarios }: Reported): Table {
  const [own = ''] = gatewaysOf(results)
  const series = Object.groupBy(
    scenarios.flatMap(({ id, growth }) => (growth === undefined ? [] : [{ ...growth, id }])),
    ({ of }) => of,
  )
  const rows = Object.entries(series).flatMap(([of, members = []]) => {
    const points = members.flatMap(({ size, id }) => {
      const cost = figure(results, own, id, 'cpuMs')
      return cost === null ? [] : [{ size, cost }]
    })
    if (points.length < 2) return []
    const costs = points.map(({ size, cost }) => `${size}: ${shown(cost)}`).join(', ')
    // Of nothing there is no ratio to anything.
    const growing = points.filter(({ size }) => size > 0)
    return [[of, costs, growing.length < 2 ? '–' : describeGrowth(growthOf(growing))]]
  })
  return { head: ['what grows', 'CPU ms per request', 'how'], rows }
}

/** Returns the comparison as a chart. Null if nothing was compared. */
export function comparisonChart({ results, scenarios }: Reported): Bars | null {
  const groups = comparable(results, scenarios).map(({ id, title }) => ({
    label: title,
    bars: gatewaysOf(results).flatMap((gateway) => {
      const value = figure(results, gateway, id, 'cpuMs')
      return value === null ? [] : [{ name: gateway, value }]
    }),
  }))
  if (groups.length === 0) return null
  return { title: 'CPU of the gateway per request, in milliseconds (logarithmic)', unit: 'ms', groups }
}

/** Scenarios that compare, and do not show growth, as far as they were measured. */
function comparable({ samples }: Results, scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.filter(
    ({ id, growth }) => growth === undefined && samples.some(({ scenario }) => scenario === id),
  )
}

/** Returns the gateways in the order in which they were measured. */
function gatewaysOf({ samples, starts }: Results): readonly string[] {
  return [...new Set([...starts, ...samples].map(({ gateway }) => gateway))]
}

/** Returns the median over all rounds. Null if the figure was never measured. */
function figure(
  { samples }: Results,
  gateway: string,
  scenario: string,
  name: 'cpuMs' | 'perSecond' | 'p50' | 'p99',
): number | null {
  const values = samples
    .filter((sample: Sample) => sample.gateway === gateway && sample.scenario === scenario)
    .map((sample) => sample[name])
  return values.length === 0 ? null : median(values)
}
