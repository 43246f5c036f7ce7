/** Previews by commands, from a pull request to a router that serves them beside one that does not. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@switchyard/service-kit'
import { startStandalone } from '@switchyard/standalone'
import { PATIENTLY } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { runCommand } from './run-command.ts'

const SETTINGS = `
previews: { serve: true }
headers: { request: [{ propagate: authorization }] }
`
const Preview = z.object({ result: z.object({ flag: z.string() }) })

const stack = new AsyncDisposableStack()
let folder: string
let routerUrl: string
let registryUrl: string
const calls: Record<string, IncomingHttpHeaders[]> = { live: [], preview: [] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-previews-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'router.yaml'), SETTINGS)
  await writeFile(join(folder, 'products.graphql'), 'type Query { version: String }')
  await writeFile(join(folder, 'change.graphql'), 'type Query { version: String hint: String }')
  const standalone = stack.use(
    await startStandalone({
      dataDir: join(folder, '.switchyard'),
      registryPort: 0,
      routerPort: 0,
      routerConfigFile: join(folder, 'router.yaml'),
      env: {},
      logger: createLogger({ name: 'standalone', level: 'silent' }),
    }),
  )
  routerUrl = standalone.routerUrl
  registryUrl = standalone.registryUrl
  await succeed('graph create shop')
  await succeed(
    `subgraph publish products --schema products.graphql --routing-url ${await subgraph('live')} --require-live --wait 300`,
  )
}, 300_000)
afterAll(() => stack.disposeAsync())

async function subgraph(name: string): Promise<string> {
  const server = createServer((request, response) => {
    calls[name]?.push(request.headers)
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: { version: name, hint: 'new' } }))
    })
  }).listen(0, 'localhost')
  await once(server, 'listening')
  stack.defer(() => server.close().closeAllConnections())
  const address = server.address()
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}/graphql`
}

const run = (line: string) =>
  runCommand(line.split(' '), { cwd: folder, env: { SWITCHYARD_REGISTRY_URL: registryUrl } })
async function succeed(line: string) {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}
async function versionOf(flag?: string) {
  const response = await fetch(routerUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer of-a-client',
      ...(flag === undefined ? {} : { 'x-feature-flag': flag }),
    },
    body: JSON.stringify({ query: '{ version }' }),
  })
  const answer: unknown = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(answer))
  const { data } = z.object({ data: z.object({ version: z.string() }) }).parse(answer)
  return data.version
}

describe('a preview', () => {
  it('is refused until somebody who may deploy has said where previews may be', async () => {
    const refused = await run(
      'preview create pr-481 --subgraph products --routing-url http://localhost:1/ --schema change.graphql',
    )
    expect(refused.exitCode).not.toBe(0)
    expect(refused.stderr).toContain(
      "switchyard namespace update default --preview-hosts '*.previews.internal'",
    )
    await succeed('namespace update default --preview-hosts localhost')
  })

  it('is created, served to whoever knows its name, updated at the next push, and deleted', async () => {
    const url = await subgraph('preview')
    const create = `preview create pr-481 --subgraph products --routing-url ${url} --schema change.graphql --ttl 3d`
    await succeed(`${create} --require-live --wait 300`)
    const { flag } = Preview.parse((await succeed('preview get pr-481 --json')).json()).result
    expect(flag).toMatch(/^pr-481-[0-9a-f]{16}$/)
    expect([await versionOf(), await versionOf(flag), await versionOf('pr-481')]).toEqual([
      'live',
      'preview',
      'live',
    ])
    expect(calls['live']?.map(({ authorization }) => authorization)).toEqual([
      'Bearer of-a-client',
      'Bearer of-a-client',
    ])
    expect(calls['preview']?.map(({ authorization }) => authorization)).toEqual([undefined])
    await succeed(`${create} --or-update`)
    expect(Preview.parse((await succeed('preview get pr-481 --json')).json()).result.flag).toBe(flag)
    expect((await succeed('preview list')).stdout).toContain(flag)
    await succeed('preview delete pr-481 --require-live --wait 300')
    await vi.waitFor(async () => expect(await versionOf(flag)).toBe('live'), PATIENTLY)
    expect((await succeed('preview list --json')).json()).toMatchObject({ result: { previews: [] } })
  }, 300_000)

  it.each([
    ['preview create pr-1 --subgraph products', 'belong together: 1, 0 and 0 were given'],
    ['preview create pr-1', 'needs --subgraph, --routing-url and --schema'],
    ['preview update pr-1', 'none was given'],
    ['preview update pr-1 --ttl 15d', '14d at most, not "15d"'],
    ['preview update pr-1 --ttl soon', '--ttl takes a duration'],
    ['namespace update default', 'either --preview-hosts or --unset-preview-hosts'],
    ['namespace update default --preview-hosts 10.0.0.1', 'is no host for previews'],
  ])('is not even asked for by %s', async (line, says) => {
    const { exitCode, stderr } = await run(line)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)])
  })
})
