/** docs/metrics.md has what sources declare of metrics, and each table is compared with a service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sources } from '../src/declarations.ts'
import { declaredMetrics, withMetrics } from '../src/metrics-page.ts'
import { ROOT } from './pages/commands.ts'

/** An instrument that is made without a declaration. */
const UNDECLARED =
  /(?:\.create(?:Observable)?(?:Counter|UpDownCounter|Gauge|Histogram)\(|createCheap\w+\(METER,)\s*'[^']*/g

const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')

it('has what the sources declare (`node docs/src/write-pages.ts`)', async () => {
  const metrics = await declaredMetrics()
  expect(metrics.length).toBeGreaterThan(90)
  expect(page).toBe(withMetrics(page, metrics))
  expect([...page.matchAll(/^\| `[a-z0-9_]+\./gm)].length).toBe(metrics.length)
})

it('misses no instrument: each is made from a declaration', () => {
  const undeclared = sources().flatMap(({ file, text }) =>
    [...text.matchAll(UNDECLARED)].map(([made]) => `${file}: ${made}`),
  )
  expect(undeclared).toEqual([])
})

it('has no table that is compared with no running service', () => {
  const compared = [
    'services/router/test/metrics-catalogue.test.ts',
    'services/registry/test/metrics-catalogue.test.ts',
    'services/composer/test/metrics-catalogue.test.ts',
    'services/config-distribution/test/metrics-catalogue.test.ts',
    'shared/testkit/src/connection-metrics.ts',
    'shared/service-kit/test/certificates.test.ts',
  ].map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const headings = page
    .split(/^## /m)
    .flatMap((part) => (/^\| `\w+\./m.test(part) ? part.split('\n', 1) : []))
  expect(headings.length).toBeGreaterThan(5)
  expect(headings.filter((heading) => !compared.join().includes(`'${heading}'`))).toEqual([])
})
