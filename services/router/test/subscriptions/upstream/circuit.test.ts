/** Subscriptions at subgraphs that fail, and the circuit breaker that they share with calls. */
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { SILENT_POLICY_EVENTS } from '../../../src/call/call-policies.ts'
import { CircuitBreakers } from '../../../src/call/policies/circuit/circuit-breakers.ts'
import type { SubgraphCircuitEvents } from '../../../src/call/policies/circuit/events.ts'
import { HandWrittenServer } from './hand-written-socket.ts'
import { StreamServer } from './hand-written-stream.ts'
import { IllServer } from './ill-server.ts'
import { type OpenOptions, openAt, type Opening, openUpstreams, subgraphsOf } from './support.ts'

const breaker = (settings: string) =>
  `subgraphs: { circuit_breaker: { enabled: true, window: 1h, ${settings} } }`
/** Opens at the fourth failure, and stays open. */
const STAYS_OPEN = 'min_calls: 4, open_for: 1h'
/** Opens at the first failure, if calls before it were answered as well. */
const TOUCHY = 'min_calls: 1, failure_rate: 0.01, probes: 1'

/** Opens what a router opens for one subgraph, whose circuit `happened` tells of. */
async function start(
  stack: AsyncDisposableStack,
  protocol: 'graphql-transport-ws' | 'sse',
  file: string,
  settings: OpenOptions['settings'] = {},
) {
  const server = await IllServer.start(stack)
  const happened: (keyof SubgraphCircuitEvents)[] = []
  const note = (what: keyof SubgraphCircuitEvents) => () => void happened.push(what)
  const events = {
    opened: note('opened'),
    closed: note('closed'),
    refused: note('refused'),
    forgotten: note('forgotten'),
  }
  const circuits = new CircuitBreakers(subgraphsOf(file), { of: () => events })
  // A composition that calls the subgraph keeps its circuit.
  const ofCalls = stack.use(circuits.lease('clock', `http://127.0.0.1:${server.port}`) ?? never())
  const upstreams = await openUpstreams(stack, { file, circuits, settings })
  let users = 0
  const url = `${protocol === 'sse' ? 'http' : 'ws'}://127.0.0.1:${server.port}/graphql`
  /** Subscribes as another user, so that nothing is shared. */
  const subscribe = (opening: Opening = {}) =>
    openAt(upstreams, url, { headers: ['x-user', String(++users)], ...opening })
  /** Lets calls fail until the circuit opens. */
  const failCalls = () => {
    while (ofCalls.value.isClosed) ofCalls.value.ended(ofCalls.value.begin() ?? never(), 'failed')
  }
  /** Subscribes as another user, and waits until the source is open. */
  const subscribed = async () => {
    const index = server.open.length
    const opened = subscribe()
    const connection = await server.connection(index)
    connection.event({ ticks: 1 })
    await opened.told.until('event')
    return { ...opened, connection }
  }
  const count = (what: keyof SubgraphCircuitEvents) => happened.filter((one) => one === what).length
  return { server, upstreams, subscribe, subscribed, failCalls, circuit: ofCalls.value, happened, count }
}

/** The same with an open circuit, and a source that is its probe and not opened yet. */
async function startProbing(stack: AsyncDisposableStack, protocol: 'graphql-transport-ws' | 'sse') {
  const started = await start(stack, protocol, breaker('min_calls: 4, open_for: 1ms, probes: 1'))
  const { server, circuit, subscribe, failCalls } = started
  failCalls()
  server.mode = 'wait'
  await waitFor('the end of the pause', () => !circuit.isRefusing)
  const probe = subscribe()
  await waitFor('the probe', () => server.attempts === 1)
  return { ...started, probe }
}

function never(): never {
  throw new Error('The circuit breaker is off, or open.')
}

describe.each(['graphql-transport-ws', 'sse'] as const)('a source (%s)', (protocol) => {
  it('is refused at once while the circuit is open, with the error that calls get', async () => {
    await using stack = new AsyncDisposableStack()
    const { server, subscribe, failCalls, count } = await start(stack, protocol, breaker(STAYS_OPEN))
    failCalls()
    for (let source = 0; source < 3; source++) {
      const { told } = subscribe()
      expect(told.order).toEqual([])
      await told.until('SUBGRAPH_CIRCUIT_OPEN')
      expect(told.failure?.message).toBe('Subgraph "clock" was not called: its last calls failed.')
    }
    expect(server.attempts).toBe(0)
    expect(count('refused')).toBe(3)
  })

  it.each([
    [503, 'SUBGRAPH_HTTP_ERROR'],
    [501, 'SUBGRAPH_HTTP_ERROR'],
    ['wait', 'SUBGRAPH_TIMEOUT'],
  ] as const)('that is answered with %s opens the circuit', async (mode, code) => {
    await using stack = new AsyncDisposableStack()
    const settings = mode === 'wait' ? { open_timeout: '300ms' } : {}
    const { server, subscribe, circuit } = await start(stack, protocol, breaker(STAYS_OPEN), settings)
    server.mode = mode
    for (let source = 0; source < 4; source++) {
      expect(circuit.isRefusing).toBe(false)
      await subscribe().told.until(code)
    }
    expect(circuit.isRefusing).toBe(true)
    await subscribe().told.until('SUBGRAPH_CIRCUIT_OPEN')
    expect(server.attempts).toBe(4)
  })

  it('that cannot be reached opens the circuit', async () => {
    await using stack = new AsyncDisposableStack()
    const file = breaker(STAYS_OPEN)
    const circuits = new CircuitBreakers(subgraphsOf(file), SILENT_POLICY_EVENTS.circuits)
    stack.use(circuits.lease('clock', 'http://127.0.0.1:1') ?? never())
    const upstreams = await openUpstreams(stack, { file, circuits })
    const url = protocol === 'sse' ? 'http://127.0.0.1:1/' : 'ws://127.0.0.1:1/'
    for (let source = 0; source < 4; source++)
      await openAt(upstreams, url, { headers: ['x-user', String(source)] }).told.until('SUBGRAPH_UNREACHABLE')
    await openAt(upstreams, url).told.until('SUBGRAPH_CIRCUIT_OPEN')
  })

  it('that is refused or opened counts as a call that was answered', async () => {
    await using stack = new AsyncDisposableStack()
    const { server, subscribe, circuit, subscribed } = await start(
      stack,
      protocol,
      breaker('min_calls: 4, failure_rate: 0.5, open_for: 1h'),
    )
    server.mode = 403
    for (let source = 0; source < 8; source++) await subscribe().told.until('SUBGRAPH_HTTP_ERROR')
    expect(circuit.isClosed).toBe(true)
    server.mode = 'accept'
    await subscribed()
    // Nine were answered, so the circuit opens at the ninth failure.
    server.mode = 503
    for (let source = 0; source < 8; source++) await subscribe().told.until('SUBGRAPH_HTTP_ERROR')
    expect(circuit.isClosed).toBe(true)
    await subscribe().told.until('SUBGRAPH_HTTP_ERROR')
    expect(circuit.isClosed).toBe(false)
  })

  it('that is open stays open, and equal ones join it', async () => {
    await using stack = new AsyncDisposableStack()
    const { server, subscribe, failCalls } = await start(stack, protocol, breaker(STAYS_OPEN))
    const first = subscribe({ headers: ['x-user', 'a'] })
    const connection = await server.connection(0)
    failCalls()
    const equal = subscribe({ headers: ['x-user', 'a'] })
    connection.event({ ticks: 1 })
    await first.told.until('event')
    await equal.told.until('event')
    // Another document is another source, also where it would go over the same WebSocket.
    const other = subscribe({ headers: ['x-user', 'a'], body: '{"query":"subscription { b }"}' })
    await other.told.until('SUBGRAPH_CIRCUIT_OPEN')
    expect(server.attempts).toBe(1)
    connection.event({ ticks: 2 })
    await first.told.until('event', 2)
  })

  it('that is lost waits while the circuit is open, and fails with the window', async () => {
    await using stack = new AsyncDisposableStack()
    const { server, failCalls, count, subscribed } = await start(stack, protocol, breaker(STAYS_OPEN), {
      reconnect_window: '1s',
    })
    const { told, connection } = await subscribed()
    failCalls()
    connection.cut()
    await told.until('SUBGRAPH_CIRCUIT_OPEN')
    expect(told.order).toEqual(['event', 'SUBGRAPH_CIRCUIT_OPEN'])
    expect(server.attempts).toBe(1)
    // It waits longer each time: within a second four or five times at most.
    expect(count('refused')).toBeGreaterThan(0)
    expect(count('refused')).toBeLessThan(8)
  })

  it('that is lost is the probe when the circuit lets one through, and closes it', async () => {
    await using stack = new AsyncDisposableStack()
    const file = breaker('min_calls: 4, open_for: 500ms, probes: 1')
    const { server, failCalls, happened, subscribed } = await start(stack, protocol, file)
    const { told, connection } = await subscribed()
    failCalls()
    connection.cut()
    await told.until('reopened')
    expect(server.attempts).toBe(2)
    expect(happened).toEqual(['opened', ...happened.slice(1, -1).fill('refused'), 'closed'])
  })

  it('that is open for long and lost counts for nothing; the attempts afterwards count', async () => {
    await using stack = new AsyncDisposableStack()
    const file = breaker(`${TOUCHY}, open_for: 1h`)
    const { server, circuit, subscribed } = await start(stack, protocol, file, { reconnect_window: '1s' })
    const { told, connection } = await subscribed()
    connection.cut()
    await told.until('reopened')
    expect(circuit.isClosed).toBe(true)
    server.mode = 503
    ;(await server.connection(1)).cut()
    await told.until('SUBGRAPH_CIRCUIT_OPEN')
    expect(server.attempts).toBe(3)
  })

  it('is the only one that is opened while it is the probe', async () => {
    await using stack = new AsyncDisposableStack()
    const { server, subscribe, circuit, subscribed, probe } = await startProbing(stack, protocol)
    expect(circuit.begin()).toBeNull()
    await subscribe().told.until('SUBGRAPH_CIRCUIT_OPEN')
    server.recover()
    ;(await server.connection(0)).event({ ticks: 1 })
    await probe.told.until('event')
    expect(circuit.isClosed).toBe(true)
    await subscribed()
    expect(server.attempts).toBe(2)
  })

  it('that is closed while it is the probe leaves that to another one', async () => {
    await using stack = new AsyncDisposableStack()
    const { server, circuit, subscribed, probe } = await startProbing(stack, protocol)
    probe.source.close()
    expect(circuit.isRefusing).toBe(false)
    expect(circuit.isClosed).toBe(false)
    server.mode = 'accept'
    await subscribed()
    expect(circuit.isClosed).toBe(true)
  })

  it('that is closed at once as the probe, before anything is sent, leaves that to another one', async () => {
    await using stack = new AsyncDisposableStack()
    const file = breaker('min_calls: 4, open_for: 1ms, probes: 1')
    const { subscribe, failCalls, circuit } = await start(stack, protocol, file)
    failCalls()
    await waitFor('the end of the pause', () => !circuit.isRefusing)
    subscribe().source.close()
    expect(circuit.isRefusing).toBe(false)
  })

  it('that is closed while it waits for the circuit asks it no more', async () => {
    await using stack = new AsyncDisposableStack()
    const { subscribe, failCalls, count, subscribed } = await start(stack, protocol, breaker(STAYS_OPEN))
    const { source, connection } = await subscribed()
    failCalls()
    connection.cut()
    await waitFor('a refused attempt', () => count('refused') === 1)
    source.close()
    const other = subscribe()
    await other.told.until('SUBGRAPH_CIRCUIT_OPEN')
    expect(count('refused')).toBe(2)
  })
})

describe('a WebSocket', () => {
  it.each([
    [4403, true],
    [4400, true],
    [4500, false],
    [1011, false],
  ])(
    'that is closed with %i before it is acknowledged: the circuit stays closed: %s',
    async (code, isClosed) => {
      await using stack = new AsyncDisposableStack()
      const server = await HandWrittenServer.start(stack)
      server.acknowledges = false
      const file = breaker(`${TOUCHY}, open_for: 1h`)
      const circuits = new CircuitBreakers(subgraphsOf(file), SILENT_POLICY_EVENTS.circuits)
      const circuit = stack.use(circuits.lease('clock', `http://127.0.0.1:${server.port}`) ?? never())
      const { told } = openAt(await openUpstreams(stack, { file, circuits }), server.url)
      const accepted = await waitFor('the WebSocket', () => server.accepted[0])
      await accepted.received('connection_init')
      accepted.socket.close(code)
      await waitFor('the end', () => told.isOver)
      expect(circuit.value.isClosed).toBe(isClosed)
    },
  )
})

describe('an event stream', () => {
  it.each([
    ['application/json', '{"errors":[{"message":"ill"}]}', 'completed'],
    ['text/event-stream', 'event: next\ndata: {"data":{"ticks":1}}\n\n', 'event'],
  ])('that has status 500 has failed, also with a body that is delivered (%s)', async (type, body, last) => {
    await using stack = new AsyncDisposableStack()
    const server = await StreamServer.start(stack)
    server.onAsked = ({ response }) => {
      response.writeHead(500, { 'content-type': type })
      if (last === 'event') response.write(body)
      else response.end(body)
    }
    const file = breaker(`${TOUCHY}, open_for: 1h`)
    const circuits = new CircuitBreakers(subgraphsOf(file), SILENT_POLICY_EVENTS.circuits)
    const circuit = stack.use(circuits.lease('clock', `http://127.0.0.1:${server.port}`) ?? never())
    const { told } = openAt(await openUpstreams(stack, { file, circuits }), server.url)
    await told.until(last)
    expect(told.order).toContain('event')
    expect(circuit.value.isClosed).toBe(false)
  })

  it('that only waited for a connection says nothing about the subgraph', async () => {
    await using stack = new AsyncDisposableStack()
    const file = breaker(`${TOUCHY}, open_for: 1h`)
    const settings = { open_timeout: '1s', max_event_streams: 1 }
    const { server, subscribe, circuit, subscribed } = await start(stack, 'sse', file, settings)
    await subscribed()
    await subscribe().told.until('SUBGRAPH_TIMEOUT')
    expect(server.attempts).toBe(1)
    expect(circuit.isClosed).toBe(true)
  })
})
