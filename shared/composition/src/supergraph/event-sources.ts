/** Writes which root fields of a subgraph are connected to events, for routers. */
import { print } from 'graphql'
import type { EventField } from '../model/model.ts'

/**
 * The specification is our own. A router that does not know it refuses the supergraph, since nobody would
 * answer its calls.
 */
export const EVENT_SOURCES = {
  link: 'url: "https://switchyard.invalid/eventSources/v0.1", for: EXECUTION',
  definitions: `directive @eventSources(field: String!, system: String!, operation: String!, provider: String!, subjects: [String!]!, stream: eventSources__Stream, filter: eventSources__Condition) repeatable on ENUM_VALUE

input eventSources__Stream {
  name: String!
  consumer: String!
  inactiveThreshold: Int!
}

scalar eventSources__Condition`,
} as const

/** Writes one field, after the `@join__graph` of its subgraph. */
export function printEventField(event: EventField): string {
  const { coordinate, system, operation, provider, subjects, stream, filter } = event
  const text = JSON.stringify
  const more = [
    `field: ${text(coordinate)}`,
    `system: ${text(system)}`,
    `operation: ${text(operation)}`,
    `provider: ${text(provider)}`,
    `subjects: [${subjects.map((one) => text(one)).join(', ')}]`,
    ...(stream === null
      ? []
      : [
          `stream: {name: ${text(stream.stream)}, consumer: ${text(stream.consumer)}, inactiveThreshold: ${String(stream.inactiveThreshold)}}`,
        ]),
    ...(filter === null ? [] : [`filter: ${print(filter)}`]),
  ]
  return ` @eventSources(${more.join(', ')})`
}
