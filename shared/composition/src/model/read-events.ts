/** The root fields of a subgraph that are connected to events, as its directives say. */
import { Kind, valueFromASTUntyped, type ConstDirectiveNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import {
  type EventDirective,
  eventDirective,
  ROOTS,
  SUBSCRIPTION_FILTER,
} from '../events/event-directives.ts'
import type { EventField, EventStreamTerms, TypeModel } from './model.ts'

const DEFAULT_PROVIDER = 'default'
const DEFAULT_INACTIVE_THRESHOLD = 30

/** Reads the fields. What the rules about events refuse is read as far as it goes. */
export function readEventFields(types: ReadonlyMap<string, TypeModel>): readonly EventField[] {
  const found: EventField[] = []
  for (const root of Object.values(ROOTS)) {
    const type = types.get(root)
    if (type?.kind !== 'object') continue
    for (const { name, node } of type.fields.values())
      for (const applied of node.directives ?? []) {
        const directive = eventDirective(applied.name.value)
        if (directive === null) continue
        const filter = node.directives?.find((one) => one.name.value === SUBSCRIPTION_FILTER)
        found.push(readField(`${root}.${name}`, directive, applied, filter))
      }
  }
  return found.length === 0 ? NONE : found
}

const NONE: readonly never[] = []

function readField(
  coordinate: string,
  { system, operation, subjects }: EventDirective,
  applied: ConstDirectiveNode,
  filter: ConstDirectiveNode | undefined,
): EventField {
  return {
    coordinate,
    system,
    operation,
    provider: textOf(argument(applied, 'providerId')) ?? DEFAULT_PROVIDER,
    subjects: textsOf(argument(applied, subjects)),
    stream: readStream(argument(applied, 'streamConfiguration')),
    filter: filter?.arguments?.find(({ name }) => name.value === 'condition')?.value ?? null,
  }
}

type Value = ReturnType<typeof argument>

/** The texts of an argument that is one text or a list of texts. */
function textsOf(value: Value): readonly string[] {
  const values = value?.kind === Kind.LIST ? value.values : value === undefined ? [] : [value]
  return values.flatMap((one) => (one.kind === Kind.STRING ? [one.value] : []))
}

function textOf(value: Value): string | null {
  return value?.kind === Kind.STRING ? value.value : null
}

function readStream(value: Value): EventStreamTerms | null {
  if (value?.kind !== Kind.OBJECT) return null
  const given: unknown = valueFromASTUntyped(value)
  const terms = typeof given === 'object' && given !== null ? new Map(Object.entries(given)) : new Map()
  const threshold: unknown = terms.get('consumerInactiveThreshold')
  return {
    stream: String(terms.get('streamName') ?? ''),
    consumer: String(terms.get('consumerName') ?? ''),
    inactiveThreshold: typeof threshold === 'number' ? threshold : DEFAULT_INACTIVE_THRESHOLD,
  }
}
