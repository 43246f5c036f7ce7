import { mkdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { createFolder } from './workspace.ts'

/** Every one of these is decided before anything is sent: there is no registry in these tests. */
const WRONG: readonly { readonly line: string; readonly says: RegExp }[] = [
  { line: 'subgrap', says: /unknown command 'subgrap'[\s\S]*Did you mean subgraph\?/ },
  { line: 'subgraph creat x', says: /unknown command 'creat'[\s\S]*Did you mean create\?/ },
  { line: 'namespace', says: /Usage: switchyard namespace/ },
  { line: 'graph create x --label-matchr a=1', says: /Did you mean --label-matcher\?/ },
  { line: 'subgraph create --routing-url http://a', says: /missing required argument 'name'/ },
  { line: 'subgraph create x', says: /required option '--routing-url <url>' not specified/ },
  { line: 'subgraph create x y --routing-url http://a', says: /too many arguments/ },
  { line: 'namespace create Big', says: /"Big" is no valid namespace: a namespace is 1 to 100 lower-case/ },
  { line: 'namespace create _system', says: /no valid namespace/ },
  { line: 'graph create -n a..b g', says: /"a\.\.b" is no valid namespace/ },
  { line: 'graph create a--b', says: /no valid name of a federated graph: a name is 1 to 100 characters/ },
  { line: `graph create ${'x'.repeat(101)}`, says: /no valid name/ },
  {
    line: 'graph create g --label-matcher a=b,c',
    says: /"a=b,c" is no valid label matcher: a label matcher is/,
  },
  { line: 'graph create g --label-matcher', says: /argument missing/ },
  {
    line: 'subgraph create x --routing-url ftp://a',
    says: /no valid routing URL: a routing URL is an absolute http/,
  },
  { line: 'subgraph create x --routing-url http://u:p@a', says: /no valid routing URL/ },
  {
    line: 'subgraph create x --routing-url http://a --label a',
    says: /"a" is no valid label: a label is key=value/,
  },
  { line: 'subgraph create x --routing-url http://a --label a=1 b= -c=1', says: /unknown option '-c=1'/ },
  {
    line: 'subgraph create x --routing-url http://a --label a=1 b= =c',
    says: /"b=", "=c" are no valid labels/,
  },
  { line: 'subgraph publish x', says: /required option '--schema <file>'/ },
  { line: 'subgraph publish x --schema none.graphql', says: /none\.graphql does not exist/ },
  { line: 'subgraph publish x --schema empty.graphql', says: /empty\.graphql is empty/ },
  { line: 'subgraph publish x --schema folder', says: /folder is a folder/ },
  { line: 'subgraph publish x --schema latin1.graphql', says: /latin1\.graphql is not UTF-8/ },
  {
    line: 'subgraph publish x --schema huge.graphql',
    says: /huge\.graphql has 2147483648 bytes; at most/,
  },
  { line: 'fs create x --routing-url http://a', says: /required option '--subgraph <name>'/ },
  {
    line: 'fs create x --routing-url http://a --subgraph y --label a=1',
    says: /A feature subgraph has no labels/,
  },
  {
    line: 'fs publish x --schema ok.graphql --subgraph y',
    says: /both --subgraph and --routing-url are needed/,
  },
  { line: 'ff create f', says: /required option '--fs, --feature-subgraphs <names...>'/ },
  { line: 'ff create f --fs', says: /argument missing/ },
  { line: 'ff enable', says: /missing required argument/ },
  { line: 'ff enable f --no-wait --require-composed', says: /contradict each other/ },
  { line: 'ff enable f --no-wait --require-live', says: /contradict each other/ },
  {
    line: 'ff enable f --require-live none',
    says: /number of routers from 1 to 99999, or all, was expected/,
  },
  { line: 'router start', says: /with either --execution-config or --supergraph/ },
  { line: 'router start --supergraph ok.graphql --execution-config ok.graphql', says: /serves one file/ },
  { line: 'router start --supergraph none.graphql', says: /supergraph none\.graphql does not exist/ },
  { line: 'router start --supergraph empty.graphql', says: /supergraph empty\.graphql is empty/ },
  { line: 'router start --supergraph folder', says: /supergraph folder is a folder/ },
  { line: 'router start --execution-config none.json', says: /none\.json does not exist/ },
  { line: 'router start --execution-config ok.graphql --port 99999', says: /--port takes a port number/ },
  { line: 'up --router-port 4000x', says: /--router-port takes a port number from 0 to 65535/ },
  { line: 'up --graph shop', says: /"shop" has no "\/"/ },
  { line: 'up --config none.yaml', says: /settings file none\.yaml does not exist/ },
  { line: 'up --config folder', says: /settings file folder is a folder/ },
  { line: 'subgraph publish x --schema ', says: /name of a file was expected, not an empty word/ },
  { line: 'api-key create a..b --scope read', says: /"a\.\.b" is no valid name of an API key/ },
  { line: 'registry import none.ndjson', says: /export none\.ndjson does not exist/ },
  { line: 'registry import folder', says: /export folder is a folder/ },
  {
    line: 'router verify --supergraph ok.graphql --seed x',
    says: /--seed takes a number from 0 on, not "x"/,
  },
  {
    line: 'plan --supergraph ok.graphql --query ok.graphql --variables [1]',
    says: /--variables takes a JSON object or @file; this is JSON, but no object/,
  },
]

async function folder(): Promise<string> {
  const path = await createFolder({
    'ok.graphql': 'type Query { a: Int }',
    'empty.graphql': ' \n',
    'latin1.graphql': Uint8Array.from([0x22, 0xe9, 0x22]),
    'huge.graphql': '',
  })
  // Sparse: it takes no room.
  await truncate(join(path, 'huge.graphql'), 2 ** 31)
  await mkdir(join(path, 'folder'))
  return path
}

describe('a command line that is wrong', () => {
  it.each(WRONG)('exits 2 and says why: $line', async ({ line, says }) => {
    const run = await runCommand(line.split(' '), {
      cwd: await folder(),
      env: { SWITCHYARD_API_KEY: 'swy_a_b' },
    })
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toMatch(says)
    expect(run.stdout).toBe('')
    expect(run.became).toBeNull()
  })

  it('is split at the spaces of a quoted list, too', async () => {
    const run = await runCommand([
      'subgraph',
      'create',
      'x',
      '--routing-url',
      'http://a',
      '--label',
      'a=1 b  c=2',
    ])
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain('error: "b" is no valid label')
  })

  it('answers in JSON, and on stdout only, when JSON was asked for', async () => {
    for (const line of ['ff enable f --jsn -j', 'graph create a--b --json', 'subgraph -j']) {
      const run = await runCommand(line.split(' '))
      expect(run.exitCode).toBe(2)
      expect(run.stderr).toBe('')
      expect(run.json()).toMatchObject({ ok: false, error: { code: 'COMMAND_LINE_INVALID' } })
    }
  })

  it('is refused with the place when the schema does not parse', async () => {
    const cwd = await createFolder({ 'sub/bad.graphql': 'type Query {\n  a: [Int\n}\n' })
    const run = await runCommand(['subgraph', 'publish', 'x', '--schema', 'sub/bad.graphql', '--json'], {
      cwd,
    })
    expect(run.exitCode).toBe(1)
    expect(run.json()).toMatchObject({
      ok: false,
      error: {
        code: 'SCHEMA_INVALID',
        problems: [expect.stringMatching(/^sub\/bad\.graphql:3:1: Syntax Error/)],
        locations: [{ line: 3, column: 1 }],
      },
    })
  })

  it('refuses a schema of more than 8 MiB without sending it', async () => {
    const cwd = await createFolder({
      'big.graphql': `type Query { a: Int }\n#${'x'.repeat(8 * 1024 * 1024)}`,
    })
    const run = await runCommand(['subgraph', 'publish', 'x', '--schema', 'big.graphql'], { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toMatch(/big\.graphql has \d+ bytes; a schema has at most 8388608/)
  })
})

describe('a schema on standard input', () => {
  it.each([
    { piped: '', exitCode: 2, says: /^error: The schema on standard input is empty\.\n$/ },
    {
      piped: Uint8Array.from([0x22, 0xe9, 0x22]),
      exitCode: 2,
      says: /^error: The schema on standard input is not UTF-8 text\.\n$/,
    },
    { piped: 'type Query {\n  a: [Int\n}\n', exitCode: 1, says: /<stdin>:3:1: Syntax Error/ },
    {
      piped: `#${'x'.repeat(8 * 1024 * 1024)}`,
      exitCode: 1,
      says: /standard input has more bytes than it may have; a schema has at most 8388608/,
    },
  ])('is refused as a file is: $says', async ({ piped, exitCode, says }) => {
    for (const line of ['subgraph publish x', 'fs publish x', 'subgraph check x', 'fs check x']) {
      const run = await runCommand([...line.split(' '), '--schema', '-'], { piped })
      expect(run, line).toMatchObject({ exitCode, stdout: '' })
      expect(run.stderr).toMatch(says)
    }
  })
})

describe('help', () => {
  const COMMANDS = [
    'up',
    'namespace create',
    'namespace list',
    'federated-graph create',
    'graph list',
    'subgraph create',
    'subgraph publish',
    'subgraph list',
    'feature-subgraph create',
    'fs publish',
    'fs list',
    'feature-flag create',
    'ff enable',
    'ff disable',
    'ff list',
    'router compose',
    'router start',
    'router config',
    'router config-schema',
    'router check-documents',
    'router list',
    'plan',
  ]
  it.each(COMMANDS)('of %s shows an example', async (command) => {
    const run = await runCommand([...command.split(' '), '--help'])
    expect(run.exitCode).toBe(0)
    expect(run.stderr).toBe('')
    expect(run.stdout).toMatch(new RegExp(`^Usage: switchyard .*${command.split(' ').at(-1)} \\[options\\]`))
    expect(run.stdout).toMatch(/Examples:\n {2}\$ switchyard [a-z]/)
  })
})

describe('commands that become a service', () => {
  it('hands `up` over with absolute paths and the graph', async () => {
    const cwd = await createFolder({ 'router.yaml': 'base_path: /api\n' })
    const line =
      'up --registry-port 0 --router-port 4010 --graph default/a/b --config router.yaml --data-dir d --json'
    const { became } = await runCommand(line.split(' '), { cwd, env: { OTHER: 'kept' } })
    expect(became).toEqual({
      service: 'standalone',
      env: {
        OTHER: 'kept',
        SWITCHYARD_DATA_DIR: join(cwd, 'd'),
        SWITCHYARD_REGISTRY_PORT: '0',
        SWITCHYARD_ROUTER_PORT: '4010',
        SWITCHYARD_GRAPH: 'default/a/b',
        SWITCHYARD_CONFIG: join(cwd, 'router.yaml'),
        SWITCHYARD_OUTPUT: 'json',
      },
    })
  })

  it('shows a person at a terminal only what needs attention, unless a log level is set', async () => {
    const quiet = await runCommand(['up'], { terminal: true })
    expect(quiet.became?.env['SWITCHYARD_LOG_LEVEL']).toBe('warn')
    const chosen = await runCommand(['up'], { terminal: true, env: { SWITCHYARD_LOG_LEVEL: 'debug' } })
    expect(chosen.became?.env['SWITCHYARD_LOG_LEVEL']).toBe('debug')
    expect((await runCommand(['up'])).became?.env).not.toHaveProperty('SWITCHYARD_LOG_LEVEL')
  })

  it('hands `router start` over with absolute paths', async () => {
    const cwd = await createFolder({ 'config.json': '{}', 'router.yaml': '' })
    const line = 'router start --execution-config config.json --config ./router.yaml --port 0 --host ::1'
    const { became } = await runCommand(line.split(' '), { cwd })
    expect(became).toEqual({
      service: 'router',
      env: {
        SWITCHYARD_EXECUTION_CONFIG: join(cwd, 'config.json'),
        SWITCHYARD_CONFIG: join(cwd, 'router.yaml'),
        SWITCHYARD_PORT: '0',
        SWITCHYARD_HOST: '::1',
        SWITCHYARD_SUPERGRAPH: undefined,
      },
      // Whatever the environment says: the file is what is served.
      words: ['--file-alone'],
    })
  })

  it.each([
    ['router config', ['config'], {}],
    ['router config --check', ['config', '--check'], {}],
    ['router config --json', ['config'], { SWITCHYARD_OUTPUT: 'json' }],
    ['router config-schema', ['config-schema'], {}],
  ])('hands `%s` over to the router, which prints and does not start', async (line, words, env) => {
    const { became } = await runCommand(line.split(' '), { env: { OTHER: 'kept' } })
    expect(became).toEqual({ service: 'router', words, env: { OTHER: 'kept', ...env } })
  })

  it('hands the graph to `router config --check`, which reads it alone', async () => {
    const cwd = await createFolder({ 'config.json': '{}' })
    const line = 'router config --check --execution-config config.json'
    const { became } = await runCommand(line.split(' '), {
      cwd,
      env: { SWITCHYARD_REDIS_URL: 'redis://kept' },
    })
    expect(became).toEqual({
      service: 'router',
      words: ['config', '--check', '--file-alone'],
      env: { SWITCHYARD_REDIS_URL: 'redis://kept', SWITCHYARD_EXECUTION_CONFIG: join(cwd, 'config.json') },
    })
  })

  it('names the settings file to `router config` by its absolute path, and tells one that is not there', async () => {
    const cwd = await createFolder({ 'router.yaml': '' })
    const { became } = await runCommand(['router', 'config', '--config', './router.yaml'], { cwd })
    expect(became?.env).toEqual({ SWITCHYARD_CONFIG: join(cwd, 'router.yaml') })
    const missing = await runCommand(['router', 'config', '--config', 'none.yaml'], { cwd })
    expect(missing).toMatchObject({ became: null, exitCode: 2 })
    expect(missing.stderr).toMatch(/settings file none\.yaml does not exist/)
  })

  it('hands a supergraph over alone, whatever the environment names', async () => {
    const cwd = await createFolder({ 'supergraph.graphql': 'type Query { a: Int }' })
    const env = { SWITCHYARD_EXECUTION_CONFIG: 'other.json', SWITCHYARD_REDIS_URL: 'redis://other' }
    const { became } = await runCommand(['router', 'start', '--supergraph', 'supergraph.graphql'], {
      cwd,
      env,
    })
    expect(became).toEqual({
      service: 'router',
      env: {
        SWITCHYARD_SUPERGRAPH: join(cwd, 'supergraph.graphql'),
        SWITCHYARD_EXECUTION_CONFIG: undefined,
        // For the settings file, which may use it.
        SWITCHYARD_REDIS_URL: 'redis://other',
      },
      words: ['--file-alone'],
    })
  })
})

describe('the API key', () => {
  it('is asked for before anything is sent when there is none', async () => {
    const run = await runCommand(['graph', 'list'], { cwd: await createFolder({}) })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toMatch(/No API key: set SWITCHYARD_API_KEY/)
  })

  it('of a data directory that holds none is an error that names the file', async () => {
    const cwd = await createFolder({})
    const run = await runCommand(['graph', 'list', '--data-dir', 'elsewhere'], { cwd })
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain(join(cwd, 'elsewhere', 'api-key'))
  })
})
