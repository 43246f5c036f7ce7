/** What `switchyard subscribe` makes of servers that are no routers, or that mean harm. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { runCommand, type RunOptions } from '../run-command.ts'
import { runCli } from '../../src/cli.ts'
import { fakeServer } from './fake-server.ts'
import { startSubscribe } from './subscribe-process.ts'

const TICKS = 'subscription { ticks }'
const STREAM = { 'content-type': 'text/event-stream' }
const MULTIPART = { 'content-type': 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0' }
const COMPLETE = 'event: complete\ndata:\n\n'

function next(result: object): string {
  return `event: next\ndata: ${JSON.stringify(result)}\n\n`
}

/** Subscribes by server-sent events at a server whose stream has these bytes. */
async function ofStream(text: string, words: readonly string[] = [], options: RunOptions = {}) {
  const { url } = await fakeServer({ http: (response) => response.writeHead(200, STREAM).end(text) })
  return runCommand(['subscribe', url, TICKS, '--reconnect', '0', ...words], options)
}

describe('an event', () => {
  const lines = async (result: object, options?: RunOptions) =>
    (await ofStream(next(result) + COMPLETE, [], options)).stdout
      .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, '<time>')
      .split('\n')
      .slice(0, -1)

  it('is one line, with its errors and other extensions below', async () => {
    const errors = [{ message: 'no price', path: ['ticks', 0, 'price'], extensions: { code: 'GONE' } }]
    expect(await lines({ data: { ticks: 1 }, errors, extensions: { cost: 2 } })).toEqual([
      '<time>  {"ticks":1}',
      '        error: ticks.0.price: no price. (GONE)'.padStart(52),
      `${' '.repeat(14)}extensions: {"cost":2}`,
    ])
  })

  it.each([
    [3, '3 events before this one were dropped: they came faster than they were read.'],
    [1, '1 event before this one was dropped: they came faster than they were read.'],
    ['unknown', 'Events before this one may be missing: their source was lost for a while.'],
  ])('says first that events are missing before it: %s', async (missed, sentence) => {
    expect(await lines({ data: { ticks: 1 }, extensions: { missed } })).toEqual([
      `<time>  ${sentence}`,
      '<time>  {"ticks":1}',
    ])
  })

  it('is printed over several lines on a terminal that is narrower', async () => {
    const shown = await lines(
      { data: { ticks: 'x'.repeat(60) } },
      { terminal: true, columns: 70, env: { NO_COLOR: '1' } },
    )
    expect(shown).toEqual(['<time>', '  {', `    "ticks": "${'x'.repeat(60)}"`, '  }'])
  })

  it.each([true, false])('has nothing that a terminal acts on (terminal: %s)', async (terminal) => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\u001b[31m'
    const errors = [{ message: evil, path: [evil], extensions: { code: evil } }]
    const result = { data: { [evil]: evil }, errors, extensions: { [evil]: evil } }
    const run = await ofStream(next(result) + COMPLETE, [], { terminal, env: { NO_COLOR: '1' } })
    const json = await ofStream(next(result) + COMPLETE, ['--json'], { terminal })
    for (const { stdout, exitCode } of [run, json]) {
      expect(exitCode).toBe(0)
      // oxlint-disable-next-line no-control-regex -- this is what must not be there
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
    expect(JSON.parse(json.stdout)).toEqual(result)
  })

  it('has the numbers that were sent, whatever their size', async () => {
    const numbers = '{"id":12345678901234567890,"sum":0.12345678901234567890,"few":1e3,"plain":1.5}'
    const socketNext = (id: string) => `{"type":"next","id":"${id}","payload":{"data":${numbers}}}`
    for (const protocol of ['sse', 'multipart', 'ws']) {
      const { url } = await fakeServer({
        http: (response) =>
          protocol === 'sse'
            ? response.writeHead(200, STREAM).end(`data: {"data":${numbers}}\n\n${COMPLETE}`)
            : response
                .writeHead(200, MULTIPART)
                .end(`--graphql\r\n\r\n{"payload":{"data":${numbers}}}\r\n--graphql--`),
        socket: (socket, id) => {
          socket.send(socketNext(id))
          socket.send(JSON.stringify({ type: 'complete', id }))
        },
      })
      const run = await runCommand(['subscribe', url, TICKS, '--protocol', protocol, '--json'])
      expect(run.stdout, protocol).toBe(`{"data":${numbers}}\n`)
    }
  })

  it('may have errors alone, and others follow it', async () => {
    const { url } = await fakeServer({
      http: (response) => {
        response.writeHead(200, STREAM).write(next({ errors: [{ message: 'this one failed' }] }))
        // Longer than the end would take that belongs to a refusal.
        setTimeout(() => response.end(next({ data: { ticks: 2 } }) + COMPLETE), 600)
      },
    })
    const run = await runCommand(['subscribe', url, TICKS])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('error: this one failed.')
    expect(run.stdout).toContain('{"ticks":2}')
  })
})

describe('a refusal', () => {
  it('on an event stream is the reason of the end', async () => {
    const refused = { errors: [{ message: 'No such field.', extensions: { code: 'INVALID' } }] }
    const run = await ofStream(next(refused) + COMPLETE, ['--json'])
    expect(run).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('error: The server ended the subscription. No such field. (INVALID)\n'),
    })
  })

  it.each([
    [401, '{"errors":[{"message":"No token."}]}', 1, 'Send a token with --header'],
    [406, 'not acceptable', 1, 'Choose another --protocol'],
    [404, 'nothing here', 1, 'Is the path right?'],
    [200, '<html>welcome</html>', 1, 'Is this the URL of a GraphQL server'],
    [503, '{"errors":[{"message":"Stopping.","extensions":{"code":"DRAINING"}}]}', 3, 'Stopping. (DRAINING)'],
  ])('by status %i is told with what to do', async (status, body, exitCode, advice) => {
    const { url } = await fakeServer({ http: (response) => response.writeHead(status).end(body) })
    for (const protocol of ['sse', 'multipart']) {
      const run = await runCommand(['subscribe', url, TICKS, '--protocol', protocol])
      expect(run).toMatchObject({ exitCode, stdout: '' })
      expect(run.stderr).toContain(advice)
    }
  })

  it('by a redirection names the other URL', async () => {
    const { url } = await fakeServer({
      http: (response) => response.writeHead(308, { location: 'https://b.example/graphql' }).end(),
    })
    expect(await runCommand(['subscribe', url, TICKS])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('It is at https://b.example/graphql: name that URL.'),
    })
  })

  it.each([
    [4403, 'Send a token', 1],
    [4400, 'closed the WebSocket with 4400', 1],
    [1013, 'closed the WebSocket with 1013 (why)', 3],
  ])('of a WebSocket by code %i is told', async (code, text, exitCode) => {
    const { url } = await fakeServer({ init: (socket) => socket.close(code, 'why') })
    const run = await runCommand(['subscribe', url, TICKS, '--protocol', 'ws'])
    expect(run).toMatchObject({ exitCode, stdout: '' })
    expect(run.stderr).toContain(text)
  })
})

describe('an end after which clients subscribe again', () => {
  const errors = [{ message: 'This router is stopping.', extensions: { code: 'DRAINING' } }]

  it.each(['sse', 'multipart', 'ws'])('is told, and the subscription goes on (%s)', async (protocol) => {
    const result = { data: { ticks: 7 } }
    let turn = 0
    const { url } = await fakeServer({
      http: (response) => {
        const isFirst = turn++ === 0
        const sse = isFirst ? next({ errors }) : next(result)
        const part = isFirst ? { payload: null, errors } : { payload: result }
        if (protocol === 'sse') response.writeHead(200, STREAM).end(sse + COMPLETE)
        else response.writeHead(200, MULTIPART).end(`--graphql\r\n\r\n${JSON.stringify(part)}\r\n--graphql--`)
      },
      socket: (socket, id) => {
        if (turn++ === 0) return socket.close(1001, 'draining')
        socket.send(JSON.stringify({ type: 'next', id, payload: result }))
        socket.send(JSON.stringify({ type: 'complete', id }))
      },
    })
    const run = await runCommand(['subscribe', url, TICKS, '--protocol', protocol, '--json'])
    expect(run).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(result)}\n` })
    expect(run.stderr).toMatch(/(?:DRAINING|draining)\)\.? Subscribing again in 1 s\.\nSubscribed again\./)
  })
})

describe('what is sent', () => {
  it('has the headers and the flag that were given, in every protocol', async () => {
    for (const protocol of ['sse', 'multipart', 'ws']) {
      const server = await fakeServer({
        http: (response) =>
          protocol === 'sse'
            ? response.writeHead(200, STREAM).end(COMPLETE)
            : response.writeHead(200, MULTIPART).end('--graphql--'),
        socket: (socket, id) => socket.send(JSON.stringify({ type: 'complete', id })),
      })
      const words = ['--header', 'Authorization: Bearer abc', '--flag', 'new', '--protocol', protocol]
      expect(await runCommand(['subscribe', server.url, TICKS, ...words])).toMatchObject({ exitCode: 0 })
      expect(server.requests[0]?.headers).toMatchObject({
        authorization: 'Bearer abc',
        'x-feature-flag': 'new',
      })
    }
  })

  it('has the payload of connection_init, and ws is the protocol of a URL of WebSockets', async () => {
    const inits: string[] = []
    const { url } = await fakeServer({
      init: (socket, message) => {
        inits.push(message)
        socket.send('{"type":"connection_ack"}')
      },
      socket: (socket, id) => socket.send(JSON.stringify({ type: 'complete', id })),
    })
    const words = ['--connection-init', '{"token":"abc"}']
    expect(await runCommand(['subscribe', url.replace('http', 'ws'), TICKS, ...words])).toMatchObject({
      exitCode: 0,
    })
    expect(inits.map((init) => JSON.parse(init))).toEqual([
      { type: 'connection_init', payload: { token: 'abc' } },
    ])
  })

  it('is never sent again if it is a mutation', async () => {
    const server = await fakeServer({ http: (response) => response.writeHead(200, STREAM).destroy() })
    const run = await runCommand(['subscribe', server.url, 'mutation { a }'])
    expect(run).toMatchObject({ exitCode: 3 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a server that means harm', () => {
  const PIECE = Buffer.alloc(1024 * 1024, 'x')
  /** Writes for as long as somebody reads. */
  const endlessly = (response: ServerResponse, type: Record<string, string>, begin: string) => {
    response.writeHead(200, type).write(begin)
    const write = (): void => {
      while (!response.destroyed) if (!response.write(PIECE)) return void response.once('drain', write)
    }
    write()
  }

  it.each([
    ['sse', STREAM, 'data: '],
    ['multipart', MULTIPART, '--graphql\r\n\r\n'],
  ])('is left when an event does not end (%s)', async (protocol, type, begin) => {
    const { url } = await fakeServer({ http: (response) => endlessly(response, type, begin) })
    const run = await runCommand(['subscribe', url, TICKS, '--protocol', protocol])
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
    expect(run.stderr).toContain('an event of more than 32 MiB')
  })

  it('is left when an event does not end (ws)', async () => {
    const { url } = await fakeServer({ socket: (socket) => socket.send(Buffer.alloc(40 * 1024 * 1024, ' ')) })
    const run = await runCommand(['subscribe', url, TICKS, '--protocol', 'ws'])
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
    expect(run.stderr).toContain('an event of more than 32 MiB')
  })

  it.each([
    ['sse', 'data: nonsense\n\n', STREAM],
    ['sse', 'data: [1]\n\n', STREAM],
    ['multipart', '--graphql\r\n\r\nnonsense\r\n--graphql', MULTIPART],
    ['multipart', '--graphql\r\n\r\n{"payload":7}\r\n--graphql', MULTIPART],
  ])('is told what it sent instead of an event (%s: %j)', async (protocol, text, type) => {
    const { url } = await fakeServer({ http: (response) => response.writeHead(200, type).end(text) })
    const run = await runCommand(['subscribe', url, TICKS, '--protocol', protocol])
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
    expect(run.stderr).toContain('as an event, which is no result of GraphQL')
  })

  it.each(['nonsense', '{"type":"hello"}', '{"type":"next","id":"1"}'])(
    'is left when it sends %s over a WebSocket',
    async (message) => {
      const { url } = await fakeServer({ socket: (socket) => socket.send(message) })
      const run = await runCommand(['subscribe', url, TICKS, '--protocol', 'ws'])
      expect(run).toMatchObject({ exitCode: 1, stdout: '' })
      expect(run.stderr).toContain('does not keep to graphql-transport-ws')
    },
  )

  it('is left when it sends pings and does not read the answers', async () => {
    const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(1024 * 1024) } })
    const { url } = await fakeServer({
      socket: (socket) => {
        socket.pause()
        for (let turn = 0; turn < 50; turn++) socket.send(ping)
      },
    })
    const run = await runCommand(['subscribe', url, TICKS, '--protocol', 'ws'])
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
    expect(run.stderr).toContain('does not read the answers to its pings')
  })

  it('cannot break the program with an event that is nested deeply', async () => {
    const deep = `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const run = await ofStream(`data: ${deep}\n\n${COMPLETE}`)
    expect(run).toMatchObject({ exitCode: 1, stdout: '' })
  })

  it('is not asked again and again when it closes WebSockets at once', async () => {
    const server = await fakeServer({ socket: (socket) => socket.close(1000) })
    const running = startSubscribe([server.url, TICKS, '--protocol', 'ws'])
    await running.told('Subscribing again in 2 s.')
    running.interrupt()
    expect(await running.end).toBe(0)
    expect(server.requests.length).toBeLessThan(5)
  })

  it('does not keep the program from ending when it does not close its WebSocket', async () => {
    const { url } = await fakeServer({
      socket: (socket, id) => {
        socket.send(JSON.stringify({ type: 'next', id, payload: { data: { ticks: 1 } } }))
        // Nothing is read any more, the close frame included.
        socket.pause()
      },
    })
    const running = startSubscribe([url, TICKS, '--protocol', 'ws', '--count', '1'])
    expect(await running.end).toBe(0)
  })
})

describe('a reader that is slow', () => {
  it.each(['sse', 'ws', 'multipart'])('holds the server back, and loses nothing (%s)', async (protocol) => {
    const text = 'x'.repeat(20_000)
    let sent = 0
    const isHeldBack = { now: false }
    const { url } = await fakeServer({
      http: (response) => {
        response.writeHead(200, protocol === 'sse' ? STREAM : MULTIPART)
        if (protocol === 'multipart') response.write('--graphql')
        const write = (): void => {
          while (!response.destroyed) {
            const result = { data: { number: sent++, text } }
            const event =
              protocol === 'sse'
                ? next(result)
                : `\r\n\r\n${JSON.stringify({ payload: result })}\r\n--graphql`
            isHeldBack.now = !response.write(event)
            if (isHeldBack.now) return void response.once('drain', write)
          }
        }
        write()
      },
      socket: (socket, id) => {
        const write = (): void => {
          if (socket.readyState !== socket.OPEN) return
          isHeldBack.now = socket.bufferedAmount > 1024 * 1024
          if (!isHeldBack.now) {
            const payload = { data: { number: sent++, text } }
            socket.send(JSON.stringify({ type: 'next', id, payload }))
          }
          setImmediate(write)
        }
        write()
      },
    })
    const lines: string[] = []
    let goOn = (): void => {}
    const stopped = new Promise<void>((resolve) => (goOn = resolve))
    const running = runCli(
      ['subscribe', url, TICKS, '--protocol', protocol, '--count', '3000', '--json'],
      worldThat(
        (line) => lines.push(line),
        () => stopped,
      ),
    )
    await waitFor('the server to be held back', () => isHeldBack.now && lines.length > 0)
    expect(lines).toHaveLength(1)
    // A server that is not held back sends all of it meanwhile.
    await sleep(300)
    // What fits between server and reader: buffers of the system, and little more.
    expect(sent).toBeLessThan(1000)
    goOn()
    expect(await running).toBe(0)
    expect(lines.map((line) => JSON.parse(line).data.number)).toEqual(
      Array.from({ length: 3000 }, (_, at) => at),
    )
  })
})

function worldThat(
  print: (line: string) => void,
  drained: () => Promise<void>,
): Parameters<typeof runCli>[1] {
  const stderr = { isTTY: false, write: () => undefined }
  return {
    stdin: {
      isTTY: false,
      readLine: async () => null,
      readAll: async () => Buffer.alloc(0),
      async *bytes() {
        yield* []
      },
    },
    stdout: { isTTY: false, write: print, drained },
    stderr,
    env: {},
    cwd: '/nonexistent',
    signal: new AbortController().signal,
    becomeService: async () => 0,
  }
}
