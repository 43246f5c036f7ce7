/** The switch that makes a subgraph of the demo fail, and the customers who notice. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { positionAskedFor } from '../src/failing.ts'
import { portVariable } from '../src/settings.ts'
import { startSubgraph } from '../src/subgraphs.ts'

const file = (name: string) => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))

function run(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [file(name), ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }))
  return { ended, output: () => output, stop: () => child.kill('SIGINT') }
}

describe('a subgraph of the demo', () => {
  it('fails after the command that makes it fail, and answers again after the one that mends it', async () => {
    const { port, url, ...server } = await startSubgraph('products-next', '127.0.0.1', 0)
    onTestFinished(() => server[Symbol.asyncDispose]())
    const env = { [portVariable('products-next')]: String(port) }
    const turn = (position: string) => run('switch-subgraph', ['products-next', position], env).ended
    const ask = async () => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { method: 'POST', headers, body: '{"query":"{ __typename }"}' })).status
    }
    expect(await ask()).toBe(200)
    expect(await turn('fail')).toEqual({
      code: 0,
      output: 'The subgraph products-next answers every request with status 500 from now on.\n',
    })
    expect(await ask()).toBe(500)
    expect(await turn('mend')).toEqual({ code: 0, output: 'The subgraph products-next answers again.\n' })
    expect(await ask()).toBe(200)
  })

  it('is switched by its own machine alone', () => {
    const from = (remoteAddress: string, method = 'POST') =>
      positionAskedFor({ method, url: '/fail', socket: { remoteAddress } } as unknown as IncomingMessage)
    expect(from('127.0.0.1')).toBe('fail')
    expect(from('::ffff:127.0.0.1')).toBe('fail')
    expect(from('::1')).toBe('fail')
    expect(from('172.30.77.4')).toBeNull()
    expect(from('::ffff:172.30.77.4')).toBeNull()
    expect(from('127.0.0.1', 'GET')).toBeNull()
  })

  it('is named in a command, or the command says which ones there are', async () => {
    const { code, output } = await run('switch-subgraph', ['prices', 'fail']).ended
    expect([code, output]).toEqual([
      1,
      'demo: "prices fail" was given; expected one of products, inventory, reviews, accounts, products-next, and "fail" or "mend".\n',
    ])
  })
})

describe('the customers of the demo', () => {
  it('tell why they got no answer, until they are stopped', async () => {
    const { url, ...server } = await startSubgraph('products', '127.0.0.1', 0)
    onTestFinished(() => server[Symbol.asyncDispose]())
    const customers = run('customers', [url], { CUSTOMERS_RATE: '20' })
    // This subgraph alone does not know the field that another one of the graph has.
    await waitFor('a report', () => /^ +\d+ s: .*$/m.exec(customers.output()))
    expect(customers.output()).toMatch(
      /^ +\d+ s: \d+ a second: 0 % got the flag new-pricing, 0 % base, 100 % failed \(\d+ an error without a code\)$/m,
    )
    customers.stop()
    expect((await customers.ended).code).toBe(0)
  })
})
