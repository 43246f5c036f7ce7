/** `node infra/observability/src/main.ts`: writes the dashboards. */
import { writeFileSync } from 'node:fs'
import { dashboardFiles, DASHBOARDS_FOLDER } from './dashboards/index.ts'

for (const [name, text] of dashboardFiles()) writeFileSync(`${DASHBOARDS_FOLDER}/${name}`, text)
