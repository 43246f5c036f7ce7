/** The codes of operations that are not executed, or not to their end; most are the engine's. */
import type { PlanningErrorCode, RequestErrorCode } from '@switchyard/engine'
import type { ErrorFacts } from './error-facts.ts'

/** A code with which an operation with an active `@defer` is refused because of its `Accept` header. */
export type DeferErrorCode = 'DEFER_BAD_HEADER' | 'DEFER_UNSUPPORTED_SPEC'

/** A code with which a subscription ends that was being served. */
export type SubscriptionEndCode =
  | 'SUBSCRIPTION_QUEUE_FULL'
  | 'SUBSCRIPTION_SCHEMA_CHANGED'
  | 'SUBSCRIPTION_SETTINGS_CHANGED'

type OperationErrorCode =
  | RequestErrorCode
  | PlanningErrorCode
  | DeferErrorCode
  | 'EXECUTION_LIMIT_EXCEEDED'
  | 'INTROSPECTION_DISABLED'
  | 'PLAN_UNREACHABLE'
  | SubscriptionEndCode

/** Their rows of docs/errors.md. */
export const OPERATION_ERRORS: Readonly<Record<OperationErrorCode, ErrorFacts>> = {
  BAD_USER_INPUT: {
    happened: 'A variable is missing, of the wrong type, or null in `@skip`/`@include`',
    remedy: 'The message names the variable.',
  },
  DEFER_BAD_HEADER: {
    happened:
      'Always 200 and `application/json`. The operation has an active `@defer`, and `Accept` allows no stream.',
    remedy:
      'Send `Accept: multipart/mixed;incrementalSpec=v0.2`, or leave `@defer` out. See [defer.md](defer.md).',
  },
  DEFER_UNSUPPORTED_SPEC: {
    happened:
      'Always 200 and `application/json`. The operation has an active `@defer`, and `Accept` names another incremental format',
    remedy:
      'The message has the format that was asked for. Use a client that speaks `incrementalSpec=v0.2`. See [defer.md](defer.md).',
  },
  EXECUTION_LIMIT_EXCEEDED: {
    happened:
      'Always 200, `data: null`; in an answer in parts, of all fragments that are still to come. The answers of subgraphs, or what is to be made of them, are more than one request may hold',
    remedy: 'Ask for less at once, such as for shorter pages, or raise `limits.max_execution_steps`.',
  },
  GRAPHQL_PARSE_FAILED: {
    happened: 'The document is not GraphQL',
    remedy: '`locations` point at the place.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    happened: 'The document does not fit the schema of the composition that answers',
    remedy: 'An unknown field may exist only with a feature flag, or no longer.',
  },
  INTROSPECTION_DISABLED: {
    happened: 'The operation asks for `__schema` or `__type`, and `introspection.enabled` is false',
    remedy:
      'Take the schema from the registry, or switch introspection on. Where it is `authenticated`, a request without a token gets `AUTHENTICATION_REQUIRED`.',
  },
  OPERATION_LIMIT_EXCEEDED: {
    happened:
      'Always 400. The document has more tokens, lines, depth, aliases, root fields, fields or condition variables than allowed, in any of its operations or in all of them together. Or the variables have more values than allowed, or deeper ones. Or the answer to introspection would be larger',
    remedy: 'Make the operation smaller, or raise the limit under `limits`.',
  },
  OPERATION_RESOLUTION_FAILURE: {
    happened: 'The document has no operation, several without `operationName`, or none of that name',
    remedy: 'Name the one to execute.',
  },
  PLANNING_LIMIT: {
    happened:
      'Always 400. Planning needs more steps than `planning.max_steps`, or takes longer than `planning.time_limit`',
    remedy:
      'Ask for fewer fields, fragments or nested abstract types. The log line `planning.refused` has the operation and what it took.',
  },
  PLANNING_UNSUPPORTED: {
    happened: 'Always 400. The graph has no root type for this kind of operation',
    remedy:
      'The supergraph lacks, for example, mutations. Validation says so first: this code is for what gets past it.',
  },
  PLAN_UNREACHABLE: {
    happened:
      'Always 200, `data: null`. No subgraph can resolve a field at this place, or tell the type of objects that come from an interface object',
    remedy:
      'The schema promises what no subgraph can give; the message has the field. A composition that is valid does not cause it: report it with the supergraph.',
  },
  SUBSCRIPTIONS_NOT_SUPPORTED: {
    happened: 'The operation is a subscription, and `subscriptions.enabled` is false',
    remedy: 'Switch [subscriptions](subscriptions.md) on, or send a query or a mutation.',
  },
  SUBSCRIPTION_QUEUE_FULL: {
    happened:
      'The last message of a subscription. More events wait for the client than `subscriptions.queue` allows, and `when_full` is `end`',
    remedy: 'The client reads too slowly. It may subscribe again.',
  },
  SUBSCRIPTION_SCHEMA_CHANGED: {
    happened:
      'The last message of a subscription. What is served now has no place for it: a field is gone, another composition answers the client, or its events come from elsewhere',
    remedy: 'The message has the reason. Subscribe again, if the operation is still valid.',
  },
  SUBSCRIPTION_SETTINGS_CHANGED: {
    happened: "The last message of a subscription. The router's settings were changed",
    remedy: 'Subscribe again.',
  },
}
