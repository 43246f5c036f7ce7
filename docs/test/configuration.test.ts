/**
 * docs/configuration.md names every setting of the router with its default, every variable, and an example
 * that works.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { publishedSchema } from '../../services/router/src/config/published-schema.ts'
import { readSettings } from '../../services/router/src/config/read-settings.ts'
import { SETTINGS, withDeclarations } from '../../services/router/src/config/settings-table.ts'
import { loadRouterConfig } from '../../services/router/src/config/router-config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)
const example = examples.find((text) => text.includes('base_path')) ?? ''
const VARIABLE = /\b(?:(?:SWITCHYARD|ENGINE|SUBGRAPHS)_[A-Z_]+|CSRF_GUARD|DEV_MODE|NO_COLOR|TRACEPARENT)\b/g
/** `env['NAME']`, a member `NAME:` of the schema of an environment, or the variable of a setting. */
const READ =
  /\benv\['((?:SWITCHYARD|ENGINE)_[A-Z_]+|NO_COLOR|TRACEPARENT)'\]|\b(SWITCHYARD_[A-Z_]+):|\bvariable: \{\s*name: '([A-Z_]+)'/g
/** Tells the process that `switchyard up` becomes how to print; nobody sets it by hand. */
const INTERNAL = 'SWITCHYARD_OUTPUT'

/** No user runs them. */
const FOR_TESTS = ['shared/corpus', 'shared/testkit']

describe('docs/configuration.md', () => {
  it('has what the settings declare (`node services/router/src/config/write-published-schema.ts`)', () => {
    expect(page).toBe(withDeclarations(page))
  })

  it('says the meaning of each setting, in one line', () => {
    expect(SETTINGS.size).toBeGreaterThan(150)
    const silent = [...SETTINGS].filter(([, { facts }]) => !/^\S.{4,}[^.\s]$/.test(facts.says ?? ''))
    expect(silent.map(([name]) => name)).toEqual([])
  })

  it.each(examples)('shows examples that the router accepts: %s', (text) => {
    const env = { REVIEWS_API_KEY: 'a-key' }
    expect(() => loadRouterConfig({ env, file: { path: 'example.yaml', text } })).not.toThrow()
  })

  it('shows an example of the settings of all kinds', () => {
    const config = loadRouterConfig({ file: { path: 'example.yaml', text: example } })
    expect(config).toMatchObject({
      port: 4000,
      basePath: '/api',
      introspection: false,
      limits: { bodySize: 1_048_576, depth: 20 },
      subgraphs: { all: { timeout: 10_000 } },
      drainTimeout: 10_000,
    })
    const own = [...config.subgraphs.bySubgraph].map(([name, { timeout }]) => [name, timeout])
    expect(own).toEqual([['payments', 2000]])
    expect(config.headers.all).toHaveLength(2)
    expect(() => readSettings({ path: 'example.yaml', text: `${example}\nprot: 1\n` }, {})).toThrow(
      /unknown setting "prot"/,
    )
  })

  it('has given the published schema its words (`node services/router/src/config/write-published-schema.ts`)', () => {
    const file = join(ROOT, 'services/router/src/config/router-settings.schema.json')
    expect(readFileSync(file, 'utf8')).toBe(publishedSchema())
  })

  const sources = ['services', 'shared']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(group, name)))
    .filter((folder) => !FOR_TESTS.includes(folder))
    .map((folder) => join(ROOT, folder, 'src'))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const explained = new Set([...page.matchAll(VARIABLE)].map(([variable]) => variable))

  it('explains every variable that is read', () => {
    const read = [...sources.matchAll(READ)].map(
      ([, looked, member, ofSetting]) => looked ?? member ?? ofSetting ?? '',
    )
    expect(read.length).toBeGreaterThan(15)
    expect([...new Set(read)].filter((name) => !explained.has(name) && name !== INTERNAL)).toEqual([])
  })

  it('explains no variable that nothing knows', () => {
    const withoutComments = sources.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
    const known = new Set([...withoutComments.matchAll(VARIABLE)].map(([variable]) => variable))
    expect([...explained].filter((name) => !known.has(name))).toEqual([])
  })
})
