/**
 * The directives that connect root fields to events: `@edfs__natsSubscribe` and its siblings, and
 * `@openfed__subscriptionFilter`. Every schema knows them, whether or not it defines them.
 */

/** The thing that a root field does at its source of events. */
export type EventOperation = 'subscribe' | 'publish' | 'request'

/** A system that sends events. Routers serve NATS only. */
export type EventSystem = 'nats' | 'kafka' | 'redis'

/** One of the directives. */
export type EventDirective = {
  readonly name: string
  readonly system: EventSystem
  readonly operation: EventOperation
  /** The argument that names one or more subjects, topics or channels. */
  readonly subjects: string
  readonly isList: boolean
}

/** The root type whose fields do something at a source of events. */
export const ROOTS = {
  subscribe: 'Subscription',
  publish: 'Mutation',
  request: 'Query',
} as const satisfies Readonly<Record<EventOperation, string>>

export const SUBSCRIPTION_FILTER = 'openfed__subscriptionFilter'

/** The type that fields return which publish an event: whether the system took it. */
export const PUBLISH_RESULT = 'edfs__PublishResult'
export const PUBLISH_RESULT_SDL = `type ${PUBLISH_RESULT} { success: Boolean! }`

const DIRECTIVES: readonly EventDirective[] = [
  directive('nats', 'subscribe', 'subjects'),
  directive('nats', 'publish', 'subject'),
  directive('nats', 'request', 'subject'),
  directive('kafka', 'subscribe', 'topics'),
  directive('kafka', 'publish', 'topic'),
  directive('redis', 'subscribe', 'channels'),
  directive('redis', 'publish', 'channel'),
]

function directive(system: EventSystem, operation: EventOperation, subjects: string): EventDirective {
  const name = `edfs__${system}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`
  return { name, system, operation, subjects, isList: operation === 'subscribe' }
}

const BY_NAME = new Map(DIRECTIVES.map((one) => [one.name, one]))

/** The directive of this name; null if it is none of events. */
export function eventDirective(name: string): EventDirective | null {
  return BY_NAME.get(name) ?? null
}

/** True for the directives of events, and for that which filters them. */
export function isAboutEvents(name: string): boolean {
  return BY_NAME.has(name) || name === SUBSCRIPTION_FILTER
}

/** The types of the arguments of these directives. They are no part of the graph. */
export const TYPES_OF_ARGUMENTS: ReadonlySet<string> = new Set([
  'edfs__NatsStreamConfiguration',
  'openfed__SubscriptionFieldCondition',
  'openfed__SubscriptionFilterCondition',
  'openfed__SubscriptionFilterValue',
])
