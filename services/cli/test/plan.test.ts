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
    'next.graphql':
      'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int shelf: Int }\n',
    'query.graphql':
      'query A($full: Boolean!) { product { name inStock @include(if: $full) } }\nquery B { depot }\n',
    'shelf.graphql': '{ product {\n  shelf } }',
    'on.json': '{"full": true}',
  })
  const run = await runCommand(['router', 'compose', '--input', 'graph.yaml', '--out', 'c.json'], { cwd })
  expect(run.exitCode).toBe(0)
  return cwd
}

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
      result: { fetches: 2, depth: 2 },
    })
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
    expect((await runCommand(args, { cwd })).json()).toMatchObject({ ok: true, result: { fetches: 1 } })
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

  it('needs to know which operation, and variables that are an object', async () => {
    const cwd = await composed()
    expect(await runCommand([...PLAN, 'query.graphql'], { cwd })).toMatchObject({ exitCode: 1 })
    const list = await runCommand(
      [...PLAN, 'query.graphql', '--operation-name', 'B', '--variables', '{"a"'],
      { cwd },
    )
    expect(list).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--variables takes a JSON object'),
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
})
