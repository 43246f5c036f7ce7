/** Entries about root fields that are connected to events. */
import type { SubjectProblem } from '@switchyard/contracts/event-subjects'
import { entry } from './entry.ts'

type OnField = { readonly field: string }
type ByDirective = OnField & { readonly directive: string }

export const EVENTS = {
  EVENT_DIRECTIVE_INVALID: entry<
    ByDirective &
      (
        | { readonly kind: 'wrong-root'; readonly root: string }
        | { readonly kind: 'second'; readonly first: string }
        | { readonly kind: 'no-subscription' }
        | { readonly kind: 'missing-argument' | 'unknown-argument' | 'no-text'; readonly argument: string }
        | { readonly kind: 'no-provider' | 'no-stream' }
        | { readonly kind: 'not-published'; readonly type: string }
        | { readonly kind: 'no-object'; readonly type: string }
      )
  >(
    'A directive of events (`@edfs__…`) stands where it means nothing, has wrong arguments, or its field returns the wrong type',
    'Subscribe on fields of `Subscription`, publish on fields of `Mutation` that return `edfs__PublishResult!`, request on fields of `Query`: [events.md](events.md).',
    (facts) => {
      const on = `@${facts.directive} on "${facts.field}"`
      switch (facts.kind) {
        case 'wrong-root':
          return `${on} has no meaning there; it belongs to a field of the type ${facts.root}.`
        case 'second':
          return `${on} stands beside @${facts.first}; a field has one source of events, so remove one of them.`
        case 'no-subscription':
          return `${on} has nothing to filter; it belongs to a field of Subscription that has a source of events, as @edfs__natsSubscribe.`
        case 'missing-argument':
          return `${on} lacks the argument "${facts.argument}".`
        case 'unknown-argument':
          return `${on} has no argument "${facts.argument}"; correct the name, or remove it.`
        case 'no-text':
          return `"${facts.argument}" of ${on} has to be written out, as a string or, where there may be several, a list of strings.`
        case 'no-provider':
          return `"providerId" of ${on} has to be a string of letters, digits, "_" and "-" with 64 characters at most; it is the name of a provider in the settings of routers.`
        case 'no-stream':
          return `"streamConfiguration" of ${on} has to have the texts "streamName" and "consumerName", which are letters, digits, "_" and "-", and may have "consumerInactiveThreshold", seconds from 1 to 86400.`
        case 'not-published':
          return `"${facts.field}" returns "${facts.type}"; a field with @${facts.directive} returns "edfs__PublishResult!".`
        case 'no-object':
          return `"${facts.field}" returns "${facts.type}"; a field with @${facts.directive} returns one object that is never null, as "Product!".`
        default:
          return facts satisfies never
      }
    },
  ),
  EVENT_SUBJECT_INVALID: entry<
    ByDirective & { readonly subject: string } & (
        | { readonly kind: SubjectProblem }
        | { readonly kind: 'unknown-argument' | 'no-leaf'; readonly argument: string }
        | { readonly kind: 'nonsense'; readonly text: string }
      )
  >(
    'A directive of events names a subject that NATS does not have or that is reserved, or an argument that the field does not have',
    'Begin with a word of your own, and write `{{ args.name }}` for an argument: [events.md](events.md#subjects).',
    (facts) => {
      const of = `The subject "${shortened(facts.subject)}" of @${facts.directive} on "${facts.field}"`
      switch (facts.kind) {
        case 'unknown-argument':
          return `${of} uses the argument "${facts.argument}", which the field does not have.`
        case 'no-leaf':
          return `${of} uses the argument "${facts.argument}", which is a list or an input object; name a scalar or an enum.`
        case 'nonsense':
          return `${of} has "${shortened(facts.text)}"; write an argument as "{{ args.name }}".`
        case 'empty':
          return `${of} is empty; name a subject.`
        case 'too-long':
          return `${of} is longer than 1024 characters.`
        case 'no-subject':
          return `${of} is none of NATS; expected tokens with "." between them, without spaces, in which "*" is a token of its own, and ">" the last one.`
        case 'open-beginning':
          return `${of} begins with a wildcard or an argument, so that it might be any subject; its first token has to be written out.`
        case 'reserved':
          return `${of} is reserved: subjects that begin with "$", with "_INBOX", or as those of Switchyard itself do ("registry", "compositions", "configs", "config", "router", "composer") are no source of events.`
        case 'wildcard':
          return `${of} has a wildcard; only what is subscribed to may have one.`
        default:
          return facts satisfies never
      }
    },
  ),
  EVENT_FILTER_INVALID: entry<OnField & { readonly kind: FilterKind; readonly text: string }>(
    'The condition of `@openfed__subscriptionFilter` is none, or names a field or an argument that does not exist',
    'Write `{ IN: { fieldPath: "id", values: ["{{ args.ids }}"] } }`, or such conditions in `AND`, `OR` and `NOT`: [events.md](events.md#filters).',
    ({ field, kind, text }) =>
      `The condition of @openfed__subscriptionFilter on "${field}" ${FILTER_SENTENCES[kind](text)}`,
  ),
  EVENT_GRAPH_INVALID: entry<
    | ({ readonly kind: 'ordinary-field' } & OnField)
    | { readonly kind: 'resolvable-key'; readonly type: string }
    | { readonly kind: 'publish-result' }
  >(
    'A subgraph with root fields that are connected to events has root fields that are not, or a key by which it would have to find objects',
    'Nobody answers calls of such a subgraph. Put ordinary fields in a subgraph of their own, and write `@key(fields: "…", resolvable: false)`: [events.md](events.md#the-schema).',
    (facts) => {
      switch (facts.kind) {
        case 'ordinary-field':
          return `"${facts.field}" has no source of events, and other root fields of the subgraph have one; nobody answers calls of such a subgraph. Move the field to a subgraph of its own, or give it a directive as @edfs__natsRequest.`
        case 'resolvable-key':
          return `The key of "${facts.type}" says that the subgraph finds objects by it, and nobody answers calls of a subgraph of events; write @key(fields: "…", resolvable: false).`
        case 'publish-result':
          return 'The type "edfs__PublishResult" has another meaning than that of its specification; write type edfs__PublishResult { success: Boolean! }, or leave it out.'
        default:
          return facts satisfies never
      }
    },
  ),
}

/** The mistakes in conditions. */
type FilterKind = keyof typeof FILTER_SENTENCES

const FILTER_SENTENCES = {
  'no-condition': () => 'has to be an object with exactly one of AND, IN, NOT and OR in each place.',
  'no-list': (text: string) => `has no condition in ${text}; give a list of conditions.`,
  'too-deep': (text: string) => `has more than ${text} levels.`,
  'too-many': (text: string) => `has more than ${text} conditions in one list.`,
  'no-path': () => 'has an IN without "fieldPath", the names of fields with "." between them.',
  'unknown-path': (text: string) =>
    `names "${shortened(text)}", which is no scalar or enum in the events of the field.`,
  'no-values': (text: string) => `has an IN without "values", a list of 1 to ${text} values.`,
  'no-value': (text: string) =>
    text === ''
      ? 'has a value that is no string, number, Boolean or null.'
      : `has the value "${shortened(text)}"; an argument stands alone, as "{{ args.name }}".`,
  'unknown-argument': (text: string) => `uses the argument "${text}", which the field does not have.`,
} as const satisfies Readonly<Record<string, (text: string) => string>>

/** Subjects may be as long as an author likes. */
function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}
