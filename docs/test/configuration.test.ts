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
import { RouterSettings } from '../../services/router/src/config/settings.ts'
import { loadRouterConfig } from '../../services/router/src/config/router-config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)
const example = examples.find((text) => text.includes('base_path')) ?? ''
const rows = new Map(
  [...page.matchAll(/^\| `([a-z0-9_.]+)` \| ([^|]*) \|/gm)].map(([, key = '', fallback = '']) => [
    key,
    fallback,
  ]),
)

const VARIABLE = /\b(?:(?:SWITCHYARD|ENGINE|SUBGRAPHS)_[A-Z_]+|CSRF_GUARD|DEV_MODE|NO_COLOR|TRACEPARENT)\b/g
/** `env['NAME']`, a member `NAME:` of the schema of an environment, or the variable of a setting. */
const READ =
  /\benv\['((?:SWITCHYARD|ENGINE)_[A-Z_]+|NO_COLOR|TRACEPARENT)'\]|\b(SWITCHYARD_[A-Z_]+):|\bvariable: \{\s*name: '([A-Z_]+)'/g
/** Tells the process that `switchyard up` becomes how to print; nobody sets it by hand. */
const INTERNAL = 'SWITCHYARD_OUTPUT'

type SettingSchema = {
  readonly default?: unknown
  readonly type?: string
  readonly properties?: Readonly<Record<string, SettingSchema>>
}

/**
 * Keys of the settings, such as `limits.max_depth`, each with its default as the page writes it; null: it has
 * none.
 */
function settingsIn(
  { properties = {} }: SettingSchema,
  path: readonly string[] = [],
): [string, string | null][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const keys = [...path, key]
    return schema.properties === undefined ? [[keys.join('.'), defaultOf(schema)]] : settingsIn(schema, keys)
  })
}

function defaultOf({
  type,
  default: value = type === 'object' ? {} : undefined,
}: SettingSchema): string | null {
  if (value === undefined) return null
  if (value === '') return 'none'
  if (Array.isArray(value)) return `\`[${value.join(', ')}]\``
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

/** No user runs them. */
const FOR_TESTS = ['shared/corpus', 'shared/testkit']

describe('docs/configuration.md', () => {
  const settings = settingsIn(
    RouterSettings.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as SettingSchema,
  )

  it('lists every setting, and no other', () => {
    expect(settings.length).toBeGreaterThan(80)
    expect([...rows.keys()].toSorted()).toEqual(settings.map(([key]) => key).toSorted())
  })

  it('says the default of every setting that has one', () => {
    const declared = settings.filter(([, fallback]) => fallback !== null)
    expect(declared.length).toBeGreaterThan(70)
    expect(declared.map(([key]) => [key, rows.get(key)])).toEqual(declared)
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
    expect(readFileSync(file, 'utf8')).toBe(publishedSchema(page))
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
