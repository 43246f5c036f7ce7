/** Writes into pages of docs/ what sources declare: `node docs/src/write-pages.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { declaredMetrics, withMetrics } from './metrics-page.ts'

const page = new URL('../metrics.md', import.meta.url)
writeFileSync(page, withMetrics(readFileSync(page, 'utf8'), await declaredMetrics()))
