/** Writes into pages of docs/ what sources declare: `node docs/src/write-pages.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { withPrintedErrors } from './composition-errors-page.ts'
import { withErrors } from './errors-page.ts'
import { declaredEvents, withEvents } from './log-events-page.ts'
import { mistakesPage } from './mistakes-page.ts'
import { declaredMetrics, withMetrics } from './metrics-page.ts'

const errors = new URL('../errors.md', import.meta.url)
writeFileSync(errors, withErrors(readFileSync(errors, 'utf8')))
const composition = new URL('../composition-errors.md', import.meta.url)
writeFileSync(composition, withPrintedErrors(readFileSync(composition, 'utf8')))
writeFileSync(new URL('../composition-mistakes.md', import.meta.url), mistakesPage())
const events = new URL('../log-events.md', import.meta.url)
writeFileSync(events, withEvents(readFileSync(events, 'utf8'), await declaredEvents()))
const metrics = new URL('../metrics.md', import.meta.url)
writeFileSync(metrics, withMetrics(readFileSync(metrics, 'utf8'), await declaredMetrics()))
