import { compileSupergraph } from '@switchyard/engine/moves'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { F } from './errors/error-set.ts'
import { composeSdls, expectComposed, expectFailed } from './subgraph-fixtures.ts'

const ORDERS = `${F} type Query { orders: [Order!]! } type Order @key(fields: "id") { id: ID! status: String! }`

const EVENTS = `${F}
  directive @edfs__natsSubscribe(subjects: [String!]!, providerId: String! = "default", streamConfiguration: edfs__NatsStreamConfiguration) on FIELD_DEFINITION
  input edfs__NatsStreamConfiguration { consumerInactiveThreshold: Int! = 30 consumerName: String! streamName: String! }
  type Query { orderNow(id: ID!): Order! @edfs__natsRequest(subject: "orders.get.{{ args.id }}", providerId: "shop") }
  type Mutation { cancel(order: OrderRef!): edfs__PublishResult! @edfs__natsPublish(subject: "orders.cancel.{{ args.order.id }}") }
  type Subscription {
    orderChanged(id: ID!): Order!
      @edfs__natsSubscribe(
        subjects: ["orders.changed.{{ args.id }}", "orders.all.*"]
        streamConfiguration: { streamName: "ORDERS", consumerName: "router" }
      )
      @openfed__subscriptionFilter(condition: { IN: { fieldPath: "id", values: ["{{ args.id }}", 7, null] } })
  }
  input OrderRef { id: ID! }
  type Order @key(fields: "id", resolvable: false) { id: ID! @external }`

describe('a subgraph of events', () => {
  it('composes, and tells routers where its events are', () => {
    const { subgraphs } = compileSupergraph(expectComposed(composeSdls({ orders: ORDERS, events: EVENTS })))
    expect(subgraphs.map(({ name, events }) => ({ name, events }))).toEqual([
      {
        name: 'events',
        events: [
          {
            field: 'Subscription.orderChanged',
            system: 'nats',
            operation: 'subscribe',
            provider: 'default',
            subjects: ['orders.changed.{{ args.id }}', 'orders.all.*'],
            stream: { name: 'ORDERS', consumer: 'router', inactiveThreshold: 30 },
            filter: { IN: { fieldPath: 'id', values: ['{{ args.id }}', 7, null] } },
          },
          {
            field: 'Mutation.cancel',
            system: 'nats',
            operation: 'publish',
            provider: 'default',
            subjects: ['orders.cancel.{{ args.order.id }}'],
            stream: null,
            filter: null,
          },
          {
            field: 'Query.orderNow',
            system: 'nats',
            operation: 'request',
            provider: 'shop',
            subjects: ['orders.get.{{ args.id }}'],
            stream: null,
            filter: null,
          },
        ],
      },
      { name: 'orders', events: undefined },
    ])
  })

  it('shows clients the result of publishing, and none of the types of its directives', () => {
    const sdl = expectComposed(composeSdls({ orders: ORDERS, events: EVENTS }))
    expect(sdl).toContain('type edfs__PublishResult\n  @join__type(graph: EVENTS)\n{\n  success: Boolean!\n}')
    expect(sdl).not.toMatch(/NatsStreamConfiguration|edfs__nats|openfed__/)
    expect(() => parse(sdl)).not.toThrow()
  })

  it('may be one of several that publish', () => {
    const other = `${F} type Mutation { ship(id: ID!): edfs__PublishResult! @edfs__natsPublish(subject: "orders.ship.{{ args.id }}") } type edfs__PublishResult { success: Boolean! }`
    expectComposed(composeSdls({ orders: ORDERS, events: EVENTS, other }))
  })

  it('may be one of Federation 1', () => {
    const events = `type Subscription { orderChanged: Order! @edfs__natsSubscribe(subjects: ["orders.changed"]) } type Order @key(fields: "id", resolvable: false) { id: ID! @external }`
    expectComposed(composeSdls({ orders: ORDERS, events }))
  })

  it('brings the fields of a key within a key', () => {
    const orders = `${F} type Query { orders: [Order!]! } type Order @key(fields: "shop { id } number") { shop: Shop! number: Int! status: String! } type Shop { id: ID! @shareable }`
    const events = `${F} type Subscription { orderChanged: Order! @edfs__natsSubscribe(subjects: ["orders.changed"]) } type Order @key(fields: "shop { id } number", resolvable: false) { shop: Shop! @external number: Int! @external } type Shop { id: ID! @external }`
    expectComposed(composeSdls({ orders, events }))
  })

  it('gives nobody the fields that are not in its events', () => {
    const errors = expectFailed(
      composeSdls({
        events: `${F} type Subscription { orderChanged: Order! @edfs__natsSubscribe(subjects: ["orders.changed"]) } type Order @key(fields: "id", resolvable: false) { id: ID! @external }`,
        orders: `${F} type Query { orders: [Order!]! } type Order { id: ID! @shareable status: String! }`,
      }),
    )
    expect(errors.map(({ code }) => code)).toContain('SATISFIABILITY_ERROR')
  })

  it('is hinted at if its events come from Kafka or Redis', () => {
    const events = `${F} type Subscription { a: Order! @edfs__kafkaSubscribe(topics: ["a"]) b: Order! @edfs__redisSubscribe(channels: ["b.*"]) } type Mutation { c: edfs__PublishResult! @edfs__kafkaPublish(topic: "c") } type Order @key(fields: "id", resolvable: false) { id: ID! @external }`
    const { hints } = composeSdls({ orders: ORDERS, events })
    expect(
      hints.filter(({ code }) => code === 'EVENT_SOURCE_NOT_SERVED').map(({ message }) => message),
    ).toEqual([
      '[events] Events from Kafka are served by no router: clients see "Subscription.a", "Mutation.c" in the schema, and get the error EVENT_SOURCE_NOT_SERVED.',
      '[events] Events from Redis are served by no router: clients see "Subscription.b" in the schema, and get the error EVENT_SOURCE_NOT_SERVED.',
    ])
  })
})
