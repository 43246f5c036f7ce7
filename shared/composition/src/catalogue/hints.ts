/** Entries about definitions that compose but are probably mistakes. */
import type { SpecifiedDirective } from '../directives/specified-directives.ts'
import { reasonWithoutEffect } from '../directives/unsupported-directives.ts'
import { entry } from './entry.ts'

/** `Type.field` */
type OnField = { readonly field: string }
/** A field, an argument, an input field or a type. */
type At = { readonly coordinate: string }
/** Types that differ, of which clients see this one. */
type Published = At & { readonly published: string }

export const HINTS = {
  AUTHORIZATION_NOT_ENFORCED: entry<{
    /** The name in this subgraph. */
    readonly directive: string
    readonly coordinates: readonly string[]
  }>(
    'A hint: the schema says with `@authenticated`, `@requiresScopes` or `@policy` who may see a field, and the graph allows that routers do not enforce it',
    'Everybody who reaches the router is answered. Take that back unless something else decides: [authorization.md](authorization.md#leaving-it-to-others).',
    ({ directive, coordinates }) =>
      `@${directive} is not enforced by the router, which the graph allows: everybody who reaches the router is answered ${listedFirst(coordinates)}.`,
  ),
  DIRECTIVE_WITHOUT_EFFECT: entry<{
    /** The name in this subgraph. */
    readonly written: string
    readonly directive: SpecifiedDirective
  }>(
    'Hint. The schema has `@cacheTag`',
    'Answers are right, but the router does not cache responses: [supergraphs.md](supergraphs.md).',
    ({ written, directive }) => `@${written} has no effect: ${reasonWithoutEffect(directive) ?? ''}`,
  ),
  EVENT_SOURCE_NOT_SERVED: entry<{ readonly fields: readonly string[]; readonly system: string }>(
    'Hint. The schema has events from Kafka or Redis',
    'It composes and clients see the fields. Routers take events from NATS only, and answer these fields with `EVENT_SOURCE_NOT_SERVED`: [events.md](events.md).',
    ({ fields, system }) =>
      `Events from ${system} are served by no router: clients see ${quoted(fields)} in the schema, and get the error EVENT_SOURCE_NOT_SERVED.`,
  ),
  FROM_SUBGRAPH_DOES_NOT_EXIST: entry<
    OnField & {
      /** The position of the subgraph that has the override. */
      readonly subgraph: number
      /** The name that the override has. */
      readonly from: string
    }
  >(
    'Hint. `@override(from:)` names no subgraph of the graph',
    'The override has no effect; correct the name or remove it. Behind a flag, the name of a replaced subgraph means the feature subgraph in its place.',
    ({ field, subgraph, from }, nameOf) => {
      const name = nameOf(subgraph)
      const source =
        from === name ? `from "${from}" itself` : `from "${from}", which is no subgraph of this graph`
      return `"${field}" in subgraph "${name}" overrides it ${source}; the override has no effect.`
    },
  ),
  OVERRIDDEN_FIELD_CAN_BE_REMOVED: entry<
    OnField & {
      /** The positions of the subgraph that resolved the field before, and of the one that took it over. */
      readonly before: number
      readonly by: number
    }
  >(
    'Hint. Another subgraph took the field over',
    'Remove it unless a key or `@requires` of that subgraph uses it.',
    ({ field, before, by }, nameOf) =>
      `"${field}" of subgraph "${nameOf(before)}" is overridden in subgraph "${nameOf(by)}"; it is no longer resolved there and can be removed unless a key or @requires of that subgraph uses it.`,
  ),
  PROVIDED_FIELD_NOT_SHAREABLE: entry<
    OnField & {
      /** The position of the subgraph that provides. */
      readonly subgraph: number
      /** The field that is provided. */
      readonly provided: string
      /** The positions of the subgraphs that do not share it. */
      readonly owners: readonly number[]
    }
  >(
    'Hint. A `@provides` names a field that its owner does not mark with `@shareable`',
    'It composes here, and not [elsewhere](supergraphs.md#what-composes-here-and-not-elsewhere): mark the field if other composers are to take the schema.',
    ({ field, subgraph, provided, owners }, nameOf) =>
      `"${field}" of subgraph "${nameOf(subgraph)}" provides "${provided}", which subgraph ${owners.map((owner) => `"${nameOf(owner)}"`).join(', ')} does not mark with @shareable. It composes here; other composers refuse it, so mark it if the schema is meant for them, too.`,
  ),
  SUBSCRIPTIONS_NOT_SERVED: entry<{ readonly fields: readonly string[] }>(
    'Hint. The schema has subscriptions',
    'They compose and clients see them. Routers answer subscriptions where `subscriptions.enabled` is true, and others refuse them with `SUBSCRIPTIONS_NOT_SUPPORTED`: [subscriptions.md](subscriptions.md).',
    ({ fields }) =>
      `Subscriptions are served only by routers with subscriptions.enabled: clients see ${quoted(fields)} in the schema, and get the error SUBSCRIPTIONS_NOT_SUPPORTED from other routers.`,
  ),
  INCONSISTENT_BUT_COMPATIBLE_FIELD_TYPE: entry<Published>(
    'Hint. A shared field has different types that fit',
    'Clients see the widest; give it one type if that is not meant.',
    ({ coordinate, published }) =>
      `Field "${coordinate}" has different types that fit; clients see "${published}".`,
  ),
  INCONSISTENT_BUT_COMPATIBLE_ARGUMENT_TYPE: entry<Published>(
    'Hint. An argument or input field has different types that fit',
    'Clients see the narrowest; give it one type if that is not meant.',
    ({ coordinate, published }) =>
      `"${coordinate}" has different types that fit; clients see "${published}".`,
  ),
  INCONSISTENT_ARGUMENT_PRESENCE: entry<OnField & { readonly argument: string }>(
    'Hint. An optional argument is missing in another subgraph that resolves the field',
    'The argument is left out of the graph: add it there, too, or accept that clients cannot give it.',
    ({ field, argument }) =>
      `Argument "${field}(${argument}:)" is left out of the graph, as not all the subgraphs that resolve "${field}" have it.`,
  ),
  INCONSISTENT_DEFAULT_VALUE_PRESENCE: entry<At>(
    'Hint. An argument has a default in some subgraphs only',
    'The default is not published: give it everywhere, or nowhere.',
    ({ coordinate }) =>
      `Argument "${coordinate}" has a default in some subgraphs only. Clients see none; each subgraph fills in its own.`,
  ),
  INCONSISTENT_INPUT_OBJECT_FIELD: entry<OnField & { readonly type: string }>(
    'Hint. An optional input field is missing in another subgraph that has the input type',
    'The field is left out of the graph: add it there, too.',
    ({ field, type }) =>
      `Input field "${field}" is left out of the graph, as not all the subgraphs that define "${type}" have it.`,
  ),
  INCONSISTENT_ENUM_VALUE_FOR_INPUT_ENUM: entry<{ readonly type: string; readonly value: string }>(
    'Hint. An enum that is only an input has a value that another subgraph lacks',
    'The value is left out of the graph: add it there, too.',
    ({ type, value }) =>
      `Value "${value}" is left out of the input enum "${type}", as not all the subgraphs that define "${type}" have it.`,
  ),
  INCONSISTENT_DESCRIPTION: entry<At>(
    'Hint. Subgraphs describe a type or a field differently',
    'Clients see one of the descriptions; agree on one.',
    ({ coordinate }) => `"${coordinate}" has different descriptions; clients see one of them.`,
  ),
}

const LISTED = 5

/** `"a", "b" and 3 more` */
function listedFirst(coordinates: readonly string[]): string {
  const shown = quoted(coordinates.slice(0, LISTED))
  const more = coordinates.length - LISTED
  return more > 0 ? `${shown} and ${String(more)} more` : shown
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ')
}
