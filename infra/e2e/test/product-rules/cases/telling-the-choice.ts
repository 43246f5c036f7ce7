import { waitFor } from '@switchyard/testkit'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePorts, Program, query, type ServiceProgram, variantOf } from '../../../src/index.ts'
import type { Case } from '../case.ts'

const H = 'X-Feature-Flag'

export const tellingTheChoice: readonly Case[] = [
  {
    rules: ['select.vary', 'select.not-in-errors', 'select.unknown'],
    it: 'errors say nothing of the flag that was asked for, and carry Vary too',
    async run({ system }) {
      const secret = 'no-such-flag-zq9'
      for (const url of system.routerUrls) {
        for (const text of ['{ nothing }', '{ products {', 'mutation { x }', '{ products { badge } }']) {
          const answer = await query(url, { [H]: secret, Cookie: `feature_flag=${secret}` }, text)
          expect(JSON.stringify(answer.body)).toContain('errors')
          expect(JSON.stringify([answer.body, ...answer.headers])).not.toContain(secret)
          expect(answer.headers.get('vary')).toBe('Accept, X-Feature-Flag, Cookie')
        }
        const malformed = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', [H]: secret },
          body: '{',
        })
        expect([malformed.status, malformed.headers.get('vary')]).toEqual([
          400,
          'Accept, X-Feature-Flag, Cookie',
        ])
        expect(await malformed.text()).not.toContain(secret)
      }
    },
  },
  {
    rules: ['select.logged'],
    it: 'the log says per request why a composition answered, and an unknown name in 100 characters at most',
    async run({ system }) {
      const long = `z${'y'.repeat(300)}`
      const asked = [
        [{}, { flagReason: 'none' }],
        [{ [H]: 'next' }, { flagReason: 'header', flag: 'next' }],
        [{ Cookie: 'feature_flag=next' }, { flagReason: 'cookie', flag: 'next' }],
        [{ [H]: long }, { flagReason: 'unknown', requestedFlag: long.slice(0, 100) }],
      ] as const
      for (const url of system.routerUrls) {
        for (const [headers, fields] of asked) {
          const traceId = randomBytes(16).toString('hex')
          await query(url, { ...headers, traceparent: `00-${traceId}-${'1'.repeat(16)}-01` })
          const line = await loggedRequest([...system.programs.values()], traceId)
          expect(line).toMatchObject(fields)
        }
      }
    },
  },
  {
    rules: ['select.not-served', 'select.logged', 'select.not-in-errors'],
    it: 'a flag whose composition cannot be built answers base, is in no error, and is logged as not served',
    async run({ served, system, cli }) {
      await served.waitForState('next', 'shop', 'served')
      await cli(0, 'config', 'fetch', 'shop', '--out', 'broken-flag.json')
      const file = join(system.folder, 'broken-flag.json')
      const config = JSON.parse(await readFile(file, 'utf8')) as {
        base: object
        featureFlags: Record<string, object>
      }
      config.featureFlags['broken'] = { ...config.base, supergraphSdl: 'type Query { a: String @unknown(' }
      await writeFile(file, JSON.stringify(config))
      await using router = await startRouter(system.folder, 'broken-flag.json')
      const answered = async (headers: Readonly<Record<string, string>>, text?: string) => {
        const traceId = randomBytes(16).toString('hex')
        const answer = await query(
          router.url,
          { ...headers, traceparent: `00-${traceId}-${'1'.repeat(16)}-01` },
          text,
        )
        return { answer, line: await loggedRequest([router.program], traceId) }
      }
      const broken = await answered({ [H]: 'broken' })
      expect(variantOf(broken.answer)).toBe('base')
      expect(broken.answer.headers.get('x-feature-flag')).toBeNull()
      expect(broken.line).toMatchObject({ flagReason: 'not-served', requestedFlag: 'broken', flag: null })
      const failed = await answered({ Cookie: 'feature_flag=broken' }, '{ nothing }')
      expect(failed.line).toMatchObject({ flagReason: 'not-served' })
      expect(JSON.stringify(failed.answer.body)).toContain('errors')
      expect(JSON.stringify(failed.answer.body)).not.toMatch(/broken|not-served/)
      expect((await answered({ [H]: 'next' })).line).toMatchObject({ flagReason: 'header', flag: 'next' })
    },
  },
  {
    rules: ['select.introspection'],
    it: 'introspection and validation see the schema of the chosen composition',
    async run({ system }) {
      const text = '{ __type(name: "Product") { fields { name } } }'
      for (const url of system.routerUrls) {
        expect(JSON.stringify((await query(url, { [H]: 'next' }, text)).body)).toContain('"badge"')
        expect(JSON.stringify((await query(url, {}, text)).body)).not.toContain('"badge"')
        const answered = await query(url, { Cookie: 'feature_flag=next' }, '{ products { badge } }')
        expect(answered.body).toMatchObject({
          data: { products: [{ badge: 'new' }, { badge: 'new' }, { badge: 'new' }] },
        })
        const refused = await query(url, {}, '{ products { badge } }')
        expect(refused.body).toMatchObject({ errors: [{ message: expect.stringContaining('badge') }] })
      }
    },
  },
  {
    rules: ['select.cookie-off', 'select.header'],
    it: 'a router with flags.cookie: false takes the header only, and its Vary names no Cookie',
    async run({ shop, file, cli, system }) {
      await file('catalogue.graphql', shop.catalogue.sdl)
      await file('stock.graphql', shop.stock.sdl)
      await file('catalogue-next.graphql', shop.catalogueNext.sdl)
      await file('stock-next.graphql', shop.stockNext.sdl)
      await file(
        'no-cookie-graph.yaml',
        `version: 1
subgraphs:
  - { name: catalogue, routing_url: ${shop.catalogue.url}, schema: { file: catalogue.graphql } }
  - { name: stock, routing_url: ${shop.stock.url}, schema: { file: stock.graphql } }
feature_flags:
  - name: next
    feature_graphs:
      - { name: c, subgraph_name: catalogue, routing_url: ${shop.catalogueNext.url}, schema: { file: catalogue-next.graphql } }
      - { name: s, subgraph_name: stock, routing_url: ${shop.stockNext.url}, schema: { file: stock-next.graphql } }
`,
      )
      await file('no-cookie.yaml', 'flags:\n  cookie: false\n')
      await cli(0, 'router', 'compose', '--input', 'no-cookie-graph.yaml', '--out', 'no-cookie.json')
      await using router = await startRouter(system.folder, 'no-cookie.json', 'no-cookie.yaml')
      const { url } = router
      const text = '{ products { nameVariant stockVariant } }'
      expect(variantOf(await query(url, {}, text))).toBe('base')
      const byCookie = await query(url, { Cookie: 'feature_flag=next' }, text)
      expect(variantOf(byCookie)).toBe('base')
      expect(byCookie.headers.get('vary')).toBe('Accept, X-Feature-Flag')
      expect(variantOf(await query(url, { [H]: 'next' }, text))).toBe('next')
      expect(variantOf(await query(url, { [H]: '', Cookie: 'feature_flag=next' }, text))).toBe('base')
    },
  },
]

type StartedRouter = AsyncDisposable & { readonly program: Program; readonly url: string }

/** From a file alone, until it serves. */
async function startRouter(folder: string, config: string, settings?: string): Promise<StartedRouter> {
  const [port = 0] = await freePorts(1)
  const program = new Program(
    'router',
    'services/cli/src/main.ts',
    [
      'router',
      'start',
      '--execution-config',
      join(folder, config),
      '--port',
      String(port),
      ...(settings === undefined ? [] : ['--config', join(folder, settings)]),
    ],
    {},
  )
  const url = `http://127.0.0.1:${port}`
  try {
    await waitFor('the router to serve', async () => {
      if (!program.running) throw new Error(program.output)
      return (await fetch(`${url}/health/ready`)).status === 200
    })
  } catch (error) {
    await program.stop()
    throw error
  }
  return { program, url, [Symbol.asyncDispose]: () => program.stop() }
}

async function loggedRequest(programs: readonly ServiceProgram[], traceId: string): Promise<unknown> {
  const line = await waitFor('the request in the log', () =>
    programs
      .flatMap((program) => program.output.split('\n'))
      .find((text) => text.includes('request.answered') && text.includes(traceId)),
  )
  return JSON.parse(line)
}
