/** The command line as a process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { bareEnvironment, sampled, programFile } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand } from './run-command.ts'
import { createFolder } from './workspace.ts'

const MAIN = programFile('services/cli/src/main.ts')
const COMPOSE = ['router', 'compose', '--input', 'graph.yaml', '--out', 'config.json']
const FILES = {
  'graph.yaml':
    'version: 1\nsubgraphs:\n  - { name: a, routing_url: "http://a/graphql", schema: { file: a.graphql } }\n',
  'a.graphql': 'type Query { a: Int }\n',
}

async function runProcess(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    cwd,
    env: bareEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}

describe('the switchyard process', () => {
  it('exits with the code of its command and keeps stdout for results', async () => {
    const cwd = await createFolder({})
    expect(await runProcess(['graph', 'lst'], cwd)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean list?'),
    })
    expect(await runProcess(COMPOSE, await createFolder(FILES))).toEqual({
      code: 0,
      stdout: 'config.json is written.\n  base: composed\n',
      stderr: '',
    })
  })

  it('says so and exits 3 when its result cannot be written', async () => {
    const full = await open('/dev/full', 'w')
    const child = spawn(process.execPath, [MAIN, 'completion', 'bash'], {
      stdio: ['ignore', full.fd, 'pipe'],
    })
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    await once(child, 'close')
    await full.close()
    expect({ code: child.exitCode, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^error: The result cannot be written: ENOSPC: [^\n]*\n$/),
    })
  })

  it('finds files from where the user is, also when the package manager changed the folder', async () => {
    const user = await createFolder(FILES)
    const elsewhere = await createFolder({})
    const bodies: unknown[] = []
    const registry = await fakeRegistry((_request, response, body) => {
      bodies.push(JSON.parse(body))
      response.writeHead(400).end()
    })
    const publish = ['subgraph', 'publish', 'a', '--schema', 'a.graphql']
    const byScript = { INIT_CWD: user, npm_lifecycle_event: 'switchyard' }
    await runProcess(publish, elsewhere, { ...registry, ...byScript })
    // Left behind by another script around this command: not where the user is.
    const nested = { INIT_CWD: elsewhere, npm_lifecycle_event: 'test' }
    await runProcess(publish, user, { ...registry, ...nested })
    expect(bodies).toEqual([{ sdl: FILES['a.graphql'] }, { sdl: FILES['a.graphql'] }])
  })

  it('becomes a router on a supergraph, and ends with the reason when it cannot be served', async () => {
    const link = '@link(url: "https://specs.apollo.dev/link/v1.0")'
    const join = (version: string) =>
      `${link} @link(url: "https://specs.apollo.dev/join/v${version}", for: EXECUTION)`
    const supergraph = (links: string, query = 'Query') =>
      `schema ${links} { query: Query } enum join__Graph { A @join__graph(name: "a", url: "http://a/graphql") } type ${query} @join__type(graph: A) { a: Int }`
    const cwd = await createFolder({
      'syntax.graphql': 'type Query {\n',
      'subgraph.graphql': 'type Query { a: Int }',
      'guarded.graphql': supergraph(
        `${join('0.3')} @link(url: "https://x.example/guard/v1.0", for: SECURITY)`,
      ),
      'future.graphql': supergraph(join('0.6')),
      'rootless.graphql': supergraph(join('0.3'), 'Other'),
    })
    const start = (file: string) => runProcess(['router', 'start', '--port', '0', '--supergraph', file], cwd)
    const reasons = {
      'syntax.graphql': /at line 2, column 1: Syntax Error/,
      'subgraph.graphql': /does not link the join specification/,
      'guarded.graphql': /needs the feature https:\/\/x\.example\/guard\/v1\.0 for SECURITY/,
      'future.graphql': /expected join v0\.1 to v0\.5/,
      'rootless.graphql': /does not define its query type "Query"/,
    }
    const runs = await Promise.all(
      // The router's own tests ask for each reason without a process.
      sampled(Object.entries(reasons), 5).map(async ([file, reason]) => ({
        file,
        reason,
        run: await start(file),
      })),
    )
    for (const { file, reason, run } of runs) {
      expect(run.code, file).toBe(1)
      expect(run.stderr).toMatch(/^error: The supergraph file .+\n$/)
      expect(run.stderr).toContain(file)
      expect(run.stderr).toMatch(reason)
    }
    const json = await runProcess(
      ['router', 'start', '--port', '0', '--supergraph', 'subgraph.graphql', '--json'],
      cwd,
    )
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error: { code: 'SUPERGRAPH_FILE_INVALID' } })
    expect(await start('missing.graphql')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The supergraph missing.graphql does not exist'),
    })
  })

  it('says as one JSON document where a router serves, and stops when it is told to', async () => {
    const cwd = await createFolder(FILES)
    expect((await runCommand(COMPOSE, { cwd })).exitCode).toBe(0)
    const args = ['router', 'start', '--execution-config', 'config.json', '--port', '0', '--json']
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
      cwd,
      env: bareEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const closed = once(child, 'close')
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (!stdout.endsWith('}\n')) return
      // Of this one it would die, and not end in order.
      child.kill('SIGHUP')
      child.kill('SIGTERM')
    })
    await closed
    expect(child.exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      result: { url: expect.stringMatching(/^http:\/\/\S+:\d+$/) },
      compositions: [],
      routers: { serving: 0, total: 0 },
    })
  })

  it('goes on after SIGHUP, as under nohup', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const env = await fakeRegistry((_request, response) => asked.resolve(response))
    const args = ['--disable-warning=ExperimentalWarning', MAIN, 'namespace', 'list']
    const child = spawn(process.execPath, args, {
      env: bareEnvironment(env),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const closed = once(child, 'close')
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    const response = await asked.promise
    child.kill('SIGHUP')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ namespaces: [{ name: 'default' }] }))
    await closed
    expect([child.exitCode, stdout]).toEqual([0, expect.stringContaining('default')])
  })

  it('publishes a schema that another program writes, whole', async () => {
    const sdl = `type Query { a: Int }\n${'#'.repeat(300_000)}\n`
    const bodies: unknown[] = []
    const env = await fakeRegistry((request, response, body) => {
      bodies.push(JSON.parse(body))
      response.writeHead(400).end()
    })
    const line = ['-c', '"$0" "$1" subgraph publish a --schema - < schema.graphql', process.execPath, MAIN]
    const child = spawn('sh', line, {
      cwd: await createFolder({ 'schema.graphql': sdl }),
      env: bareEnvironment(env),
    })
    await once(child, 'close')
    expect(bodies).toEqual([{ sdl }])
  })

  it('does not mind when nobody reads to the end', async () => {
    const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${MAIN}" __complete -- '' | true; exit "\${PIPESTATUS[0]}"`
    const child = spawn('bash', ['-c', command], {
      env: bareEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    await once(child, 'close')
    expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('writes all of a long result into a pipe', async () => {
    // Few errors that are long: a composition of thousands takes seconds.
    const missing = `Missing${'X'.repeat(400)}`
    const fields = Array.from({ length: 400 }, (_, index) => `f${index}: ${missing}${index}`).join('\n')
    const cwd = await createFolder({ ...FILES, 'a.graphql': `type Query {\n${fields}\n}\n` })
    const { code, stdout } = await runProcess([...COMPOSE, '--json'], cwd)
    expect(code).toBe(4)
    expect(stdout.length).toBeGreaterThan(200_000)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, result: { written: false } })
  })
})
