/** Mistakes in subgraphs whose root fields are connected to events. */
import { type ErrorSet, F } from './error-set.ts'

const T = 'type T @key(fields: "id", resolvable: false) { id: ID! @external }'

/** A subgraph with one field of `Subscription`. */
function subscribing(field: string): ErrorSet['subgraphs'] {
  return { a: `${F} type Subscription { ${field} } ${T}` }
}

/** A field with one subject. */
function withSubject(subject: string, args = '(id: ID!)'): ErrorSet['subgraphs'] {
  return subscribing(`x${args}: T! @edfs__natsSubscribe(subjects: [‹"${subject}"›])`)
}

/** A field with one condition. */
function filtered(condition: string): ErrorSet['subgraphs'] {
  return subscribing(
    `x(id: ID!): T! @edfs__natsSubscribe(subjects: ["t"]) @openfed__subscriptionFilter(condition: ${condition})`,
  )
}

const DIRECTIVE = 'EVENT_DIRECTIVE_INVALID'
const SUBJECT = 'EVENT_SUBJECT_INVALID'
const FILTER = 'EVENT_FILTER_INVALID'
const GRAPH = 'EVENT_GRAPH_INVALID'

export const eventErrors: readonly ErrorSet[] = [
  {
    code: DIRECTIVE,
    name: 'a field of Subscription publishes',
    subgraphs: subscribing('x: T! ‹@edfs__natsPublish(subject: "t")›'),
    says: '@edfs__natsPublish on "Subscription.x" has no meaning there; it belongs to a field of the type Mutation',
  },
  {
    code: DIRECTIVE,
    name: 'a field has two sources of events',
    subgraphs: subscribing(
      'x: T! @edfs__natsSubscribe(subjects: "t") ‹@edfs__kafkaSubscribe(topics: ["t"])›',
    ),
    says: 'stands beside @edfs__natsSubscribe',
  },
  {
    code: DIRECTIVE,
    name: 'a filter has nothing to filter',
    subgraphs: {
      a: `${F} type Query { x: Int ‹@openfed__subscriptionFilter(condition: { IN: { fieldPath: "id", values: [1] } })› }`,
    },
    says: 'has nothing to filter',
  },
  {
    code: DIRECTIVE,
    name: 'a directive has no subjects',
    subgraphs: subscribing('x: T! ‹@edfs__natsSubscribe›'),
    says: 'lacks the argument "subjects"',
  },
  {
    code: DIRECTIVE,
    name: 'a directive has an argument that it does not know',
    subgraphs: subscribing('x: T! @edfs__natsSubscribe(subjects: ["t"], ‹subject: "t"›)'),
    says: 'has no argument "subject"',
  },
  {
    code: DIRECTIVE,
    name: 'the list of subjects is empty',
    subgraphs: subscribing('x: T! @edfs__natsSubscribe(subjects: ‹[]›)'),
    says: 'has to be written out',
  },
  {
    code: DIRECTIVE,
    name: 'the name of a provider has a space',
    subgraphs: subscribing('x: T! @edfs__natsSubscribe(subjects: ["t"], providerId: ‹"my nats"›)'),
    says: '"providerId" of @edfs__natsSubscribe',
  },
  {
    code: DIRECTIVE,
    name: 'a stream has no consumer',
    subgraphs: subscribing(
      'x: T! @edfs__natsSubscribe(subjects: ["t"], streamConfiguration: ‹{ streamName: "S" }›)',
    ),
    says: '"streamConfiguration" of @edfs__natsSubscribe',
  },
  {
    code: DIRECTIVE,
    name: 'a field that publishes returns something else',
    subgraphs: {
      a: `${F} type Mutation { x: ‹Boolean!› @edfs__natsPublish(subject: "t") }`,
    },
    says: 'returns "edfs__PublishResult!"',
  },
  {
    code: DIRECTIVE,
    name: 'events are lists',
    subgraphs: subscribing('x: ‹[T!]!› @edfs__natsSubscribe(subjects: ["t"])'),
    says: 'returns one object that is never null',
  },
  {
    code: SUBJECT,
    name: 'a subject uses an argument that there is not',
    subgraphs: withSubject('t.{{ args.di }}'),
    says: 'uses the argument "di", which the field does not have',
  },
  {
    code: SUBJECT,
    name: 'a subject uses a list',
    subgraphs: withSubject('t.{{ args.ids }}', '(ids: [ID!]!)'),
    says: 'uses the argument "ids", which is a list',
  },
  {
    code: SUBJECT,
    name: 'a subject has braces that mean nothing',
    subgraphs: withSubject('t.{{ id }}'),
    says: 'has "{{ id }}"; write an argument as "{{ args.name }}"',
  },
  {
    code: SUBJECT,
    name: 'a subject has a space',
    subgraphs: withSubject('t. x'),
    says: 'is none of NATS',
  },
  {
    code: SUBJECT,
    name: 'a subject begins with an argument',
    subgraphs: withSubject('{{ args.id }}.t'),
    says: 'begins with a wildcard or an argument',
  },
  {
    code: SUBJECT,
    name: 'the first token of a subject ends with an argument',
    subgraphs: withSubject('reg{{ args.id }}.t'),
    says: 'begins with a wildcard or an argument',
  },
  {
    code: SUBJECT,
    name: 'a subject begins with a wildcard',
    subgraphs: withSubject('*.events'),
    says: 'begins with a wildcard or an argument',
  },
  ...['$JS.API.INFO', '_INBOX.x', 'registry.events.a', 'compositions.>', 'config.a.b', 'router.status.>'].map(
    (subject) => ({
      code: SUBJECT,
      name: `a subject is reserved: ${subject}`,
      subgraphs: withSubject(subject),
      says: 'is reserved',
    }),
  ),
  {
    code: SUBJECT,
    name: 'what is published has a wildcard',
    subgraphs: {
      a: `${F} type Mutation { x: edfs__PublishResult! @edfs__natsPublish(subject: ‹"t.*"›) }`,
    },
    says: 'has a wildcard',
  },
  {
    code: FILTER,
    name: 'a condition has two parts',
    subgraphs: filtered('‹{ NOT: { IN: { fieldPath: "id", values: [1] } }, OR: [] }›'),
    says: 'exactly one of AND, IN, NOT and OR',
  },
  {
    code: FILTER,
    name: 'a condition names a field that there is not',
    subgraphs: filtered('{ IN: { fieldPath: ‹"name"›, values: [1] } }'),
    says: 'names "name", which is no scalar or enum in the events',
  },
  {
    code: FILTER,
    name: 'a condition has no values',
    subgraphs: filtered('{ AND: [{ IN: { fieldPath: "id", values: ‹[]› } }] }'),
    says: 'a list of 1 to 100 values',
  },
  {
    code: FILTER,
    name: 'a value of a condition is more than an argument',
    subgraphs: filtered('{ IN: { fieldPath: "id", values: [‹"x{{ args.id }}"›] } }'),
    says: 'an argument stands alone',
  },
  {
    code: FILTER,
    name: 'a value of a condition is an argument that there is not',
    subgraphs: filtered('{ IN: { fieldPath: "id", values: [‹"{{ args.ids }}"›] } }'),
    says: 'uses the argument "ids"',
  },
  {
    code: FILTER,
    name: 'a condition is nested too deeply',
    subgraphs: filtered(
      `{ NOT: { NOT: { NOT: { NOT: { NOT: ‹{ IN: { fieldPath: "id", values: [1] } }› } } } } }`,
    ),
    says: 'more than 5 levels',
  },
  {
    code: GRAPH,
    name: 'a subgraph of events has an ordinary field',
    subgraphs: {
      a: `${F} type Query { ‹y›: Int } type Subscription { x: T! @edfs__natsSubscribe(subjects: ["t"]) } ${T}`,
    },
    says: '"Query.y" has no source of events',
  },
  {
    code: GRAPH,
    name: 'a subgraph of events says that it finds objects',
    subgraphs: {
      a: `${F} type Subscription { x: T! @edfs__natsSubscribe(subjects: ["t"]) } type T ‹@key(fields: "id")› { id: ID! }`,
    },
    says: 'resolvable: false',
  },
  {
    code: GRAPH,
    name: 'the result of publishing is another one',
    subgraphs: {
      a: `${F} type Mutation { x: edfs__PublishResult! @edfs__natsPublish(subject: "t") } type ‹edfs__PublishResult› { ok: Boolean! }`,
    },
    says: 'type edfs__PublishResult { success: Boolean! }',
  },
]
