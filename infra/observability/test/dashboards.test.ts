/** The dashboards: written from their description, of numbers that exist, told to a stranger. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue, seriesIn, unknownIn } from '../src/catalogue.ts'
import { dashboardFiles, DASHBOARDS, DASHBOARDS_FOLDER } from '../src/dashboards/index.ts'
import { shown } from '../src/dashboards/panel.ts'

const listed = catalogue()
const panels = DASHBOARDS.flatMap((plan) =>
  plan.sections.flatMap((section) =>
    section.panels.map((panel) => [plan.title, panel.title, panel] as const),
  ),
)

describe('the dashboards', () => {
  it('are the files that Grafana reads (written by `node infra/observability/src/main.ts`)', () => {
    const files = dashboardFiles()
    expect(readdirSync(DASHBOARDS_FOLDER).sort()).toEqual(files.map(([name]) => name).sort())
    for (const [name, text] of files) {
      expect(readFileSync(`${DASHBOARDS_FOLDER}/${name}`, 'utf8') === text, name).toBe(true)
    }
  })

  it.each(panels)('%s, %s: asks for what docs/metrics.md lists', (_, __, { queries }) => {
    expect(queries.length).toBeGreaterThan(0)
    for (const query of queries) {
      expect(seriesIn(query.expr)).not.toEqual([])
      expect(unknownIn(shown(query), listed)).toEqual([])
      const named = [...query.legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      for (const label of named) expect(query.expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b|^[^(]*$`))
    }
  })

  it.each(panels)('%s, %s: says what it shows', (_, __, { title, description }) => {
    expect(title).toMatch(/^[A-Z0-9]/)
    expect(description).toMatch(/^.{20,}[.]$/)
  })

  it.each(DASHBOARDS)('$title: its panels lie beside and below one another', (plan) => {
    const [, text = ''] = dashboardFiles().find(([name]) => name === `${plan.uid}.json`) ?? []
    const { panels: placed } = JSON.parse(text) as { panels: { id: number; gridPos: Place }[] }
    expect(new Set(placed.map(({ id }) => id)).size).toBe(placed.length)
    const taken = new Set<string>()
    for (const { gridPos } of placed) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`)).toBe(false)
          taken.add(`${x},${y}`)
        }
      }
    }
  })
})

type Place = { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
