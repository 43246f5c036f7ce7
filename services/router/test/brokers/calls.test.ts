/** Fields of queries and mutations that are connected to a real NATS, on a real router. */
import { natsServerAvailable } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORM_TYPE, formOf, GUARD } from '../concerns/uploads/support/forms.ts'
import { post, until } from '../support/router.ts'
import { type BrokerWorld, startBrokerWorld } from './support/broker-world.ts'

const EVENTS = `
  type Query {
    orderNow(id: ID!, depth: Int = 3): Order! @edfs__natsRequest(subject: "orders.get.{{ args.id }}")
    elsewhere: Order! @edfs__natsRequest(subject: "orders.get", providerId: "elsewhere")
  }
  type Mutation {
    cancel(order: OrderRef!, note: String): edfs__PublishResult!
      @edfs__natsPublish(subject: "orders.cancel.{{ args.order.id }}")
    attach(file: Attachment): edfs__PublishResult! @edfs__natsPublish(subject: "orders.attach")
    forbidden: edfs__PublishResult! @edfs__natsPublish(subject: "forbidden.subject")
  }
  scalar Attachment
  input OrderRef { id: ID! }
  type Order @key(fields: "id", resolvable: false) { id: ID! @external }`

const stack = new AsyncDisposableStack()
let world: BrokerWorld
/** What was published, and requested. */
const heard: (readonly [subject: string, payload: unknown])[] = []
let reply: (id: string) => unknown = (id) => ({ id })

async function ask(query: string, variables = {}): Promise<unknown> {
  return (await post(world.router, { query, variables })).json
}

describe.skipIf(!natsServerAvailable())('a field that is connected to NATS', () => {
  beforeAll(async () => {
    world = stack.use(
      await startBrokerWorld({
        events: EVENTS,
        sections: 'subgraphs: { timeout: 2s }\nuploads: { enabled: true }',
        user: 'publish: { deny: ["forbidden.>"] }',
      }),
    )
    const { connection } = world.link
    connection.subscribe('orders.cancel.*', {
      callback: (_error, message) => void heard.push([message.subject, message.json()]),
    })
    connection.subscribe('orders.get.*', {
      callback: (_error, message) => {
        heard.push([message.subject, message.json()])
        const answer = reply(message.subject.slice('orders.get.'.length))
        if (answer !== undefined)
          message.respond(answer instanceof Uint8Array ? answer : JSON.stringify(answer))
      },
    })
    await connection.flush()
  })
  afterAll(() => stack.disposeAsync())

  it('takes no file', async () => {
    const query = 'mutation ($file: Attachment) { attach(file: $file) { success } }'
    const response = await fetch(world.router.graphqlUrl, {
      method: 'POST',
      headers: { ...GUARD, ...FORM_TYPE },
      body: new Uint8Array(
        formOf({ query, variables: { file: null } }, { 0: ['variables.file'] }, { 0: { content: 'a' } }),
      ),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('UPLOAD_NOT_ROUTABLE')
  })

  it('publishes its arguments, each field once and in their order', async () => {
    heard.length = 0
    const body = await ask(
      'mutation ($note: String) { a: cancel(order: { id: "1" }, note: $note) { ok: success type: __typename } b: cancel(order: { id: "2" }) { success } }',
      { note: 'late' },
    )
    expect(body).toEqual({
      data: { a: { ok: true, type: 'edfs__PublishResult' }, b: { success: true } },
    })
    await until(() => heard.length === 2, 'two messages')
    expect(heard).toEqual([
      ['orders.cancel.1', { order: { id: '1' }, note: 'late' }],
      ['orders.cancel.2', { order: { id: '2' } }],
    ])
  })

  it('is answered by the reply, with what other subgraphs add', async () => {
    heard.length = 0
    expect(
      await ask('{ one: orderNow(id: "7") { id status } orderNow(id: "8", depth: 1) { price } }'),
    ).toEqual({
      data: { one: { id: '7', status: 'status of 7' }, orderNow: { price: 80 } },
    })
    expect(new Map(heard)).toEqual(
      new Map([
        ['orders.get.7', { id: '7', depth: 3 }],
        ['orders.get.8', { id: '8', depth: 1 }],
      ]),
    )
  })

  it('publishes nothing if one of the arguments is no token', async () => {
    heard.length = 0
    expect(
      await ask(
        'mutation { a: cancel(order: { id: "1" }) { success } b: cancel(order: { id: ">" }) { success } }',
      ),
    ).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(await ask('{ orderNow(id: "a.b") { id } }')).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    })
    expect(heard).toEqual([])
  })

  it.each([
    ['of a reply that does not fit', () => ({ id: {} }), 'SUBGRAPH_INVALID_RESPONSE'],
    ['of a reply that is no JSON', () => Buffer.from('{'), 'SUBGRAPH_INVALID_RESPONSE'],
    ['of no reply in time', () => undefined, 'SUBGRAPH_TIMEOUT'],
  ])('fails because %s', async (_what, answer, code) => {
    reply = answer
    expect(await ask('{ orderNow(id: "7") { id } }')).toMatchObject({
      errors: [{ path: ['orderNow'], extensions: { code } }],
    })
    reply = (id) => ({ id })
  })

  it('fails where its provider is missing', async () => {
    expect(await ask('{ elsewhere { id } }')).toMatchObject({
      errors: [{ path: ['elsewhere'], extensions: { code: 'EVENT_PROVIDER_MISSING' } }],
    })
  })

  it('says that NATS did not take what the router may not publish', async () => {
    expect(await ask('mutation { forbidden { success } }')).toEqual({
      data: { forbidden: { success: false } },
    })
    const line = world.router.logs.find(({ event }) => event === 'events.call-failed')
    expect(line).toMatchObject({ subgraph: 'events' })
  })

  it('says so as well while NATS is away, and requests fail at once', async () => {
    await world.nats.stop()
    await until(() => !world.link.connected, 'the loss')
    const CANCEL = 'mutation { cancel(order: { id: "1" }) { success } }'
    expect(await ask(CANCEL)).toEqual({ data: { cancel: { success: false } } })
    expect(await ask('{ orderNow(id: "7") { id } }')).toMatchObject({
      errors: [{ extensions: { code: 'SUBGRAPH_UNREACHABLE' } }],
    })
    await world.nats.restart()
    await until(async () => {
      const body = await ask(CANCEL)
      return (body as { data?: { cancel: { success: boolean } } }).data?.cancel.success
    }, 'a publication')
  })
})
