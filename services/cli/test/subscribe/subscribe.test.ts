/** `switchyard subscribe` from outside, at a real router. */
import { startTcpProxy } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { createFolder } from '../workspace.ts'
import { type EventRouter, startEventRouter } from './event-router.ts'
import { startSubscribe } from './subscribe-process.ts'

const TICKS = 'subscription { ticks { number } }'
const TIME = /^\d\d:\d\d:\d\d\.\d{3} {2}/

let router: EventRouter
beforeAll(async () => {
  router = await startEventRouter()
})
afterAll(() => router[Symbol.asyncDispose]())

function tick(number: number, text = 'x'): { readonly number: number; readonly text: string } {
  return { number, text }
}

describe.each(['sse', 'ws', 'multipart'])('subscribe --protocol %s', (protocol) => {
  it('prints each event with its time as it comes, and ends when the source completes', async () => {
    const running = startSubscribe([router.url, TICKS, '--protocol', protocol])
    await router.subscribed(1)
    router.send(tick(1))
    await running.printed(1)
    router.send(tick(2))
    await running.printed(2)
    router.send(null)
    expect(await running.end).toBe(0)
    expect(running.lines.every((line) => TIME.test(line))).toBe(true)
    expect(running.lines.map((line) => line.replace(TIME, ''))).toEqual([
      '{"ticks":{"number":1}}',
      '{"ticks":{"number":2}}',
    ])
    expect(running.stderr).toMatch(
      /^(?:Subscribed|Connected) to http:\S+ \(.+\)\. Ctrl-C ends it\.\nThe server has completed the subscription\.\n$/,
    )
  })

  it('ends after --count events and leaves nothing open, with a line of JSON for each', async () => {
    const running = startSubscribe([router.url, TICKS, '--protocol', protocol, '--count', '2', '--json'])
    await router.subscribed(1)
    for (const number of [1, 2, 3]) router.send(tick(number))
    expect(await running.end).toBe(0)
    expect(running.lines.map((line) => JSON.parse(line))).toEqual([
      { data: { ticks: { number: 1 } } },
      { data: { ticks: { number: 2 } } },
    ])
    await router.subscribed(0)
  })

  it('ends with code 0 at Ctrl-C, without an event and with one', async () => {
    const running = startSubscribe([router.url, TICKS, '--protocol', protocol])
    await running.told('Ctrl-C ends it.')
    running.interrupt()
    expect(await running.end).toBe(0)
    expect(running.stdout).toBe('')
    expect(running.stderr.split('\n')).toHaveLength(2)
    await router.subscribed(0)
  })

  it('ends with code 1 and the reason at a document that is not valid', async () => {
    const running = startSubscribe([router.url, 'subscription { tocks }', '--protocol', protocol])
    expect(await running.end).toBe(1)
    expect(running.stdout).toBe('')
    expect(running.stderr).toContain('error: The server ')
    expect(running.stderr).toContain('Cannot query field "tocks" on type "Subscription".')
  })

  it('subscribes again when the connection is lost, and says so', async () => {
    await using network = await startTcpProxy({ host: '127.0.0.1', port: router.port })
    const url = `http://127.0.0.1:${network.port}/graphql`
    const running = startSubscribe([url, TICKS, '--protocol', protocol])
    await router.subscribed(1)
    router.send(tick(1))
    await running.printed(1)
    network.cut()
    await running.told('Subscribing again in 1 s.')
    network.pass()
    await running.told('Subscribed again. Events in between are missing.')
    await router.subscribed(1)
    router.send(tick(2))
    await running.printed(2)
    running.interrupt()
    expect(await running.end).toBe(0)
  })

  it('ends with code 3 where nothing listens, and when --reconnect is over', async () => {
    await using network = await startTcpProxy({ host: '127.0.0.1', port: router.port })
    const url = `http://127.0.0.1:${network.port}/graphql`
    const words = [url, TICKS, '--protocol', protocol]
    const running = startSubscribe([...words, '--reconnect', '0'])
    await running.told('Ctrl-C ends it.')
    network.cut()
    expect(await running.end).toBe(3)
    expect(running.stderr).toMatch(/\nerror: .+\n$/)
    const nobody = startSubscribe(words)
    expect({ code: await nobody.end, stderr: nobody.stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^error: \S+ cannot be reached: .+\n$/),
    })
  })

  it('sends a query or a mutation once, and prints its answer', async () => {
    const query = startSubscribe([router.url, '{ now }', '--protocol', protocol, '--json'])
    expect(await query.end).toBe(0)
    expect(query.lines.map((line) => JSON.parse(line))).toEqual([{ data: { now: 7 } }])
    const before = router.written.length
    const mutation = startSubscribe([router.url, 'mutation { set(to: 3) }', '--protocol', protocol])
    expect(await mutation.end).toBe(0)
    expect(router.written.slice(before)).toEqual([3])
  })
})

describe('subscribe', () => {
  it('reads the document and variables from files, and from standard input', async () => {
    const document = 'query Now { now } subscription Ticks($from: Int) { ticks(from: $from) { number } }'
    const cwd = await createFolder({ 'ticks.graphql': document, 'variables.json': '{"from": 1}' })
    const words = ['--variables', '@variables.json', '--operation-name', 'Ticks', '--count', '1']
    const byFile = startSubscribe([router.url, '@ticks.graphql', ...words], { cwd })
    const byInput = startSubscribe([router.url, '-', ...words], { cwd, input: document })
    await Promise.all([byFile.told('Subscribed to'), byInput.told('Subscribed to')])
    await router.begun(1)
    router.send(tick(1))
    expect([await byFile.end, await byInput.end]).toEqual([0, 0])
    expect(byFile.stdout).toContain('{"ticks":{"number":1}}')
  })

  it('ends when nobody reads its output', async () => {
    const running = startSubscribe([router.url, TICKS])
    await router.subscribed(1)
    running.stopReading()
    const sending = setInterval(() => router.send(tick(1)), 10)
    expect(await running.end).toBe(0)
    clearInterval(sending)
  })

  it('says which setting is missing at a router that serves no subscriptions', async () => {
    await using silent = await startEventRouter('enabled: false')
    for (const protocol of ['sse', 'ws', 'multipart']) {
      const running = startSubscribe([silent.url, TICKS, '--protocol', protocol])
      expect(await running.end, protocol).toBe(1)
      expect(running.stderr, protocol).toContain('subscriptions: { enabled: true }')
    }
  })

  it.each([
    ['no document', ['http://a/graphql'], 'a URL and a document'],
    ['a document without quotes', ['http://a/graphql', 'subscription', '{', 'a', '}'], 'in quotes'],
    ['a document that is no GraphQL', ['http://a/graphql', 'subscription {'], 'Syntax Error'],
    ['another protocol', ['http://a/graphql', TICKS, '--protocol', 'http'], 'sse, ws, multipart'],
    ['another scheme', ['ftp://a/graphql', TICKS], 'http, https, ws or wss'],
    ['several operations', ['http://a/graphql', 'query A { a } query B { b }'], 'A, B'],
    ['a name that is not there', ['http://a/graphql', 'query A { a }', '--operation-name', 'B'], 'it has A'],
    [
      'connection_init without WebSocket',
      ['http://a/graphql', TICKS, '--connection-init', '{}'],
      'WebSockets',
    ],
  ])('refuses %s', async (_what, words, reason) => {
    const run = await runCommand(['subscribe', ...words])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toContain(reason)
  })
})
