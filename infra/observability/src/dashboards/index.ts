import { fileURLToPath } from 'node:url'
import { writeDashboard } from './dashboard.ts'
import { overview } from './overview.ts'
import type { DashboardPlan } from './panel.ts'
import { platform } from './platform.ts'
import { router } from './router.ts'

export const DASHBOARDS: readonly DashboardPlan[] = [overview, router, platform]
export const DASHBOARDS_FOLDER = fileURLToPath(new URL('../../grafana/dashboards', import.meta.url))

/** Name and content of each file that Grafana is provisioned with. */
export function dashboardFiles(): readonly (readonly [name: string, text: string])[] {
  return DASHBOARDS.map((plan) => [`${plan.uid}.json`, `${JSON.stringify(writeDashboard(plan), null, 2)}\n`])
}
