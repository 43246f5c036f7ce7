/** The demo as a process, on ports that the system chooses. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isFullRun, isLongRun } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PRODUCTS } from '../src/shop-data.ts'
import { DemoError, PORT_NAMES, portVariable, readSettings } from '../src/settings.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const SWITCHYARD = fileURLToPath(new URL('../../../services/cli/src/main.ts', import.meta.url))
const FREE_PORTS = Object.fromEntries(PORT_NAMES.map((name) => [portVariable(name), '0']))

/** The prices of products that are ordered one after the other, as pairs. */
const PAIRS = PRODUCTS.map(({ price }, index) => [price, PRODUCTS[(index + 1) % PRODUCTS.length]?.price ?? 0])

type Ended = { readonly code: number | null; readonly output: string }

function startDemo(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env: { ...process.env, ...FREE_PORTS, ...env },
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  let output = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const check of waiting) check()
    })
  }
  const ended = once(child, 'close').then((): Ended => ({ code: child.exitCode, output }))
  return {
    ended,
    stop: () => child.kill('SIGINT'),
    output: () => output,
    says: (text: string) => {
      const said = new Promise<void>((resolve) => {
        const check = () => void (output.includes(text) && resolve())
        waiting.add(check)
        check()
      })
      const gone = ended.then((result) => {
        throw new Error(`The demo ended with ${result.code} before it said "${text}":\n${result.output}`)
      })
      return Promise.race([said, gone])
    },
  }
}

async function runSwitchyard(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SWITCHYARD, ...args])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  return { code: child.exitCode, output }
}

/** The first operation of docs/defer.md, and the answer that the page shows. */
function exampleOfTheDocs(): { readonly query: string; readonly answer: string } {
  const page = readFileSync(new URL('../../../docs/defer.md', import.meta.url), 'utf8')
  const query = /^```graphql\n([^]*?)^```$/m.exec(page)?.[1]
  const answer = /^```\nHTTP\/1\.1 200 OK\n[^]*?\n\n([^]*?)^```$/m.exec(page)?.[1]
  if (query === undefined || answer === undefined) throw new Error('docs/defer.md shows no example.')
  return { query, answer }
}

async function takePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

/** What the demo says once the shop is there. */
function expectVerified(output: string): void {
  expect(output).toContain('verified: no flag is answered by the base graph')
  expect(output).toContain('verified: flag in the header is answered by the flag graph')
  expect(output).toContain('verified: flag in the cookie is answered by the flag graph')
  expect(output).toContain('verified: unknown flag is answered by the base graph')
  expect(output).toContain('verified: a subscription gets an event of one subgraph, completed by another')
  expect(output).toContain('verified: a request is traced, and its trace becomes a page')
  expect(output).toMatch(/The demo serves http:\/\/127\.0\.0\.1:\d+\/graphql after [\d.]+ s/)
}

/** Ports that are taken, each of which is a process that ends. */
const TAKEN = (['router', 'registry', 'products', 'products-next'] as const).slice(0, isLongRun() ? 4 : 1)

describe('the demo', () => {
  // The shop is set up in the same way as by the next one.
  if (isFullRun()) {
    it('sets a shop up by commands, verifies every way to ask, and ends', async () => {
      const { code, output } = await startDemo(['--check'], {}).ended
      expectVerified(output)
      expect(code).toBe(0)
    })
  }

  it('keeps running with what to try, until it is interrupted', async () => {
    const demo = startDemo([], {})
    await demo.says('Ctrl-C stops everything.')
    expectVerified(demo.output())
    const [, studio = '', secret] = /^ {2}(http\S+\/studio)#t=(\S+)$/m.exec(demo.output()) ?? []
    const session = await fetch(new URL('/v1/session', studio), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ link: secret }),
    })
    expect(session.ok, await session.text()).toBe(true)
    const [, doctor = ''] = /^ {2}switchyard (defer doctor \S+)/m.exec(demo.output()) ?? []
    const examined = await runSwitchyard(doctor.split(' '))
    expect(examined.output).toContain('Deferred answers arrive here as the router writes them.')
    const subscriptions = [
      ...demo.output().matchAll(/^ {2}switchyard subscribe (\S+) '(.+)'(?: --flag (\S+))?$/gm),
    ]
    const prices = await Promise.all(
      subscriptions.map(async ([, url = '', document = '', flag]) => {
        const words = ['subscribe', url, document, '--count', '2', '--json']
        const run = await runSwitchyard(flag === undefined ? words : [...words, '--flag', flag])
        return [...run.output.matchAll(/"price":(\d+)/g)].map(([, price]) => Number(price))
      }),
    )
    // Both share a subscription at the subgraph: one of them may begin with a later event.
    expect(PAIRS).toContainEqual(prices[0])
    expect(PAIRS.map((pair) => pair.map((price) => Math.round(price * 0.9)))).toContainEqual(prices[1])
    const [, url = ''] = /^router +(\S+)$/m.exec(demo.output()) ?? []
    const { query, answer } = exampleOfTheDocs()
    const deferred = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
      body: JSON.stringify({ query }),
    })
    expect((await deferred.text()).replaceAll('\r\n', '\n')).toBe(answer)
    const [, file = '', page = ''] = /trace open (\S+) --out (\S+)/.exec(demo.output()) ?? []
    const [, asked = '{}'] = new RegExp(`-d '(.*)' -o ${file}`).exec(demo.output()) ?? []
    const traced = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed', 'x-vendor-trace': 'true' },
      body: asked,
    })
    await writeFile(file, await traced.text())
    await rm(page)
    expect(await runSwitchyard(['trace', 'open', file, '--out', page])).toMatchObject({ code: 0 })
    const shown = readFileSync(page, 'utf8')
    for (const part of ['"source_name":"reviews"', '"defer_id":"1"']) expect(shown).toContain(part)
    // There is no terminal here, so nothing is opened.
    expect(demo.output()).toMatch(
      /^What the router did for a request, as a page for a browser: \/\S+trace\.html$/m,
    )
    demo.stop()
    const { code, output } = await demo.ended
    expect(output).toMatch(/switchyard router trace-token shop .*--data-dir \S+/)
    expect(output).toMatch(/curl -s http:\/\/127\.0\.0\.1:\d+\/graphql .*-H 'X-Feature-Flag: new-pricing'/)
    expect(output).toContain('switchyard router verify --execution-config')
    expect(output).toMatch(
      /curl -sN http:\/\/127\.0\.0\.1:\d+\/graphql .*-H 'Accept: multipart\/mixed' .*@defer/,
    )
    expect(output).toMatch(/switchyard feature-flag disable new-pricing --data-dir \S+/)
    expect(code).toBe(0)
  })

  it.each(TAKEN)('says which port is taken and how to move it: %s', async (name) => {
    const port = await takePort()
    const { code, output } = await startDemo(['--check'], { [portVariable(name)]: port }).ended
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port}`)
    expect(output).toContain(`${portVariable(name)}=<port>`)
  })

  it('refuses options and ports that it does not know', async () => {
    expect(await startDemo(['--chek'], {}).ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('does not know --chek'),
    })
    // Of what is refused for its variables, as for its options, the process says the message and exits 1.
    expect(() => readSettings(['--check'], { SWITCHYARD_DEMO_ROUTER_PORT: '4000x' })).toThrow(
      new DemoError(
        'SWITCHYARD_DEMO_ROUTER_PORT is "4000x"; a port from 0 to 65535 was expected (0 = any free one).',
      ),
    )
  })
})
