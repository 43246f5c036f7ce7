/** `subgraph introspect`, against endpoints of every kind. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSchema, graphqlSync } from 'graphql'
import { describe, expect, it } from 'vitest'
import { runCommand, type RunOptions } from '../run-command.ts'
import { createFolder } from '../workspace.ts'
import { startSubgraph, type SubgraphAnswer } from './subgraph.ts'

const SDL = 'type Query {\n  product: Product\n}\n\ntype Product @key(fields: "id") {\n  id: ID!\n}\n'
const PLAIN = 'type Query {\n  "A greeting."\n  hello(name: String = "you"): String\n}\n'

/** What a server of this schema answers. */
function serverOf(sdl: string): (query: string) => SubgraphAnswer {
  const schema = buildSchema(sdl)
  return (source) => graphqlSync({ schema, source })
}

function introspect(url: string, args: readonly string[] = [], options: RunOptions = {}) {
  return runCommand(['subgraph', 'introspect', url, ...args], options)
}

describe('subgraph introspect', () => {
  it('prints what a federation subgraph says of itself, and nothing else', async () => {
    await using subgraph = await startSubgraph(() => ({ data: { _service: { sdl: SDL } } }))
    expect(await introspect(subgraph.url)).toMatchObject({ exitCode: 0, stdout: SDL, stderr: '' })
    expect(subgraph.requests.map(({ query }) => query)).toEqual([expect.stringContaining('_service { sdl }')])
  })

  it('sends the headers it is given, and writes the schema to a file', async () => {
    await using subgraph = await startSubgraph(() => ({ data: { _service: { sdl: SDL } } }))
    const cwd = await createFolder({})
    const args = ['--header', 'Authorization: Bearer abc', 'x-team: shop', '--out', 'a.graphql', '--json']
    const run = await introspect(subgraph.url, args, { cwd })
    expect(run.json()).toMatchObject({ ok: true, result: { source: 'service', sdl: SDL, out: 'a.graphql' } })
    expect(await readFile(join(cwd, 'a.graphql'), 'utf8')).toBe(SDL)
    expect(subgraph.requests[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'shop' })
  })

  it('reads a server that is no federation subgraph by introspection, and says what that leaves out', async () => {
    await using subgraph = await startSubgraph(serverOf(PLAIN))
    const run = await introspect(subgraph.url)
    expect(run).toMatchObject({ exitCode: 0, stdout: PLAIN.replace('"A greeting."', '"""A greeting."""') })
    expect(run.stderr).toMatch(/^warning: \S+ has no field "_service", so its schema is from introspection/)
  })

  it('does not take introspection for the schema of a subgraph that keeps its SDL to itself', async () => {
    const server = serverOf('type Query { a: Int _service: _Service! } type _Service { sdl: String }')
    await using subgraph = await startSubgraph((query) =>
      query.includes('__schema') ? server(query) : { data: null, errors: [{ message: 'not for you' }] },
    )
    expect(await introspect(subgraph.url)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${subgraph.url} is a federation subgraph and did not say its SDL.\n  not for you\n`,
    })
  })

  it.each<{ readonly what: string; readonly answer: SubgraphAnswer; readonly says: RegExp }>([
    {
      what: 'a server that tells nothing',
      answer: { errors: [{ message: 'introspection is off' }] },
      says: /says neither its SDL nor answers introspection\.\n {2}introspection is off\n$/,
    },
    {
      what: 'a web page',
      answer: { status: 200, text: '<html>' },
      says: /answered HTTP 200 without a GraphQL response\.\n$/,
    },
    {
      what: 'a redirection',
      answer: { status: 308, headers: { location: 'https://a.example/graphql' }, text: '' },
      says: /answered HTTP 308, which leads to https:\/\/a\.example\/graphql: name that URL\.\n$/,
    },
    {
      what: 'an empty SDL and an introspection that is none',
      answer: { data: { _service: { sdl: ' ' }, __schema: { queryType: { name: 'Q' }, types: [] } } },
      says: /answers introspection with something that is no schema\.\n/,
    },
    {
      what: 'an answer without an end',
      answer: { status: 200, text: 'x'.repeat(64 * 1024 * 1024 + 1) },
      says: /answered more than 64 MiB\.\n$/,
    },
  ])('exits 1 and says what answers: $what', async ({ answer, says }) => {
    await using subgraph = await startSubgraph(() => answer)
    const run = await introspect(subgraph.url)
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
    expect(run.stderr).toMatch(says)
  })

  it('shows a schema at a terminal without what that would carry out, and hands it on as it is', async () => {
    const sdl = `# \u001b]52;c;cm0gLXJm\u0007\u009b2J \u202etxt\u2066 \u200f\u2028\r\n${SDL}`
    await using subgraph = await startSubgraph(() => ({ data: { _service: { sdl } } }))
    expect((await introspect(subgraph.url)).stdout).toBe(sdl)
    const shown = await introspect(subgraph.url, [], { terminal: true })
    expect(shown.stdout).toBe(`# ]52;c;cm0gLXJm2J txt  \n${SDL}`)
    for (const terminal of [true, false]) {
      const run = await introspect(subgraph.url, ['--json'], { terminal })
      expect(run.json()).toMatchObject({ result: { sdl } })
      // oxlint-disable-next-line no-control-regex -- these are what it is about
      expect(run.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200f\u2028\u202e\u2066]/)
    }
  })

  it('shows an error of the subgraph on one line', async () => {
    const message = 'off\nerror: forged\u2028\u001b[31m\r\nagain'
    await using subgraph = await startSubgraph(() => ({ errors: [{ message }] }))
    const run = await introspect(subgraph.url, [], { terminal: true })
    expect(run.stderr.split('\n').slice(1)).toEqual(['  off error: forged [31m again', ''])
  })

  it('exits 3 when nothing answers, or not in time', async () => {
    const nobody = await introspect('http://127.0.0.1:1/graphql')
    expect(nobody).toMatchObject({
      exitCode: 3,
      stderr: 'error: Nothing answers at http://127.0.0.1:1/graphql: nothing is listening there.\n',
    })
    await using silent = await startSubgraph(() => ({ status: 0, text: '' }))
    expect(await introspect(silent.url, ['--timeout', '1'])).toMatchObject({
      exitCode: 3,
      stderr: `error: ${silent.url} did not answer within 1 s.\n`,
    })
  })

  it('exits 2 on what is no endpoint, and on headers that are its own', async () => {
    for (const args of [['ftp://a'], ['http://a', '--header', 'content-type: text/plain']]) {
      expect(await runCommand(['subgraph', 'introspect', ...args])).toMatchObject({ exitCode: 2 })
    }
  })
})
