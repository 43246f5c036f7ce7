import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bareEnvironment, isLongRun, programFile } from '@switchyard/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { effectiveSettings } from '../../src/config/effective-settings.ts'
import { loadRouterConfig, LOCAL_NETWORKS } from '../../src/config/router-config.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { settingsAsJson, settingsAsYaml } from '../../src/config/show-settings.ts'
import { printSettings } from '../../src/startup/commands/print-settings.ts'

const FILE = `
port: \${PORT:-4010}
shutdown: { drain_timeout: 90s }
engine:
  defer_probe_token: probe-token-0123456789
limits: { max_body_size: 1536KiB, max_depth: 20 }
traffic: { trusted_proxies: [10.0.0.0/8, 192.0.2.7] }
headers:
  request:
    - { propagate: authorization, default: default-secret }
    - { set: x-api-key, value: api-key-secret }
  subgraphs: { products: { request: [{ set: x-b, value: other-secret }] } }
subgraphs: { overrides: { slow: { timeout: 120s } } }
`
const ENV = { CSRF_GUARD: 'always', SWITCHYARD_WORKERS: '2', ENGINE_ENABLE_DEFER: '1' }
const file = { path: 'router.yaml', text: FILE }
const effective = effectiveSettings({ env: ENV, file, defaultNetworks: LOCAL_NETWORKS })
const SECRETS = ['probe-token-0123456789', 'default-secret', 'api-key-secret', 'other-secret']

describe('the settings that are shown', () => {
  it('are a settings file with which a router has the same', () => {
    const text = settingsAsYaml(effective)
    const written = SECRETS.reduce((yaml, secret) => yaml.replace('(not shown)', secret), text)
    expect(loadRouterConfig({ file: { path: 'shown.yaml', text: written } })).toEqual(
      loadRouterConfig({ env: ENV, file, defaultNetworks: LOCAL_NETWORKS }),
    )
    const defaults = effectiveSettings({ env: {}, file: null, defaultNetworks: LOCAL_NETWORKS })
    expect(loadRouterConfig({ file: { path: 'shown.yaml', text: settingsAsYaml(defaults) } })).toEqual(
      loadRouterConfig({ defaultNetworks: LOCAL_NETWORKS }),
    )
  })

  it('hold no secret', () => {
    const shown = settingsAsYaml(effective) + JSON.stringify(settingsAsJson(effective))
    for (const secret of SECRETS) expect(shown).not.toContain(secret)
    expect(parse(settingsAsYaml(effective))).toMatchObject({
      engine: { defer_probe_token: '(not shown)' },
      headers: { request: [{ default: '(not shown)' }, { value: '(not shown)' }] },
    })
  })

  it('say of each that is not the default who gave it', () => {
    expect(settingsAsJson(effective).sources).toEqual({
      port: 'router.yaml:2',
      workers: 'SWITCHYARD_WORKERS',
      'shutdown.drain_timeout': 'router.yaml:3',
      'csrf.guard': 'CSRF_GUARD',
      'engine.enable_defer': 'ENGINE_ENABLE_DEFER',
      'engine.defer_probe_token': 'router.yaml:5',
      'limits.max_body_size': 'router.yaml:6',
      'limits.max_depth': 'router.yaml:6',
      'traffic.trusted_proxies': 'router.yaml:7',
      'headers.request': 'router.yaml:9',
      'headers.subgraphs.products.request': 'router.yaml:12',
      'subgraphs.overrides.slow.timeout': 'router.yaml:13',
    })
    const lines = settingsAsYaml(effective).split('\n')
    expect(lines).toContain('workers: 2 # SWITCHYARD_WORKERS')
    expect(lines).toContain('  trusted_proxies: [ 10.0.0.0/8, 192.0.2.7 ] # router.yaml:7')
    expect(lines).toContain('  max_aliases: 1000')
  })

  it('have durations and sizes as people write them', () => {
    const lines = settingsAsYaml(effective).split('\n')
    expect(lines).toContain('  max_body_size: 1536KiB # router.yaml:6')
    expect(lines).toContain('  drain_timeout: 90s # router.yaml:3')
    expect(lines).toContain('      timeout: 2m # router.yaml:13')
    expect(lines).toContain('  operations: 128MiB')
  })
})

describe('the schema of the settings', () => {
  const validate = new Ajv2020({ strict: false }).compile(settingsSchema('draft-2020-12'))

  it.each([FILE, 'port: "${PORT}"', 'introspection: { enabled: "${ON}" }', 'workers: auto', '{}'])(
    'takes %j',
    (text) => {
      expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true)
    },
  )

  it.each([
    'prot: 4000',
    'port: many',
    'workers: 0',
    'limits: { max_body_size: 5 MB }',
    'subgraphs: { timeout: 5 }',
    'subgraphs: { overrides: { slow: { timeuot: 1s } } }',
    'headers: { request: [{ propagate: "a b" }] }',
    'csrf: { guard: sometimes }',
  ])('refuses %s, as the router does', (text) => {
    expect(validate(parse(text))).toBe(false)
    expect(() => loadRouterConfig({ file: { path: 'router.yaml', text } })).toThrow(/router\.yaml:1/)
  })
})

describe('a router that is asked for its settings', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-settings-'))
    await writeFile(join(folder, 'router.yaml'), FILE)
    await writeFile(join(folder, 'wrong.yaml'), 'prot: 1\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const MAIN = programFile('services/router/src/main.ts')
  const run = (words: readonly string[], env: Record<string, string> = {}) => {
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; stdout: string; stderr: string }>()
    execFile(
      process.execPath,
      [MAIN, ...words],
      { env: bareEnvironment(env), cwd: folder },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
    return promise
  }

  /** What the process prints; in `make test` without the process. */
  const printed = async (words: readonly string[], env: Record<string, string> = {}) => {
    if (isLongRun()) return await run(words, env)
    const { SWITCHYARD_CONFIG: name, ...others } = env
    const read = name === undefined ? env : { ...others, SWITCHYARD_CONFIG: join(folder, name) }
    const json = env['SWITCHYARD_OUTPUT'] === 'json'
    const { exitCode, stdout, stderr } = await printSettings(words, { env: read, source: read, json })
    return { code: exitCode, stdout, stderr }
  }

  it('prints them and ends, without a graph to serve', async () => {
    const { code, stdout, stderr } = await run(['config'], { SWITCHYARD_CONFIG: 'router.yaml', PORT: '4011' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('port: 4011 # router.yaml:2\n')
  })

  it('says whether they are usable, and what is wrong', async () => {
    expect(await printed(['config', '--check'], { SWITCHYARD_CONFIG: 'router.yaml' })).toEqual({
      code: 0,
      stdout:
        'The settings are usable; 9 of them are not the default. No graph was checked, since none is named.\n',
      stderr: '',
    })
    const wrong = await printed(['config', '--check'], { SWITCHYARD_CONFIG: 'wrong.yaml' })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/^error: .*wrong\.yaml:1: unknown setting "prot"; did you mean "port"\?\n$/)
    const [first, second, ...others] = (
      await printed(['config', '--check'], {
        SWITCHYARD_CONFIG: 'wrong.yaml',
        SWITCHYARD_WORKERS: 'many',
      })
    ).stderr
      .split('\n')
      .slice(1)
    expect(first).toMatch(/^ {2}1\. .*wrong\.yaml:1: unknown setting "prot"; did you mean "port"\?$/)
    expect(second).toMatch(/^ {2}2\. SWITCHYARD_WORKERS is "many": expected/)
    expect(others).toEqual([''])
    const gone = await printed(['config'], { SWITCHYARD_CONFIG: 'gone.yaml' })
    expect(gone).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/gone\.yaml/) })
  })

  it('prints one JSON document if that is wanted, also of what is wrong', async () => {
    const json = { SWITCHYARD_OUTPUT: 'json' }
    const shown = await printed(['config'], { ...json, SWITCHYARD_CONFIG: 'router.yaml' })
    expect(JSON.parse(shown.stdout)).toMatchObject({ ok: true, result: { settings: { port: 4010 } } })
    const wrong = await run(['config'], { ...json, SWITCHYARD_CONFIG: 'wrong.yaml' })
    expect(wrong).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, error: { code: 'ROUTER_CONFIG_INVALID' } })
  })

  it('names all that keeps it from starting at once: file, variables, telemetry and where the graph is', async () => {
    const env = {
      SWITCHYARD_CONFIG: 'wrong.yaml',
      SWITCHYARD_INSTANCE: 'two words',
      OTEL_TRACES_EXPORTER: 'zipkin',
      SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1',
      SWITCHYARD_GRAPH: 'shop',
    }
    const { code, stdout, stderr } = await printed(['config', '--check'], {
      ...env,
      SWITCHYARD_OUTPUT: 'json',
    })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout).error.problems).toEqual([
      expect.stringContaining('unknown setting "prot"'),
      expect.stringContaining('SWITCHYARD_INSTANCE is "two words": '),
      expect.stringContaining('OTEL_TRACES_EXPORTER is "zipkin": '),
      expect.stringContaining('SWITCHYARD_GRAPH is "shop": '),
      expect.stringContaining('SWITCHYARD_CONFIG_KEYS is not set: '),
    ])
    const { SWITCHYARD_CONFIG: _, SWITCHYARD_INSTANCE: __, ...onlyTelemetry } = env
    const checked = await printed(['config', '--check'], onlyTelemetry)
    expect(checked).toMatchObject({ code: 1, stderr: expect.stringMatching(/1\. OTEL_TRACES_EXPORTER is/) })
  })

  it('prints the schema, in which every setting says what it means', async () => {
    const { code, stdout } = await printed(['config-schema'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      properties: { limits: { properties: { max_depth: { description: 'levels of nested fields' } } } },
    })
  })

  it.each(['--help', '-h'])('prints for %s what it can do', async (word) => {
    const { code, stdout, stderr } = await printed([word])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of ['config --check', 'config-schema', 'check-documents'])
      expect(stdout).toContain(command)
  })

  it.each([
    [['confg'], run],
    [['config', '--chek'], printed],
    [['config', 'router.yaml'], printed],
  ] as const)('refuses the arguments %s, and starts nothing', async (words, ask) => {
    const { code, stdout, stderr } = await ask(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/expected no argument, to start a router, or one of "config"/)
  })
})
