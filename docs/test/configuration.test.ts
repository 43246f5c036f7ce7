/** docs/configuration.md names every setting of the router with its default, every variable, and an example that works. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { duration, size } from '../../services/router/src/config/quantities.ts'
import { readSettings } from '../../services/router/src/config/read-settings.ts'
import { RouterSettings } from '../../services/router/src/config/settings.ts'
import { loadRouterConfig } from '../../services/router/src/config/router-config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
const rows = new Map(
  [...page.matchAll(/^\| `([a-z_.]+)` \| ([^|]*) \|/gm)].map(([, key = '', fallback = '']) => [
    key,
    fallback,
  ]),
)

const VARIABLE = /\b(?:(?:SWITCHYARD|ENGINE|SUBGRAPHS)_[A-Z_]+|CSRF_GUARD|DEV_MODE|NO_COLOR|TRACEPARENT)\b/g
/** `env['NAME']`, or a member `NAME:` of the schema of an environment. */
const READ =
  /\benv\['((?:SWITCHYARD|ENGINE)_[A-Z_]+|NO_COLOR|TRACEPARENT)'\]|\b((?:SWITCHYARD|ENGINE|SUBGRAPHS)_[A-Z_]+|CSRF_GUARD|DEV_MODE):/g
/** Tells the process that `switchyard up` becomes how to print; nobody sets it by hand. */
const INTERNAL = 'SWITCHYARD_OUTPUT'

/** Keys of the settings with their defaults: `limits.max_depth` → 64. An absent default has no entry. */
function leaves(value: object, path: readonly string[] = []): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const isSection = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    if (!isSection || Object.keys(inner).length === 0) return [[[...path, key].join('.'), inner]]
    return leaves(inner, [...path, key])
  })
}

/** A default as the page writes it, as the value that the settings hold. */
function valueOf(text: string): unknown {
  if (text === 'none') return ''
  const written = text.replaceAll('`', '')
  if (/^\d+(?:ms|s|m|h)$/.test(written)) return duration('0s').parse(written)
  if (/^\d+(?:B|KiB|MiB|GiB)$/.test(written)) return size('0').parse(written)
  if (/^\[[a-z]/.test(written)) return written.slice(1, -1).split(', ')
  return /^(?:\d|true|false|\[|\{)/.test(written) && !written.includes('.') ? JSON.parse(written) : written
}

describe('docs/configuration.md', () => {
  const defaults = leaves(RouterSettings.parse({}))

  it('lists every setting with its default', () => {
    expect(defaults.length).toBeGreaterThan(30)
    const documented = defaults.map(([key]) => [
      key,
      rows.has(key) ? valueOf(rows.get(key) ?? '') : 'is not there',
    ])
    expect(documented).toEqual(defaults)
  })

  it('lists no setting that is gone', () => {
    const known = new Set(defaults.map(([key]) => key))
    // The only settings whose absence means something else than a value.
    for (const key of [
      'subgraphs.allowed_networks',
      'subgraphs.allowed_hosts',
      'tls.cert_file',
      'tls.key_file',
      'traffic.max_unsent_size',
      'traffic.max_unsent_size_per_client',
      'traffic.max_unanswered_size',
      'traffic.max_unanswered_size_per_client',
      'subgraphs.max_receiving_size',
    ])
      known.add(key)
    expect([...rows.keys()].filter((key) => !known.has(key))).toEqual([])
  })

  it('shows an example that the router accepts', () => {
    const config = loadRouterConfig({ file: { path: 'example.yaml', text: example } })
    expect(config).toMatchObject({
      port: 4000,
      basePath: '/api',
      introspection: false,
      limits: { bodySize: 1_048_576, depth: 20 },
      subgraphs: { timeout: 10_000, timeoutBySubgraph: new Map([['payments', 2000]]) },
      drainTimeout: 10_000,
    })
    expect(config.headers.all).toHaveLength(2)
    expect(() => readSettings({ path: 'example.yaml', text: `${example}\nprot: 1\n` })).toThrow(
      /unknown setting "prot"/,
    )
  })

  const sources = ['services', 'shared']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name, 'src')))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const explained = new Set([...page.matchAll(VARIABLE)].map(([variable]) => variable))

  it('explains every variable that is read', () => {
    const read = [...sources.matchAll(READ)].map(([, looked, declared]) => looked ?? declared ?? '')
    expect(read.length).toBeGreaterThan(15)
    expect([...new Set(read)].filter((name) => !explained.has(name) && name !== INTERNAL)).toEqual([])
  })

  it('explains no variable that nothing knows', () => {
    const withoutComments = sources.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
    const known = new Set([...withoutComments.matchAll(VARIABLE)].map(([variable]) => variable))
    expect([...explained].filter((name) => !known.has(name))).toEqual([])
  })
})
