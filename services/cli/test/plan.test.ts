import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { createFolder } from './workspace.ts'

const GRAPH = `version: 1
subgraphs:
  - { name: products, routing_url: "http://p/graphql", schema: { file: products.graphql } }
  - { name: stock, routing_url: "http://s/graphql", schema: { file: stock.graphql } }
feature_flags:
  - name: shelves
    feature_graphs:
      - { name: stock-next, subgraph_name: stock, routing_url: "http://n/graphql", schema: { file: next.graphql } }
`

async function composed(): Promise<string> {
  const cwd = await createFolder({
    'graph.yaml': GRAPH,
    'products.graphql':
      'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! name: String }\n',
    'stock.graphql': 'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n',
    'both.graphql': '{ product { nme } depots }',
    'next.graphql':
      'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int shelf: Int }\n',
    'query.graphql':
      'query A($full: Boolean!) { product { name inStock @include(if: $full) } }\nquery B { depot }\n',
    'deferred.graphql':
      'query($later: Boolean) { product { name ... @defer(if: $later, label: "stock") { inStock } } }',
    'shelf.graphql': '{ product {\n  shelf } }',
    'on.json': '{"full": true}',
  })
  const run = await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'c.json'], { cwd })
  expect(run.exitCode).toBe(0)
  return cwd
}

const LABELLED = `
schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.4", for: EXECUTION) { query: Query }
enum join__Graph { OLD @join__graph(name: "old", url: "http://old") NEW @join__graph(name: "new", url: "http://new") }
type Query @join__type(graph: OLD) @join__type(graph: NEW) { product: Product @join__field(graph: OLD) }
type Product @join__type(graph: OLD, key: "id") @join__type(graph: NEW, key: "id") {
  id: ID!
  price: Int @join__field(graph: OLD, overrideLabel: "percent(25)") @join__field(graph: NEW, override: "old", overrideLabel: "percent(25)")
}`

const OVERRIDING = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@override"])
type Product @key(fields: "id") { id: ID! inStock: Int @override(from: "products", label: "shelves") }
`

const PLAN = ['plan', '--execution-config', 'c.json', '--query']

describe('plan', () => {
  it('prints the fetches that an operation needs', async () => {
    const cwd = await composed()
    const args = [...PLAN, 'query.graphql', '--operation-name', 'A', '--variables', 'on.json']
    const run = await runCommand(args, { cwd })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toMatch(/products[\s\S]*stock/)
    expect((await runCommand([...args, '--json'], { cwd })).json()).toMatchObject({
      ok: true,
      result: { requests: 2, depth: 2, cost: 2100 },
    })
  })

  it('prints the source of a subscription, and what completes its events', async () => {
    const cwd = await composed()
    const schema = 'type Query { product: Product } type Subscription { changed: Product } '
    await writeFile(
      join(cwd, 'products.graphql'),
      `${schema}type Product @key(fields: "id") { id: ID! name: String }\n`,
    )
    await writeFile(join(cwd, 'events.graphql'), 'subscription { changed { name inStock } }')
    await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'c.json'], { cwd })
    const run = await runCommand([...PLAN, 'events.graphql'], { cwd })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toMatch(/^Plan for a subscription: 2 requests,/)
    expect(run.stdout).toMatch(/Fetch 0 from "products"[^]*Fetch 1 from "stock" after 0/)
  })

  it('leaves out what the variables exclude', async () => {
    const cwd = await composed()
    const args = [
      ...PLAN,
      'query.graphql',
      '--operation-name',
      'A',
      '--variables',
      '{"full":false}',
      '--json',
    ]
    expect((await runCommand(args, { cwd })).json()).toMatchObject({ ok: true, result: { requests: 1 } })
  })

  it('plans on the graph of a flag', async () => {
    const cwd = await composed()
    const onBase = await runCommand([...PLAN, 'shelf.graphql'], { cwd })
    expect(onBase.exitCode).toBe(1)
    expect(onBase.stderr).toMatch(/shelf\.graphql:2:3: Cannot query field "shelf"/)
    const onFlag = await runCommand([...PLAN, 'shelf.graphql', '--flag', 'shelves'], { cwd })
    expect(onFlag).toMatchObject({ exitCode: 0, stderr: '' })
    expect(onFlag.stdout).toContain('stock-next')
  })

  it('says which flags there are when the named one is not among them', async () => {
    const run = await runCommand([...PLAN, 'shelf.graphql', '--flag', 'toString'], { cwd: await composed() })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toContain('c.json holds no feature flag "toString" (it holds: shelves)')
  })

  it('gives programs the tree with a reason and a cost per fetch, and the variant it is for', async () => {
    const cwd = await composed()
    const args = [...PLAN, 'query.graphql', '--operation-name', 'A', '--variables', '@on.json', '--json']
    expect((await runCommand(args, { cwd })).json()).toMatchObject({
      ok: true,
      result: {
        operation: { kind: 'query', name: 'A' },
        variant: { conditions: { full: true }, labels: {} },
        unreachable: [],
        plan: {
          kind: 'Sequence',
          nodes: [
            { kind: 'Fetch', id: 0, subgraph: 'products', level: 1, cost: 1000, reason: 'root fields' },
            {
              kind: 'Fetch',
              subgraph: 'stock',
              after: [0],
              level: 2,
              cost: 1100,
              reason: 'key "id"',
              representations: [{ path: 'product', fields: '{ __typename: "Product" id }' }],
              document: expect.stringContaining('\n    ... on Product {\n'),
            },
          ],
        },
      },
    })
  })

  it('shows what is deferred, and what each fragment waits for, as a router that defers would do it', async () => {
    const cwd = await composed()
    const run = await runCommand([...PLAN, 'deferred.graphql', '--defer'], { cwd })
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toContain('With $later = true\n')
    expect(run.stdout).toContain('Deferred 1 "stock" at product: waits for fetch 1\n')
    expect(run.stdout).toContain('Fetch 1 from "stock" after 0 for deferred 1 (')
    const json = await runCommand([...PLAN, 'deferred.graphql', '--defer', '--json'], { cwd })
    expect(json.json()).toMatchObject({
      result: { deferred: [{ id: 1, label: 'stock', path: 'product', parent: 0, fetches: [1] }] },
    })
    const plain = await runCommand([...PLAN, 'deferred.graphql'], { cwd })
    expect(plain.stdout).not.toMatch(/[Dd]eferred|With/)
  })

  it('says for which values of conditions the plan holds', async () => {
    const cwd = await composed()
    const run = await runCommand(
      [...PLAN, 'query.graphql', '--operation-name', 'A', '--variables', '{"full":false}'],
      { cwd },
    )
    expect(run.stdout).toMatch(/^With \$full = false\nPlan for a query: 1 request, depth 1, effort 1000\n/)
  })

  it('colours on a terminal only', async () => {
    const cwd = await composed()
    const args = [...PLAN, 'query.graphql', '--operation-name', 'B']
    const plain = await runCommand(args, { cwd })
    const terminal = await runCommand(args, { cwd, terminal: true })
    expect(stripVTControlCharacters(plain.stdout)).toBe(plain.stdout)
    expect(terminal.stdout).not.toBe(plain.stdout)
    expect(stripVTControlCharacters(terminal.stdout)).toBe(plain.stdout)
    expect((await runCommand(args, { cwd, terminal: true, env: { NO_COLOR: '1' } })).stdout).toBe(
      plain.stdout,
    )
  })

  it('lists every mistake of an operation with its place', async () => {
    const run = await runCommand([...PLAN, 'both.graphql'], { cwd: await composed() })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toContain('both.graphql:1:13: Cannot query field "nme" on type "Product".')
    expect(run.stderr).toContain('both.graphql:1:19: Cannot query field "depots" on type "Query".')
  })

  it('names the operations there are when one must be chosen', async () => {
    const cwd = await composed()
    const none = await runCommand([...PLAN, 'query.graphql'], { cwd })
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('several operations (A, B)') })
    const wrong = await runCommand([...PLAN, 'query.graphql', '--operation-name', 'C'], { cwd })
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('"C" (it holds: A, B)') })
  })

  it('refuses variables that are no object, and those the operation cannot take', async () => {
    const cwd = await composed()
    const given = (variables: string) =>
      runCommand([...PLAN, 'query.graphql', '--operation-name', 'A', '--variables', variables], { cwd })
    const refused = (exitCode: number, text: string) => ({ exitCode, stderr: expect.stringContaining(text) })
    expect(await given('{"full"')).toMatchObject(refused(2, '--variables takes a JSON object or @file'))
    expect(await given('@query.graphql')).toMatchObject(refused(2, 'query.graphql is no JSON'))
    expect(await given('@missing.json')).toMatchObject(refused(2, 'missing.json does not exist'))
    expect(await given('{}')).toMatchObject(refused(1, 'query.graphql:1:9: Variable "$full"'))
    expect(await given('{"full":"yes"}')).toMatchObject(refused(1, 'query.graphql:1:9: Variable "$full"'))
  })

  it('plans on a supergraph file of any composer, under the labels that are active', async () => {
    const cwd = await createFolder({ 'supergraph.graphql': LABELLED, 'q.graphql': '{ product { price } }' })
    const args = ['plan', '--supergraph', 'supergraph.graphql', '--query', 'q.graphql']
    const inactive = await runCommand(args, { cwd })
    expect(inactive.stdout).toMatch(/^Override labels: percent\(25\) inactive\nPlan for a query: 1 request,/)
    const active = await runCommand([...args, '--label', 'percent(25)'], { cwd })
    expect(active.stdout).toMatch(/^Override labels: percent\(25\) active\nPlan for a query: 2 requests,/)
    expect(await runCommand([...args, '--label', 'other'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'No override in supergraph.graphql has the label "other" (it has: percent(25))',
      ),
    })
  })

  it('takes the label that is the name of a flag for active in the composition of that flag alone', async () => {
    const cwd = await createFolder({
      'graph.yaml': GRAPH,
      'products.graphql':
        'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n',
      'stock.graphql': OVERRIDING,
      'next.graphql': `${OVERRIDING}type Other { id: ID }\n`,
      'q.graphql': '{ product { inStock } }',
    })
    const composing = await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'c.json'], {
      cwd,
    })
    expect(composing).toMatchObject({ exitCode: 0 })
    const base = await runCommand([...PLAN, 'q.graphql'], { cwd })
    expect(base.stdout).toMatch(/^Override labels: shelves inactive\nPlan for a query: 1 request,/)
    const flag = await runCommand([...PLAN, 'q.graphql', '--flag', 'shelves'], { cwd })
    expect(flag.stdout).toMatch(/^Override labels: shelves active\nPlan for a query: 2 requests,/)
    expect(await runCommand([...PLAN, 'q.graphql', '--label', 'shelves'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('choose that with --flag shelves'),
    })
  })

  it('takes one supergraph, and a flag only where there can be flags', async () => {
    const cwd = await composed()
    const query = ['plan', '--query', 'shelf.graphql']
    const usage = {
      exitCode: 2,
      stderr: expect.stringContaining('either --execution-config or --supergraph'),
    }
    expect(await runCommand(query, { cwd })).toMatchObject(usage)
    const both = [...query, '--execution-config', 'c.json', '--supergraph', 'c.json']
    expect(await runCommand(both, { cwd })).toMatchObject(usage)
    const flag = [...query, '--supergraph', 'c.json', '--flag', 'shelves']
    expect(await runCommand(flag, { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--flag'),
    })
    const noSupergraph = [...query, '--supergraph', 'products.graphql']
    expect(await runCommand(noSupergraph, { cwd })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('products.graphql cannot be loaded'),
    })
  })

  it('refuses a file that is no execution config', async () => {
    const cwd = await composed()
    const run = await runCommand(['plan', '--execution-config', 'on.json', '--query', 'shelf.graphql'], {
      cwd,
    })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toContain('on.json is no execution config')
  })

  it('says of a file that is no JSON that it is none', async () => {
    const cwd = await createFolder({ 'cut.json': '{"base": {', 'q.graphql': '{ a }' })
    const run = await runCommand(['plan', '--execution-config', 'cut.json', '--query', 'q.graphql'], { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toBe(
      'error: cut.json is no execution config; one that "switchyard router compose" wrote was expected.\n  document: is no JSON\n',
    )
  })

  describe('of an operation that not everybody may see', () => {
    const GUARDED = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@authenticated", "@requiresScopes", "@policy"])
type Query { me: User }
type User { name: String email: String @authenticated salary: Int @requiresScopes(scopes: [["pay", "read"]]) note: Int @policy(policies: [["audit"]]) }`

    async function planned(...options: readonly string[]) {
      const cwd = await createFolder({
        'graph.yaml':
          'version: 1\nsubgraphs:\n  - { name: a, routing_url: "http://a/graphql", schema: { file: a.graphql } }\n',
        'a.graphql': GUARDED,
        'query.graphql': '{ me { name email salary note } }',
      })
      await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'c.json'], { cwd })
      return runCommand([...PLAN, 'query.graphql', ...options], { cwd })
    }

    it('has everything, and says what is demanded', async () => {
      const { stdout } = await planned()
      expect(stdout).toContain(
        'Access: @authenticated met, @requiresScopes(scopes: [["pay","read"]]) met, @policy(policies: [["audit"]]) met',
      )
      expect(stdout).toContain('salary')
      expect(stdout).not.toContain('Denied')
    })

    it('leaves out what a request with these scopes and policies, or without a token, may not see', async () => {
      const denied = async (...options: readonly string[]) => {
        const { result } = (await planned(...options, '--json')).json() as {
          readonly result: { readonly denied: readonly string[] }
        }
        return result.denied
      }
      expect(await denied('--unauthenticated')).toEqual(['User.email', 'User.salary', 'User.note'])
      expect(await denied('--authenticated')).toEqual(['User.salary', 'User.note'])
      expect(await denied('--scope', 'read', 'pay')).toEqual(['User.note'])
      expect(await denied('--scope', 'read', '--policy', 'audit')).toEqual(['User.salary'])
      expect((await planned('--unauthenticated')).stdout).toContain(
        'Denied, and so not fetched: User.email, User.salary, User.note',
      )
      expect((await planned('--unauthenticated', '--scope', 'pay')).exitCode).toBe(2)
    })
  })
})
