/** What a person at a terminal sees and is asked. */
import type { ServerResponse } from 'node:http'
import type { CommandOutcome, CompositionReport } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '@switchyard/composition/display-width'
import { styleFor } from '../src/output/style.ts'
import { printTable } from '../src/output/table.ts'
import { type Answer, fakeRegistry } from './fake-registry.ts'
import { runCommand, type RunOptions } from './run-command.ts'

const CLEAR = '\r\u001b[2K'
const PENDING: CommandOutcome = {
  commandId: 'c1',
  changed: true,
  sequence: 7,
  message: 'Feature flag "f" was enabled.',
  warnings: [],
  affectedGraphs: ['admin', 'shop'],
  compositions: [],
  pending: true,
  routers: { serving: 0, total: 2 },
}
const SHOP: CompositionReport = {
  graph: 'shop',
  featureFlag: null,
  status: 'composed',
  failedBefore: false,
  isNew: false,
  errors: [],
  errorCount: 0,
  hints: [],
}
const HALF: CommandOutcome = { ...PENDING, compositions: [SHOP], routers: { serving: 1, total: 2 } }
const DONE: CommandOutcome = {
  ...PENDING,
  compositions: [{ ...SHOP, graph: 'admin' }, SHOP],
  pending: false,
  routers: { serving: 2, total: 2 },
}

async function registryThat(answer: Answer) {
  const env = await fakeRegistry(answer)
  return (line: string, options: RunOptions = {}) =>
    runCommand(line.split(' '), { terminal: true, columns: 80, ...options, env: { ...env, ...options.env } })
}

function reply(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe('waiting at a terminal', () => {
  it('draws one line that says what is composed and where it lives, and takes it away at the end', async () => {
    let seen = ''
    let held: ServerResponse | undefined
    let polls = 0
    const run = await registryThat((request, response) => {
      if (request.method === 'POST') return reply(response, PENDING)
      polls += 1
      if (polls === 1) return reply(response, HALF)
      // Answered once the line was drawn: the test waits for what a person would see.
      held = response
    })
    const result = await run('ff enable f', {
      onStderr: (text) => {
        seen += text
        if (text.includes('composing admin …') && held !== undefined) reply(held, DONE)
      },
    })
    expect(result.exitCode).toBe(0)
    expect(seen).toMatch(/composing admin … live on 1\/2 routers \(\d+ s\)/)
    expect(seen.endsWith(CLEAR)).toBe(true)
    // Whatever was drawn was drawn over: nothing of it is left, and no line was broken.
    expect(seen.split(CLEAR).at(-1)).toBe('')
    expect(seen).not.toContain('\n')
    expect(result.stdout).toContain('live on 2/2 routers (unverified)')
  })

  it('cuts the line to the width of the terminal', async () => {
    let seen = ''
    let held: ServerResponse | undefined
    const graphs = Array.from({ length: 30 }, (_, index) => `graph-${index}`)
    const run = await registryThat((request, response) => {
      if (request.method === 'POST') return reply(response, { ...PENDING, affectedGraphs: graphs })
      held = response
    })
    await run('ff enable f', {
      columns: 40,
      onStderr: (text) => {
        seen += text
        if (text.includes('composing graph-0') && held !== undefined) reply(held, DONE)
      },
    })
    const drawn = seen.split(CLEAR).filter((line) => line !== '')
    expect(drawn.length).toBeGreaterThan(0)
    for (const line of drawn) expect(displayWidth(line)).toBeLessThan(40)
  })

  it.each([
    ['in a pipe', { terminal: false }],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }],
    ['with --no-wait', { line: 'ff enable f --no-wait' }],
  ])('draws nothing %s', async (_, { line = 'ff enable f', ...options }: RunOptions & { line?: string }) => {
    const run = await registryThat((request, response) =>
      reply(response, request.method === 'POST' ? PENDING : DONE),
    )
    expect(await run(line, options)).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('ends with what is known when it is interrupted: the change is kept', async () => {
    const interrupt = new AbortController()
    const run = await registryThat((request, response) => {
      if (request.method === 'POST') reply(response, HALF)
      else interrupt.abort()
    })
    const result = await run('ff enable f', { signal: interrupt.signal, terminal: false })
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toBe(
      'error: Interrupted while waiting. Feature flag "f" was enabled. The change is kept; still composing: admin.\n',
    )
  })
})

describe('a question', () => {
  const SNAPSHOT = {
    namespace: 'default',
    sequence: 9,
    graphs: [
      { name: 'shop', labelMatchers: ['team=shop'], pinnedRevision: null },
      { name: 'other', labelMatchers: ['team=other'], pinnedRevision: null },
    ],
    subgraphs: [
      {
        name: 'products',
        routingUrl: 'http://a',
        labels: ['team=shop'],
        base: null,
        schema: { sha256: 'a'.repeat(64), bytes: 1 },
      },
      { name: 'products-next', routingUrl: 'http://a', labels: [], base: 'products', schema: null },
      { name: 'stock', routingUrl: 'http://a', labels: ['team=shop'], base: null, schema: null },
      { name: 'stock-next', routingUrl: 'http://a', labels: [], base: 'stock', schema: null },
    ],
    featureFlags: [
      {
        name: 'both',
        labels: ['team=shop'],
        featureSubgraphs: ['products-next', 'stock-next'],
        enabled: true,
      },
      { name: 'one', labels: ['team=shop'], featureSubgraphs: ['products-next'], enabled: false },
    ],
  }
  const asked = async (line: string, typed?: string) => {
    const written: string[] = []
    const run = await registryThat((request, response) => {
      const path = request.url ?? ''
      if (path.endsWith('/snapshot')) return reply(response, SNAPSHOT)
      if (path.endsWith('/v1/subgraphs/default')) {
        const subgraphs = SNAPSHOT.subgraphs.map((item) => ({
          ...item,
          namespace: 'default',
          published: item.schema !== null,
          schema: item.schema?.sha256 ?? null,
        }))
        return reply(response, { subgraphs })
      }
      written.push(`${request.method} ${path.split('?')[0]}`)
      reply(response, { ...DONE, message: 'Done.' })
    })
    const result = await run(line, { env: { NO_COLOR: '1' }, ...(typed === undefined ? {} : { typed }) })
    return { ...result, written }
  }

  it('names everything that a deletion takes along', async () => {
    const { stderr, written, exitCode } = await asked('subgraph delete products', 'y')
    expect(stderr.split('\n')).toEqual([
      '! deleted with it, feature subgraphs: products-next',
      '! feature flag "both" loses "products-next"',
      '! feature flag "one" loses "products-next" and is left empty: it composes nothing',
      '! composed anew without it: shop',
      'Delete subgraph "products" in namespace "default"? (y/N) ',
    ])
    expect({ exitCode, written }).toEqual({ exitCode: 0, written: ['DELETE /v1/subgraphs/default/products'] })
  })

  it.each([
    [
      'graph delete shop',
      /^! its routers keep serving its last composition until they are stopped\n! its subgraphs and feature flags stay\nDelete federated graph "shop" in namespace "default"\? \(y\/N\) $/,
    ],
    [
      'fs delete stock-next',
      /^! feature flag "both" loses "stock-next"\nDelete feature subgraph "stock-next"/,
    ],
    ['ff delete both', /^Delete feature flag "both" in namespace "default"\?/],
    [
      'namespace delete default',
      /federated graphs: other, shop\n.*subgraphs: products, stock\n.*feature subgraphs: products-next, stock-next\n.*feature flags: both, one\n.*\nDelete namespace "default" and everything in it\?/,
    ],
    [
      'config rollback shop --to 3',
      /routers serve that revision until "config release"[^]*\nRoll federated graph "shop" in namespace "default" back to revision 3\?/,
    ],
  ])('is asked before %s', async (line, question) => {
    const { stderr, written, exitCode } = await asked(line, 'YES')
    expect(stderr).toMatch(question)
    expect(exitCode).toBe(0)
    expect(written).toHaveLength(1)
  })

  it.each([['n'], [''], ['yy'], ['no, y'], [undefined]])(
    'that is answered with %j changes nothing',
    async (typed) => {
      const { stderr, written, exitCode, stdout } = await asked('graph delete shop', typed)
      expect({ written, exitCode, stdout }).toEqual({ written: [], exitCode: 1, stdout: '' })
      expect(stderr).toMatch(/\nerror: Not confirmed; nothing was changed\.\n$|error: Not confirmed/)
    },
  )

  it('is not asked with --force', async () => {
    const { stderr, written } = await asked('graph delete shop --force')
    expect({ stderr, written }).toEqual({ stderr: '', written: ['DELETE /v1/graphs/default/shop'] })
  })

  it.each([
    ['graph delete nobody', /There is no federated graph "nobody"/],
    ['subgraph delete nobody', /There is no subgraph "nobody"/],
    ['ff delete nobody', /There is no feature flag "nobody"/],
    ['fs delete nobody', /There is no feature subgraph "nobody"/],
    [
      'fs delete products',
      /"products" is a subgraph, not a feature subgraph; use "switchyard subgraph delete"/,
    ],
    [
      'fs delete products --force',
      /"products" is a subgraph, not a feature subgraph; use "switchyard subgraph delete"/,
    ],
  ])('is not asked about what is not there: %s', async (line, says) => {
    const { stderr, written, exitCode } = await asked(line, 'y')
    expect(stderr).toMatch(says)
    expect({ written, exitCode }).toEqual({ written: [], exitCode: 1 })
  })
})

describe('a table', () => {
  const terminal = (columns?: number) => ({ isTTY: true, columns, write: () => undefined })
  const plain = styleFor({ isTTY: false, write: () => undefined }, {})
  const table = {
    columns: ['name', 'url'],
    rows: [
      ['商店', 'http://a'],
      ['a', 'http://example.com/a/very/long/path/that/does/not/fit'],
      ['e\u0301👍🏽', 'x\ty\nz'],
    ],
    whenEmpty: 'none',
  }

  it('aligns wide characters, emoji and marks that combine', () => {
    expect(printTable(table, terminal(), plain).split('\n')).toEqual([
      'NAME  URL',
      '商店  http://a',
      'a     http://example.com/a/very/long/path/that/does/not/fit',
      'e\u0301👍🏽   x y z',
    ])
  })

  it('is cut to the terminal where it is wider, at its widest column', () => {
    const lines = printTable(table, terminal(30), plain).split('\n')
    expect(lines[2]).toBe('a     http://example.com/a/ve…')
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(30)
  })

  it('is never cut in a pipe, and a cell stays one cell', () => {
    expect(printTable(table, { ...terminal(10), isTTY: false }, plain)).toBe(
      '商店\thttp://a\na\thttp://example.com/a/very/long/path/that/does/not/fit\ne\u0301👍🏽\tx y z',
    )
  })

  it('says so when there is nothing, but not to programs', () => {
    const empty = { ...table, rows: [] }
    expect(printTable(empty, terminal(), plain)).toBe('none')
    expect(printTable(empty, { ...terminal(), isTTY: false }, plain)).toBe('')
  })
})

describe('colours', () => {
  const list = async (options: RunOptions) => {
    const run = await registryThat((_, response) => reply(response, { namespaces: [{ name: 'default' }] }))
    return (await run('namespace list', options)).stdout
  }
  it('are for terminals, and for those who did not ask for none', async () => {
    expect(await list({})).toContain('\u001b[2mNAME')
    expect(await list({ env: { NO_COLOR: '1' } })).toBe('NAME\ndefault\n')
    expect(await list({ env: { TERM: 'dumb' } })).toBe('NAME\ndefault\n')
    expect(await list({ terminal: false })).toBe('default\n')
  })
})
