/** Promoting feature flags against a real registry, composer and router. */
import type { IncomingMessage } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PATIENTLY } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeRegistry } from './fake-registry.ts'
import { runCommand, type RunOptions } from './run-command.ts'
import type { Run } from './run-command.ts'
import { startUp } from './start-up.ts'
import type { StartedUp } from './start-up.ts'

const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@external", "@requires"])\n'
const PRODUCTS = `${FEDERATION}type Query { products: [Product!]! }
type Product @key(fields: "id") { id: ID! name: String price: Int }
`
const NEXT = PRODUCTS.replace('price: Int', 'price: Float label: String')
/** Needs `price`, which `WITHOUT` does not have. */
const STOCK = `${FEDERATION}type Product @key(fields: "id") { id: ID! price: Int @external costs: Int @requires(fields: "price") }
`
const WITHOUT = PRODUCTS.replace('price: Int', '')
const URL_OF = '--routing-url http://127.0.0.1:9/graphql'

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  await write('products.graphql', PRODUCTS)
  await write('next.graphql', NEXT)
  await write('without.graphql', WITHOUT)
  await write('stock.graphql', STOCK)
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: RunOptions = {}): Promise<Run> {
  const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl, ...options.env }
  return runCommand(line.split(' '), { cwd: up.folder, ...options, env })
}
async function succeed(line: string): Promise<Run> {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}
const write = (name: string, text: string) => writeFile(join(up.folder, name), text)

/** A namespace with the graph `shop`, which has the flag `new`, and the graph `depot` without it. */
async function furnish(namespace: string, next = 'next.graphql'): Promise<void> {
  const lines = [
    `namespace create ${namespace}`,
    `graph create shop --label-matcher team=shop -n ${namespace}`,
    `subgraph publish products --schema products.graphql ${URL_OF} --label team=shop -n ${namespace}`,
    `fs publish products-next --schema ${next} --subgraph products --routing-url http://127.0.0.1:8/graphql -n ${namespace}`,
    `ff create new --fs products-next --label team=shop --enabled -n ${namespace}`,
  ]
  for (const line of lines) await succeed(line)
  await vi.waitFor(async () => {
    expect((await succeed(`ff get new -n ${namespace}`)).stdout).toContain('shop: served')
  }, PATIENTLY)
}
const routes = async (namespace: string) =>
  (await succeed(`subgraph get products -n ${namespace} --json`)).json()['result']

describe('feature-flag promote', () => {
  it('asks with all that it would change, and promotes when that is confirmed', async () => {
    await furnish('ask')
    const answered = await run('ff promote new -n ask', {
      terminal: true,
      typed: 'n',
      env: { NO_COLOR: '1' },
    })
    expect(answered).toMatchObject({ exitCode: 1 })
    const lines = answered.stderr.split('\n')
    expect(lines).toContain(
      '! subgraph "products" gets the schema and the routing URL http://127.0.0.1:8/graphql that "products-next" has',
    )
    expect(answered.stderr).toMatch(/Product\.price/)
    expect(answered.stderr).toContain('Promote feature flag "new" in namespace "ask"? (y/N)')
    expect(await routes('ask')).toMatchObject({ routingUrl: 'http://127.0.0.1:9/graphql' })
    const promoted = await run('ff promote new -n ask', { terminal: true, typed: 'y' })
    expect(promoted).toMatchObject({ exitCode: 0 })
    expect(promoted.stdout).toContain('Feature flag "new" was launched')
    expect(await routes('ask')).toMatchObject({ routingUrl: 'http://127.0.0.1:8/graphql' })
    expect((await succeed('ff list -n ask')).stdout).toMatch(/^new\tlaunched\tnot since 20/)
    expect((await succeed('ff get new -n ask')).stdout).toMatch(/promoted:\n +products-next as products/)
    const again = await run('ff promote new -n ask --json')
    expect(again.json()).toMatchObject({ ok: true, result: { changed: false } })
  })

  it('does nothing without a terminal and without --force, and says what it would do', async () => {
    await furnish('unasked')
    const refused = await run('ff promote new -n unasked --json')
    expect(refused).toMatchObject({ exitCode: 2 })
    expect(refused.json()).toMatchObject({
      ok: false,
      error: { problems: expect.arrayContaining([expect.stringMatching(/^subgraph "products" gets/)]) },
    })
    expect(await routes('unasked')).toMatchObject({ routingUrl: 'http://127.0.0.1:9/graphql' })
  })

  it('goes back by --undo to what was there, also where the former schema is published nowhere', async () => {
    await furnish('back')
    const before = await routes('back')
    await succeed('ff promote new -n back --force')
    const undone = await run('ff promote new -n back --undo --force --reason oops')
    expect(undone).toMatchObject({ exitCode: 0 })
    expect(undone.stderr).toContain('that it had before the promotion')
    expect(await routes('back')).toEqual(before)
    expect((await succeed('ff list -n back')).stdout).toMatch(/^new\tnew\t/)
    await succeed('ff promote new -n back --force')
    await succeed(`subgraph publish products --schema products.graphql -n back`)
    const late = await run('ff promote new -n back --undo --force --json')
    expect(late).toMatchObject({ exitCode: 1 })
    expect(late.json()).toMatchObject({
      error: {
        code: 'UNDO_NOT_POSSIBLE',
        problems: ['Subgraph "products" has another schema than the promotion gave it.'],
      },
    })
  })

  it('is refused if a graph would not compose, also one that the flag does not apply to', async () => {
    await furnish('broken', 'without.graphql')
    // The depot has products as well, and what needs its price.
    await succeed('subgraph update products --label team=shop team=depot -n broken')
    await succeed('graph create depot --label-matcher team=depot -n broken')
    await succeed(`subgraph publish stock --schema stock.graphql ${URL_OF} --label team=depot -n broken`)
    const refused = await run('ff promote new -n broken --force')
    expect(refused).toMatchObject({ exitCode: 1 })
    expect(refused.stdout).toContain('Checked what promoting "new" would do; it was not promoted.')
    expect(refused.stdout).toMatch(/depot.* +failed/)
    expect(refused.stderr).toContain('depot would not compose')
    expect(await routes('broken')).toMatchObject({ routingUrl: 'http://127.0.0.1:9/graphql' })
    expect((await run('ff promote new -n broken --dry-run --json')).json()).toMatchObject({
      result: { action: 'promote', passes: false },
    })
  })

  it('judges again if something was changed meanwhile, and asks nobody a second time about the same', async () => {
    await furnish('busy')
    let judged = 0
    /** Changes the flag's feature subgraph behind the back of the first promotions. */
    const meddle = async (request: IncomingMessage) => {
      if (request.method !== 'POST' || !request.url?.includes('/promote')) return
      judged += 1
      if (judged > 2) return
      await write('meddled.graphql', `${NEXT}# ${judged}\n`)
      await succeed('fs publish products-next --schema meddled.graphql -n busy')
    }
    const proxy = await proxyTo(up.registryUrl, meddle)
    const promoted = await run('ff promote new -n busy --force', {
      env: { SWITCHYARD_REGISTRY_URL: proxy },
    })
    expect(promoted).toMatchObject({ exitCode: 0 })
    expect(judged).toBe(3)
    expect(promoted.stderr.match(/subgraph "products" gets/g)).toHaveLength(1)
    const [base, feature] = await Promise.all(
      ['subgraph get products', 'fs get products-next'].map((line) => succeed(`${line} -n busy --json`)),
    )
    const schemas = [base, feature].map((result) => {
      expect(result?.json()).toMatchObject({ result: { schema: expect.any(String) } })
      return (result?.json()['result'] as { schema: string } | undefined)?.schema
    })
    expect(schemas[0]).toBe(schemas[1])
  })

  it('serves everybody what the flag served', async () => {
    await furnish('served')
    await succeed('ff promote new -n served --force --require-composed')
    await vi.waitFor(async () => {
      expect((await succeed('ff get new -n served')).stdout).toContain('shop: served')
    }, PATIENTLY)
    expect((await succeed('ff diff new -n served')).stdout).toBe(
      'shop with flag new, as served now: no changes\n',
    )
  })
})

/** A registry that calls `before` with each request, and hands it on to the real one afterwards. */
async function proxyTo(target: string, before: (request: IncomingMessage) => Promise<void>): Promise<string> {
  const env = await fakeRegistry((request, response, body) => {
    const hand = async () => {
      await before(request)
      const { method = 'GET', url, headers } = request
      const sent = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value] as [string, string]] : []
      })
      const answer = await fetch(`${target}${url}`, {
        method,
        headers: sent,
        ...(body === '' ? {} : { body }),
      })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(await answer.text())
    }
    hand().catch(() => response.destroy())
  })
  return env['SWITCHYARD_REGISTRY_URL'] ?? ''
}
