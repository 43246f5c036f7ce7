/**
 * Trace tokens and a rotation of their keys by commands, against a real registry and its router. The steps
 * build on each other.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, type Run, type RunOptions } from './run-command.ts'
import { startUp, type StartedUp } from './start-up.ts'

let up: StartedUp
beforeAll(async () => {
  up = await startUp('--graph', 'default/shop')
  await writeFile(join(up.folder, 'hello.graphql'), 'type Query { hello: String }\n')
  await succeed('graph create shop')
  await succeed('subgraph publish hello --schema hello.graphql --routing-url http://127.0.0.1:9/graphql')
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: RunOptions = {}): Promise<Run> {
  const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl, ...options.env }
  return runCommand(line.split(' '), { cwd: up.folder, ...options, env })
}

async function succeed(line: string, options: RunOptions = {}): Promise<Run> {
  const result = await run(line, options)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}

/** Header and claims. */
function read(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  return { header: JSON.parse(header), claims: JSON.parse(claims) }
}

const kids = async () =>
  (await succeed('registry trace-key list')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

describe('router trace-token', () => {
  it('prints the token alone on stdout, and on stderr until when it opens traces of what', async () => {
    const { stdout, stderr } = await succeed('router trace-token shop')
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(stderr).toMatch(/^It opens traces of default\/shop until \d{4}-\S+Z\.\n$/)
    const { claims } = read(stdout)
    expect(claims).toMatchObject({ aud: 'default/shop' })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(600)
  })

  it('takes a time and what traces leave out', async () => {
    const { stdout } = await succeed('router trace-token shop --ttl 90s --exclude output input')
    const { claims } = read(stdout)
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(90)
    expect(claims['exclude']).toEqual(['input', 'output'])
    const result = (await succeed('router trace-token shop --ttl 24h --json')).json()['result']
    expect(result).toMatchObject({
      token: expect.any(String),
      expiresAt: expect.stringMatching(/^\d{4}-/),
      warnings: [],
    })
  })

  it.each(['0s', '25h', '86401s', '10', '-5m', '1.5h', 'for-ever', '1d'])('refuses --ttl %s', async (ttl) => {
    const refused = await run(`router trace-token shop --ttl=${ttl}`)
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('from 1s to 24h')])
  })

  it('refuses to exclude what is no part of a trace', async () => {
    const refused = await run('router trace-token shop --exclude everything')
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('raw_input_data, input')])
  })

  it('needs a graph, and a key that may trace it', async () => {
    expect(await run('router trace-token other')).toMatchObject({ exitCode: 1, stdout: '' })
    const keyOf = async (scopes: string) =>
      (await succeed(`api-key create ${scopes.replaceAll(/\W/g, '-')} --scope ${scopes}`)).stdout.trimEnd()
    const ask = async (scopes: string) =>
      run('router trace-token shop', { env: { SWITCHYARD_API_KEY: await keyOf(scopes) } })
    const refused = await ask('read deploy:default')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain('the scope "trace:default" or "admin" is needed')
    expect(refused.stderr).toContain('switchyard api-key create <name> --scope trace:default')
    expect(await ask('trace:default')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\S+\n$/),
    })
  })
})

describe('registry trace-key', () => {
  it('rotates: creates a key that signs, shows the old one until it is retired, and warns of its tokens', async () => {
    const [[first = '']] = (await kids()) as [string[]]
    const created = await succeed('registry trace-key create')
    expect(created.stdout).toMatch(/^Trace key [\w-]{43} was created\.\n$/)
    const [, second = ''] = /key ([\w-]{43})/.exec(created.stdout) ?? []
    expect((await kids()).map(([kid, state]) => [kid, state])).toEqual([
      [second, 'signs'],
      [first, 'can sign'],
    ])

    const asked = await run('registry trace-key retire oldest', { terminal: true, typed: 'n' })
    expect(asked.stderr).toContain(`Retire trace key ${first}`)
    expect(asked.stderr).toContain('Tokens that it signed may be valid until')
    expect((await kids())[1]?.[1]).toBe('can sign')

    const retired = await succeed('registry trace-key retire oldest --force')
    expect(retired.stdout).toBe(`Trace key ${first} is retired.\n`)
    expect(retired.stderr).toMatch(/^warning: Tokens that .* signed may be valid until .*\n$/)
    expect((await kids()).map(([kid, state]) => [kid, state])).toEqual([
      [second, 'signs'],
      [first, 'retired'],
    ])
    expect(read((await succeed('router trace-token shop')).stdout).header['kid']).toBe(second)
    const { keys } = JSON.parse(await readFile(join(up.folder, '.switchyard', 'trace-keys.json'), 'utf8'))
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([second])
  })

  it('retires by id, too, and says when there is nothing to retire', async () => {
    const [[kid = '']] = (await kids()) as [string[]]
    expect((await succeed(`registry trace-key retire ${kid} --force`)).stderr).toContain('no other trace key')
    for (const id of ['oldest', 'unknown']) {
      const refused = await run(`registry trace-key retire ${id} --force`)
      expect([refused.exitCode, refused.stderr]).toEqual([
        1,
        expect.stringContaining('There is no trace key'),
      ])
    }
    expect(await run('registry trace-key retire a.b --force')).toMatchObject({ exitCode: 2 })
    const dashed = await run('registry trace-key retire --force -- -made-elsewhere')
    expect([dashed.exitCode, dashed.stderr]).toEqual([1, expect.stringContaining('"-made-elsewhere"')])
  })
})
