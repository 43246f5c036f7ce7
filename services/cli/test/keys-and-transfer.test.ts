/** API keys, export and import by commands, against real registries. The steps build on each other. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, type Run, type RunOptions } from './run-command.ts'
import { openStandalone } from './standalone.ts'
import type { StartedUp } from './start-up.ts'

const SDL = 'type Query { hello: String }\n'

let up: StartedUp
beforeAll(async () => {
  up = await openStandalone()
  await writeFile(join(up.folder, 'hello.graphql'), SDL)
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: RunOptions = {}, on: StartedUp = up): Promise<Run> {
  const env = { SWITCHYARD_REGISTRY_URL: on.registryUrl, ...options.env }
  return runCommand(line.split(' '), { cwd: on.folder, ...options, env })
}

async function succeed(line: string, options: RunOptions = {}, on: StartedUp = up): Promise<Run> {
  const result = await run(line, options, on)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}

type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** A line of a shell, in which `switchyard` is the program of this checkout. */
async function inShell(line: string, on: StartedUp): Promise<Finished> {
  const main = programFile('services/cli/src/main.ts')
  const definition = `switchyard() { '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"; }`
  const env = bareEnvironment({ SWITCHYARD_REGISTRY_URL: on.registryUrl })
  const child = spawn('sh', ['-c', `${definition}\n${line}`], {
    cwd: on.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, stdout, stderr }
}

describe('studio', () => {
  it('prints a link that signs a browser in once, as the API key of the command', async () => {
    const { stdout } = await succeed('studio')
    const { origin, pathname, hash } = new URL(stdout.trim())
    expect([origin, pathname]).toEqual([new URL(up.registryUrl).origin, '/studio'])
    const begin = () =>
      fetch(`${up.registryUrl}/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ link: hash.replace('#t=', '') }),
      })
    const first = await begin()
    expect(await first.json()).toMatchObject({ actor: 'bootstrap', scopes: ['admin'] })
    const second = await begin()
    expect(await second.json()).toMatchObject({ code: 'LINK_UNKNOWN' })
  })
})

describe('api-key', () => {
  let key: string

  it('create prints the key alone on stdout, so that a script can take it', async () => {
    const created = await succeed('api-key create ci --scope publish:default read')
    key = created.stdout.trimEnd()
    expect(created.stdout).toMatch(/^swy_[0-9a-f]{16}_[0-9a-f]{64}\n$/)
    expect(created.stderr).toMatch(
      /^API key "ci" was created \(id [0-9a-f]{16}\)\. It is not shown again\.\n$/,
    )
    const env = { SWITCHYARD_API_KEY: key }
    expect((await succeed('namespace list', { env, cwd: '/nonexistent' })).stdout).toBe('default\n')
  })

  it('create takes what its scopes say, and nothing else', async () => {
    const env = { SWITCHYARD_API_KEY: key }
    const refused = await run('graph create shop', { env })
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('"deploy:default"')])
    const keys = await run('api-key list', { env })
    expect([keys.exitCode, keys.stderr]).toEqual([1, expect.stringContaining('"admin"')])
  })

  it('create refuses scopes that are none, and a name that is taken', async () => {
    for (const scope of ['write', 'publish', 'deploy:Team', 'admin:default']) {
      const wrong = await run(`api-key create x --scope ${scope}`)
      expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining(`"${scope}" is no scope`)])
    }
    expect((await run('api-key create x')).exitCode).toBe(2)
    const taken = await run('api-key create ci --scope read')
    expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining('already')])
  })

  it('create warns of a namespace that does not exist, on stderr', async () => {
    const created = await succeed('api-key create soon --scope deploy:soon')
    expect(created.stderr).toContain('warning: There is no namespace "soon" yet')
    expect(created.stdout).toMatch(/^swy_\S+\n$/)
  })

  it('create --json has the key in its document, list --json has none', async () => {
    const created = (await succeed('api-key create json --scope admin --json')).json()
    expect(created).toMatchObject({
      ok: true,
      result: { name: 'json', scopes: ['admin'], key: expect.stringMatching(/^swy_/) },
    })
    const list = await succeed('api-key list --json')
    expect(list.stdout).not.toContain('swy_')
    expect(list.json()).toMatchObject({
      result: { apiKeys: [{ name: 'ci', createdBy: 'bootstrap' }, { name: 'json' }, { name: 'soon' }] },
    })
  })

  it('list shows names, ids and scopes', async () => {
    const listed = await succeed('api-key list', { terminal: true, columns: 200 })
    expect(listed.stdout).toMatch(/NAME +ID +SCOPES +CREATED +CREATED BY/)
    expect(listed.stdout).toMatch(/ci +[0-9a-f]{16} +publish:default read +\d{4}-/)
  })

  it('delete asks first, and says --force where nobody can answer', async () => {
    const unasked = await run('api-key delete soon')
    expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining('--force')])
    const no = await run('api-key delete soon', { terminal: true, typed: 'n' })
    expect([no.exitCode, no.stderr]).toEqual([1, expect.stringContaining('Delete API key "soon"?')])
    const deleted = await succeed('api-key delete soon --force')
    expect(deleted.stdout).toMatch(/^API key "soon" \(id [0-9a-f]{16}\) was deleted\.\n$/)
    const again = await run('api-key delete soon --force')
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('no API key')])
  })

  it('delete takes a name, an id, or the key itself, which it never shows', async () => {
    const deleted = await succeed(`api-key delete ${key} --force`)
    expect(deleted.stdout).toContain('API key "ci"')
    expect(deleted.stdout + deleted.stderr).not.toContain(key.slice(-64))
    const refused = await run('namespace list', { env: { SWITCHYARD_API_KEY: key } })
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('does not know the API key'),
    ])
    const unknown = await run(`api-key delete ${key} --force`)
    expect(unknown.stderr).not.toContain(key.slice(-64))
  })
})

describe('registry', () => {
  /** Empty, until an import succeeds. */
  let fresh: StartedUp
  beforeAll(async () => {
    fresh = await openStandalone()
  })
  afterAll(() => fresh[Symbol.asyncDispose]())

  it('export writes a file for its owner only, import fills another registry from it', async () => {
    await succeed('graph create shop')
    await succeed('subgraph publish hello --schema hello.graphql --routing-url http://localhost:4101/graphql')
    const key = (await succeed('api-key create mover --scope read')).stdout.trimEnd()
    const exported = await succeed('registry export --out backup.ndjson')
    expect(exported.stdout).toMatch(
      /^Exported \d+ changes, \d+ compositions, 1 published revisions and 2 files \(schemas and supergraphs\) to backup\.ndjson\.\n$/,
    )
    const file = join(up.folder, 'backup.ndjson')
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    await using other = await openStandalone()
    const json = (await succeed(`registry import ${file} --json`, {}, other)).json()
    const result = (await succeed('registry export --out backup.ndjson --json')).json()['result']
    expect({ file: 'backup.ndjson', ...(json['result'] as object) }).toEqual({
      ...(result as object),
      warnings: [],
    })
    const env = { SWITCHYARD_API_KEY: key }
    expect((await succeed('subgraph list', { env }, other)).stdout).toBe(
      (await succeed('subgraph list')).stdout,
    )
    const again = await run(`registry import ${file}`, {}, other)
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('already stores data')])
  })

  it('export goes to stdout, unless that is a terminal or a document', async () => {
    const { stdout, stderr } = await succeed('registry export')
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toContain('"format":"switchyard-export"')
    expect(lines.at(-1)).toContain('"type":"end"')
    expect(stderr).toMatch(/^Exported /)
    const saved = (await readFile(join(up.folder, 'backup.ndjson'), 'utf8')).split('\n')
    expect(lines.slice(1)).toEqual(saved.slice(1, -1))
    expect((await run('registry export', { terminal: true })).exitCode).toBe(2)
    expect((await run('registry export --json')).exitCode).toBe(2)
  })

  it('import refuses what is no export, before anything is changed', async () => {
    await writeFile(
      join(fresh.folder, 'cut.ndjson'),
      (await readFile(join(up.folder, 'backup.ndjson'), 'utf8')).slice(0, -9),
    )
    await writeFile(join(fresh.folder, 'empty.ndjson'), '')
    const cut = await run('registry import cut.ndjson', {}, fresh)
    expect([cut.exitCode, cut.stderr]).toEqual([1, expect.stringMatching(/Line \d+ of the export/)])
    expect((await run('registry import empty.ndjson', {}, fresh)).exitCode).toBe(2)
    expect((await run('registry import nowhere.ndjson', {}, fresh)).exitCode).toBe(2)
    expect((await succeed('graph list', {}, fresh)).stdout).toBe('')
  })

  it('import - refuses what is no whole export with the line and the reason, and has written nothing', async () => {
    const text = await readFile(join(up.folder, 'backup.ndjson'))
    const compressed = gzipSync(text)
    const lines = text.toString('utf8').trimEnd().split('\n')
    await writeFile(join(fresh.folder, 'cut.ndjson.gz'), compressed.subarray(0, compressed.length - 200))
    const pipe = (piped: string | Uint8Array) => run('registry import -', { piped }, fresh)
    const wrong: readonly (readonly [string, Run | Finished, RegExp])[] = [
      ['nothing', await pipe(''), /Line 1 of the export: the file is empty\./],
      [
        'nonsense',
        await pipe('to be or not to be\n'),
        /Line 1 of the export: this is not a switchyard-export file/,
      ],
      [
        'bytes',
        await pipe(randomBytes(100_000)),
        /Line 1 of the export: this is not a switchyard-export file/,
      ],
      ['a page', await pipe('<!doctype html>\n<html></html>\n'), /Line 1 of the export: this is not/],
      [
        'a compressed file',
        await pipe(compressed),
        /is compressed by gzip; decompress it on the way, as "gunzip -c/,
      ],
      ['a line less', await pipe(`${lines.slice(0, -1).join('\n')}\n`), /was cut off: it has no end line/],
      [
        'half a line',
        await pipe(text.subarray(0, text.length - 9)),
        /Line \d+ of the export: the line cannot be read/,
      ],
      ['the beginning', await pipe(text.subarray(0, 700)), /Line \d+ of the export/],
      [
        'an export and more',
        await pipe(`${text.toString('utf8')}{}\n`),
        /the file goes on after its end line/,
      ],
      [
        'a pipe of which the other end fails',
        await inShell('gunzip -c cut.ndjson.gz | switchyard registry import -', fresh),
        /Line \d+ of the export/,
      ],
    ]
    for (const [what, result, message] of wrong) {
      expect(result.stderr, what).toMatch(message)
      expect(result.stderr, what).toContain('Nothing was imported.')
      expect('exitCode' in result ? result.exitCode : result.code, what).toBe(1)
      expect(result.stdout, what).toBe('')
    }
    const held = (await succeed('registry export', {}, fresh)).stdout.trimEnd().split('\n')
    expect(JSON.parse(held.at(-1) ?? '')).toMatchObject({
      blobs: 0,
      records: { configs: 0, compositions: 0, registry: 0 },
    })
  })

  it('import - takes an export from a pipe, also one that is decompressed on the way', async () => {
    const text = await readFile(join(up.folder, 'backup.ndjson'))
    await writeFile(join(fresh.folder, 'backup.ndjson.gz'), gzipSync(text))
    const imported = await inShell('gunzip -c backup.ndjson.gz | switchyard registry import -', fresh)
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported \d+ changes/) })
    expect((await succeed('subgraph list', {}, fresh)).stdout).toBe((await succeed('subgraph list')).stdout)
    await using another = await openStandalone()
    const plain = await run('registry import -', { piped: text }, another)
    expect(plain.exitCode, plain.stderr).toBe(0)
  })

  it('import - of a terminal says what it expects', async () => {
    const asked = await run('registry import -', { terminal: true })
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('pipe it into the command')])
  })

  it('export that breaks off leaves no file, and exits 3', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"type":"header"}\n')
      if (request.url === '/v1/export') setImmediate(() => response.end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const env = { SWITCHYARD_REGISTRY_URL: `http://127.0.0.1:${port}` }
    const broken = await run('registry export --out broken.ndjson', { env })
    expect([broken.exitCode, broken.stderr]).toEqual([
      3,
      expect.stringContaining('ended before its last line'),
    ])
    await expect(stat(join(up.folder, 'broken.ndjson'))).rejects.toThrow('ENOENT')
    server.close()
    const gone = await run('registry export --out broken.ndjson', { env })
    expect(gone.exitCode).toBe(3)
  })
})
