/**
 * A flag before anybody gets it: its plans against those of base, and its answers, on a registry, a router
 * and real subgraphs. The steps build on each other.
 */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { RolloutView } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { fakeRegistry } from './fake-registry.ts'
import { type Run, runCommand, type RunOptions, waitUntilServed, wordsOf } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'

const STOCK =
  'type Query { depot: Depot }\ntype Depot @key(fields: "id") { id: ID! town: String size: Int }\n'
/** `size` moves to another subgraph, and `town` goes. */
const NEXT = 'type Query { depot: Depot }\ntype Depot @key(fields: "id") { id: ID! size: Int shelf: Int }\n'
const OPERATIONS = [
  'query Sizes { depot { id size } }',
  'query Towns { depot { id town } }',
  'query Shelves { depot { shelf } }',
  '',
].join('\n')

let up: StartedUp
const servers: Server[] = []
beforeAll(async () => {
  up = await startUp()
  const base = await subgraph({ depot: { id: '1', town: 'Ulm', size: 5 } })
  const next = await subgraph({ depot: { id: '1', size: 6 } })
  await writeFile(join(up.folder, 'stock.graphql'), STOCK)
  await writeFile(join(up.folder, 'next.graphql'), NEXT)
  await writeFile(join(up.folder, 'operations.graphql'), OPERATIONS)
  await writeFile(
    join(up.folder, 'graph.yaml'),
    `version: 1
graph: { name: shop }
subgraphs: [{ name: stock, routing_url: '${base}', schema: { file: stock.graphql } }]
feature_flags:
  - name: new-stock
    feature_graphs:
      - { name: stock-next, subgraph_name: stock, routing_url: '${next}', schema: { file: next.graphql } }
rollouts:
  - name: compare
    graph: shop
    flag: new-stock
    mode: shadow
    percent: 100
    shadow: { operations: [Sizes, Towns] }
`,
  )
  await succeed('apply graph.yaml')
  await waitUntilServed((line) => run(line), 'shop')
})
afterAll(async () => {
  await up[Symbol.asyncDispose]()
  for (const server of servers) server.close()
})

async function subgraph(data: object): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then(() =>
      response
        .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
        .end(JSON.stringify({ data })),
    )
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/graphql`
}

function run(line: string, options: RunOptions = {}): Promise<Run> {
  return runCommand(wordsOf(line), { cwd: up.folder, ...options })
}
async function succeed(line: string): Promise<Run> {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}

async function ask(query: string): Promise<unknown> {
  const response = await fetch(up.routerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

describe('check-plans', () => {
  it('tells which operations a flag cannot answer, and exits with 1 then', async () => {
    const checked = await run('check-plans --graph shop --flag new-stock --operations operations.graphql')
    expect(checked.exitCode).toBe(1)
    const [head, counts, ...lines] = checked.stdout.trimEnd().split('\n')
    expect(head).toMatch(/^shop: flag new-stock against base, revision \d+$/)
    expect(counts).toBe(
      '3 operations from operations.graphql: 0 have the same plan, 0 need more requests, 0 fewer, 1 as many, and 1 have no answer',
    )
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}operations\.graphql:2 Towns: no answer: .*"town"/),
      '  operations.graphql:1 Sizes: as many requests (1), other ones or in another order',
      '  operations.graphql:3 Shelves: only the flag answers it',
    ])
  })

  it('is the same for programs', async () => {
    const line = 'check-plans --graph shop --flag new-stock --operations operations.graphql --json'
    expect((await run(line)).json()).toMatchObject({
      result: {
        operations: 3,
        unanswerable: 1,
        onlyFlag: 1,
        moreRequests: 0,
        changes: [{ effect: 'unanswerable', base: { requests: 1 }, flag: { kind: 'refused' } }, {}, {}],
      },
    })
  })

  it('needs operations, and a flag that the graph has', async () => {
    const none = await run('check-plans --graph shop --flag new-stock')
    expect(none).toMatchObject({ exitCode: 1 })
    expect(none.stderr).toContain('--operations')
    expect(await run('check-plans --graph shop --flag gone --operations operations.graphql')).toMatchObject({
      exitCode: 1,
    })
  })
})

/** What the registry has of a rollout. */
async function comparedOf(name: string): Promise<unknown> {
  return RolloutView.shape.shadow.parse(
    z
      .looseObject({ shadow: z.unknown() })
      .parse((await succeed(`rollout get ${name} --json`)).json()['result']).shadow,
  )
}

describe('options of shadows', () => {
  it('say at create what is compared, and what may be called once more', async () => {
    await succeed(
      'rollout create by-options --graph shop --flag new-stock --mode shadow --percent 10 --shadow-subgraph stock-next --shadow-operation Sizes Towns --shadow-unordered depots.*.tags',
    )
    expect(await comparedOf('by-options')).toEqual({
      subgraphs: ['stock-next'],
      operations: ['Sizes', 'Towns'],
      unordered: ['depots.*.tags'],
    })
    const { stdout } = await succeed('rollout get by-options')
    expect(stdout).toContain(
      'compared:\n  subgraphs that may be called once more: stock-next\n  operations: Sizes, Towns\n  lists whose order means nothing: depots.*.tags\n',
    )
  })

  it('change what they name, and keep the rest', async () => {
    await succeed('rollout update by-options --shadow-operation Shelves')
    expect(await comparedOf('by-options')).toEqual({
      subgraphs: ['stock-next'],
      operations: ['Shelves'],
      unordered: ['depots.*.tags'],
    })
    await succeed('rollout update by-options --unset-shadow')
    expect(await comparedOf('by-options')).toBeNull()
    expect((await succeed('rollout get by-options')).stdout).toContain('  operations: all queries\n')
  })

  it('are refused for a rollout that gives its flag to requests, unless its mode changes with them', async () => {
    await succeed('rollout create released --graph shop --flag new-stock')
    const refused = await run('rollout update released --shadow-operation Sizes')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('"released" gives its flag to requests. Nothing was changed.')
    expect(await comparedOf('released')).toBeNull()
    await succeed('rollout update released --mode shadow --shadow-operation Sizes')
    expect(await comparedOf('released')).toEqual({ operations: ['Sizes'] })
    const rows = (await succeed('rollout list')).stdout.trimEnd().split('\n')
    expect(rows.map((row) => row.split('\t').slice(1, 6))).toContainEqual([
      'released',
      'new-stock',
      'served',
      'shadow',
      '0',
    ])
    const question = (await run('rollout delete released')).stderr
    expect(question).toContain('are no longer compared with those of feature flag "new-stock"')
    expect(question).not.toContain('next rollout')
    for (const name of ['released', 'by-options']) await succeed(`rollout delete ${name} --force`)
  })

  it.each([
    ['create x --graph shop --shadow-operation Sizes', 'this one gives its flag to requests'],
    ['create x --graph shop --mode serve --shadow-subgraph stock', 'Add --mode shadow'],
    ['create x --graph shop --mode shadow --shadow-operation 9', '"9" is none: expected the name of an'],
    ['create x --graph shop --mode shadow --shadow-unordered a..b', 'expected a path such as'],
    ['create x --graph shop --mode shadow --shadow-subgraph', 'argument missing'],
    ['update x --mode serve --shadow-operation Sizes', 'with --mode serve it gives its flag'],
    ['update x --unset-shadow --shadow-operation Sizes', 'contradict each other'],
  ])('refuse %j before the registry is asked', async (line, says) => {
    const refused = await run(`rollout ${line}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(says)
  })
})

describe('rollout differences', () => {
  it('says so before anything was compared', async () => {
    const { stdout, stderr } = await succeed('rollout differences compare')
    expect(stdout).toBe('')
    expect(stderr).toContain('No router has told results yet')
  })

  it('shows what differs by path and cause, and what was compared', async () => {
    await vi.waitFor(async () => {
      expect(await ask('query Sizes { depot { id size } }')).toEqual({
        data: { depot: { id: '1', size: 5 } },
      })
      await ask('query Towns { depot { id town } }')
      const { result } = (await succeed('rollout differences compare --json')).json()
      expect(result).toMatchObject({
        rollout: 'compare',
        flag: 'new-stock',
        differences: [{ operation: 'Sizes', path: 'depot.size', cause: 'value', code: null }],
        noise: [],
      })
      expect(result).toMatchObject({
        operations: expect.arrayContaining([
          expect.objectContaining({ operation: 'Towns', unanswerable: expect.any(Number) }),
        ]),
      })
    }, PATIENTLY)
    const { stdout, stderr } = await succeed('rollout differences compare --operation Sizes --since 1h')
    expect(stdout).toMatch(/^Sizes\tdepot\.size\tvalue\t-\t\d+\tnumber\tnumber\t\d{4}-\S+Z\n$/)
    expect(stderr).toMatch(/^\d+ answers of 1 operation were compared: 0 equal, /)
    expect((await succeed('rollout differences compare --operation Other')).stdout).toBe('')
  })

  it('escapes what routers told', async () => {
    const side = { type: 'number', hash: null }
    const row = { path: 'a', cause: 'value', code: null, count: 1, first: 0, last: 0, base: side, flag: side }
    const env = await fakeRegistry((_request, response) => {
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          namespace: 'default',
          rollout: 'compare',
          graph: 'shop',
          flag: 'f',
          routers: 1,
          since: 0,
          operations: [],
          differences: [{ ...row, operation: '\u001b[31mred\tcell' }],
          noise: [{ operation: '\u001b[31mred', path: 'b' }],
          dropped: 0,
          leftOut: 0,
        }),
      )
    })
    const shown = await run('rollout differences compare', { env })
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout + shown.stderr).not.toContain('\u001b')
    expect(shown.stdout.split('\t')).toHaveLength(8)
  })
})
