/** Dashboards as the files that Grafana is provisioned with. */
import { type Dashboard, type Panel as GrafanaPanel, ThresholdsMode, VariableRefresh } from '@grafana/schema'
import { type DashboardPlan, type Panel, shown } from './panel.ts'

/** The data source, as grafana/provisioning/datasources names it. */
const DATASOURCE = { type: 'prometheus', uid: 'prometheus' }
const SCHEMA_VERSION = 39
const COLUMNS = 24
const NUMBER = { w: 4, h: 4 }
const LINES = { w: 8, h: 8 }
const ROUTERS = {
  name: 'instance',
  label: 'Router',
  type: 'query',
  datasource: DATASOURCE,
  query: { query: 'label_values(switchyard_ready{component="router"}, instance)', refId: 'routers' },
  refresh: VariableRefresh.onTimeRangeChanged,
  includeAll: true,
  allValue: '.+',
  multi: true,
  current: { text: 'All', value: '$__all' },
} as const

export function writeDashboard(plan: DashboardPlan): Dashboard {
  return {
    uid: plan.uid,
    title: plan.title,
    description: plan.description,
    tags: ['switchyard'],
    schemaVersion: SCHEMA_VERSION,
    editable: false,
    refresh: '10s',
    time: { from: 'now-30m', to: 'now' },
    timezone: 'browser',
    links: [
      {
        title: 'Switchyard',
        type: 'dashboards',
        tags: ['switchyard'],
        asDropdown: false,
        icon: '',
        tooltip: '',
        url: '',
        includeVars: false,
        keepTime: true,
        targetBlank: false,
      },
    ],
    templating: { list: plan.choosesRouter === true ? [{ ...ROUTERS }] : [] },
    panels: place(plan),
  }
}

function place({ sections }: DashboardPlan): NonNullable<Dashboard['panels']> {
  const placed: NonNullable<Dashboard['panels']> = []
  let y = 0
  for (const { title, panels } of sections) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    })
    y += 1
    let x = 0
    let lowest = y
    for (const panel of panels) {
      const size = panel.number === true ? NUMBER : LINES
      if (x + size.w > COLUMNS) {
        x = 0
        y = lowest
      }
      placed.push({ ...writePanel(panel), id: placed.length + 1, gridPos: { x, y, ...size } })
      x += size.w
      lowest = Math.max(lowest, y + size.h)
    }
    y = lowest
  }
  return placed
}

function writePanel(panel: Panel): GrafanaPanel {
  const { title, description, unit, redFrom } = panel
  return {
    type: panel.number === true ? 'stat' : 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    targets: panel.queries.map((query, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource: DATASOURCE,
      expr: shown(query),
      legendFormat: query.legend,
      range: true,
    })),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: {
          mode: ThresholdsMode.Absolute,
          steps: [
            { color: 'green', value: null },
            ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }]),
          ],
        },
        ...(panel.number === true ? {} : { custom: linesOf(panel) }),
      },
      overrides: [],
    },
    options:
      panel.number === true
        ? {
            reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
            colorMode: 'background',
            graphMode: 'area',
          }
        : {
            legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
            tooltip: { mode: 'multi', sort: 'desc' },
          },
  }
}

function linesOf({ stacked, redFrom }: Panel): Record<string, unknown> {
  return {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: stacked === true ? 40 : 10,
    showPoints: 'never',
    stacking: { mode: stacked === true ? 'normal' : 'none', group: 'A' },
    thresholdsStyle: { mode: redFrom === undefined ? 'off' : 'line' },
  }
}
