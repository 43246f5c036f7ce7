/** Settings of earlier versions: ignored for one minor version with a warning, and refused after that. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@switchyard/service-kit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { effectiveSettings } from '../../src/config/effective-settings.ts'
import { loadSettings, reloadSettings } from '../../src/config/reload-settings.ts'
import { RETIRED_SETTINGS, retirementAt } from '../../src/config/retired-settings.ts'
import { LOCAL_NETWORKS, RouterConfigError } from '../../src/config/router-config.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { RouterSettings } from '../../src/config/settings.ts'
import { printSettings } from '../../src/startup/commands/print-settings.ts'
import { startShopRouter } from '../support/shop-router.ts'

/** The text of a settings file with one setting. */
function fileWith(name: string, value: unknown): string {
  return stringify(name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value))
}

const ALL = RETIRED_SETTINGS.map(({ name }) => name)
const IGNORED = retirementAt().ignored
const file = (text: string) => ({ path: 'router.yaml', text })
const at = (version: string, text: string, env: Readonly<Record<string, string>> = {}) =>
  effectiveSettings({
    env,
    file: file(text),
    defaultNetworks: LOCAL_NETWORKS,
    retirement: retirementAt(version, [...RETIRED_SETTINGS, WITH_VARIABLE]),
  })
/** No setting that is gone had a variable so far. */
const WITH_VARIABLE = {
  name: 'limits.max_names',
  variable: 'SWITCHYARD_MAX_NAMES',
  ignoredFrom: '0.2.0',
  refusedFrom: '0.3.0',
  now: 'names may be any number',
}

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run()
    return []
  } catch (error) {
    if (error instanceof RouterConfigError) return error.problems
    throw error
  }
}

describe.each(ALL)('%s', (name) => {
  it.each([
    ['a number', 7],
    ['a duration', '5s'],
    ['the wrong type', { nested: ['value'] }],
    ['nothing', null],
    ['a variable that is not set', '${NOWHERE}'],
    ['such a variable in a list', ['${NOWHERE}', '${']],
  ])('is ignored where its value is %s, and the rest of the file works', (_, value) => {
    const text = `${fileWith(name, value)}shutdown: { drain_timeout: 7s }\n`
    const { settings, retired } = at('0.2.0', text)
    expect(retired).toMatchObject([{ name, source: expect.stringMatching(/^router\.yaml:\d$/) }])
    expect(settings.shutdown.drain_timeout).toBe(7000)
    expect(settings).toEqual(at('0.2.0', 'shutdown: { drain_timeout: 7s }').settings)
  })

  it('is refused after one minor version, with what holds instead', () => {
    const [problem = '', ...others] = problemsOf(() => at('0.3.0', fileWith(name, 7)))
    expect(others).toEqual([])
    expect(problem).toMatch(/^router\.yaml:\d: ".+" is no setting since version 0\.2\.0: /)
    expect(problem).toContain(RETIRED_SETTINGS.find((setting) => setting.name === name)?.now)
    expect(problemsOf(() => at('1.0.0', fileWith(name, 7)))).toEqual([problem])
  })

  it('is refused one minor version after the one that ignores it', () => {
    const { ignoredFrom, refusedFrom } = RETIRED_SETTINGS.find((setting) => setting.name === name) ?? {}
    const [major, minor] = (ignoredFrom ?? '').split('.').map(Number)
    expect(refusedFrom).toBe(`${major}.${Number(minor) + 1}.0`)
  })
})

describe('an environment variable of a setting that is gone', () => {
  it('is ignored as the setting is, with a warning', () => {
    const env = { SWITCHYARD_MAX_NAMES: 'many' }
    expect(at('0.2.9', '', env).retired).toMatchObject([
      { name: 'limits.max_names', source: 'SWITCHYARD_MAX_NAMES' },
    ])
    expect(at('0.2.9', '').retired).toEqual([])
  })

  it('is refused as the setting is', () => {
    const problems = problemsOf(() => at('0.3.0', '', { SWITCHYARD_MAX_NAMES: '' }))
    expect(problems).toEqual([])
    expect(problemsOf(() => at('0.3.0', '', { SWITCHYARD_MAX_NAMES: '5' }))).toEqual([
      'SWITCHYARD_MAX_NAMES: "limits.max_names" is no setting since version 0.2.0: names may be any number; expected the settings without it',
    ])
  })
})

describe('settings that this version ignores', () => {
  const text = IGNORED.map(({ name }) => name.split('.'))
    .map((keys) => keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), 'any'))
    .reduce<Record<string, unknown>>(merge, { limits: { max_depth: 7 } })
  const names = IGNORED.map(({ name }) => name)

  it('do not keep a router from starting, which warns once and takes the rest of the file', async () => {
    await using world = await startShopRouter({ settings: stringify(text) })
    const told = world.router.logs.filter(({ event }) => event === 'settings.retired')
    expect(told).toMatchObject([{ level: 'warn', settings: names }])
    for (const { name, now } of IGNORED) {
      expect(told[0]?.msg).toContain(`${name} (router.yaml:`)
      expect(told[0]?.msg).toContain(now)
    }
  })

  it('are told at a reload, and change nothing', () => {
    const before = loadSettings({ file: file('limits: { max_depth: 7 }') }).settings
    const { changed, config } = reloadSettings(before, { file: file(stringify(text)) })
    expect(changed).toEqual([])
    expect(config.retired.map(({ name }) => name)).toEqual(names)
  })

  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-retired-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('are told by "config --check", which finds the file usable', async () => {
    const path = join(folder, 'router.yaml')
    await writeFile(path, stringify(text))
    const env = { SWITCHYARD_CONFIG: path }
    const check = (json: boolean) => printSettings(['config', '--check'], { env, source: env, json })
    const { exitCode, stdout, stderr } = await check(false)
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('The settings are usable; 1 of them are not the default.'),
    })
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/^warning: These are no settings/)])
    for (const name of names) expect(stderr).toContain(name)
    expect(JSON.parse((await check(true)).stdout)).toMatchObject({
      result: { warnings: [expect.stringContaining(names[0] ?? '')] },
    })
  })

  it('are deprecated in the published schema, with any value, and refused by the schema of later versions', () => {
    const validate = (version: string) =>
      new Ajv2020({ strict: false }).compile(settingsSchema('draft-2020-12', retirementAt(version)))
    expect(validate(VERSION)(parse(stringify(text)))).toBe(true)
    expect(validate('99.0.0')(parse(stringify(text)))).toBe(false)
    const published = readFileSync(
      new URL('../../src/config/router-settings.schema.json', import.meta.url),
      'utf8',
    )
    for (const { name, now } of IGNORED) {
      const schema = name
        .split('.')
        .reduce<Schema | undefined>((section, key) => section?.properties?.[key], JSON.parse(published))
      expect(schema).toEqual({ deprecated: true, description: expect.stringContaining(now) })
    }
  })
})

it('no setting that is gone is still declared', () => {
  for (const name of ALL)
    expect(problemsOf(() => at('0.3.0', fileWith(name, 7))).join(), name).toContain('is no setting since')
  expect(RouterSettings.safeParse({}).success).toBe(true)
})

it('docs/upgrades.md has the settings that are gone', () => {
  const page = readFileSync(new URL('../../../../docs/upgrades.md', import.meta.url), 'utf8')
  const rows = RETIRED_SETTINGS.map(
    ({ name, ignoredFrom, refusedFrom, now }) => `| \`${name}\` | ${ignoredFrom} | ${refusedFrom} | ${now} |`,
  )
  expect(page.split('\n').filter((line) => /^\| `[a-z_.]+` \| \d/.test(line))).toEqual(rows)
})

type Schema = { readonly properties?: Readonly<Record<string, Schema>> }

function merge(one: Record<string, unknown>, other: unknown): Record<string, unknown> {
  const entries = Object.entries(other as Record<string, unknown>).map(([key, value]) => {
    const known = one[key]
    const both = typeof known === 'object' && typeof value === 'object'
    return [key, both ? merge(known as Record<string, unknown>, value) : value]
  })
  return { ...one, ...Object.fromEntries(entries) }
}
