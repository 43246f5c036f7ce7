/**
 * docs/metrics.md lists every instrument that the sources make, in the words with which it describes itself.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Where an instrument is made, as far as its name. */
const MADE = /\.create(?:Observable)?(?:Counter|UpDownCounter|Gauge|Histogram)\(|createCheap\w+\(METER/g
const NAMED =
  /(?:(?:\.create(?:Observable)?(?:Counter|UpDownCounter|Gauge|Histogram)|\b(?:gauge|delay))\(|\bcreateCheap(?:Counter|Histogram)\(METER,)\s*'([^']+)'/g
/** Helpers that make several alike: their callers name them. */
const HELPERS = 4

function sources(): string {
  return ['shared', 'services']
    .flatMap((group) =>
      readdirSync(join(ROOT, group)).flatMap((name) =>
        readdirSync(join(ROOT, group, name, 'src'), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
          .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
      ),
    )
    .filter((text) => /from '@opentelemetry\/api'|createCheap/.test(text))
    .join('\n')
}

describe('docs/metrics.md', () => {
  const text = sources()
  const made = [...text.matchAll(NAMED)].map(([, name = '']) => name).toSorted()
  const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')
  const rows = [
    ...page.matchAll(/^\| `([a-z0-9._]+\.[a-z0-9._]+)` \| ([^|]+) \| ([^|]*) ?\| ([^|]{8,}) \|$/gm),
  ]

  it('lists every instrument, and none that is gone', () => {
    expect(made.length).toBeGreaterThan(20)
    expect([...text.matchAll(MADE)].length).toBe(
      made.filter((name) => !/^nodejs\.eventloop\.delay|memory/.test(name)).length + HELPERS,
    )
    expect(rows.map(([, name = '']) => name).toSorted()).toEqual(made)
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

  it('says of each instrument of ours what it says of itself', () => {
    for (const [, name = '', , , meaning = ''] of rows.filter(([, name = '']) =>
      /^switchyard\.(?!process)/.test(name),
    ))
      expect([
        name,
        text.replace(/description:\s+/g, 'description: ').includes(`description: '${meaning}'`),
      ]).toEqual([name, true])
  })
})
