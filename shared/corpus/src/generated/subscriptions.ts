/**
 * Worlds with subscriptions: root fields that one subgraph alone answers are fields of the subscription root
 * as well. An event is then what that subgraph answers at the moment, so the one server that answers the
 * whole operation knows what each event must become.
 */
import {
  type FieldDefinitionNode,
  GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
  parse,
  print,
} from 'graphql'
import { RequestError, prepareOperation } from '@switchyard/engine'
import { randomOperation } from '@switchyard/samples'
import type { Random } from '@switchyard/samples'
import type { SuiteEngine } from '../harness/run-engine.ts'
import type { SuiteOperation } from '../harness/suite.ts'
import type { World } from './world.ts'

export { type Bench, describeCase, openWorld } from './check.ts'
export { generateWorld } from './generate.ts'
export { eventTable } from './values.ts'

/** Directives with which a root field has more than one owner, or is not for clients. */
const NOT_ALONE: ReadonlySet<string> = new Set(['external', 'inaccessible', 'override', 'shareable'])

const TAPE = 120
const TRIES = 30

/** Returns the world with a subscription root; null if no root field of it has one owner. */
export function withSubscriptions(world: World): World | null {
  const fields = new Map(Object.entries(world.subgraphs).map(([name, sdl]) => [name, rootFields(sdl)]))
  const owners = new Map<string, number>()
  for (const one of fields.values())
    for (const { name } of one) owners.set(name.value, (owners.get(name.value) ?? 0) + 1)
  const isAlone = ({ name, directives = [] }: FieldDefinitionNode): boolean =>
    owners.get(name.value) === 1 && !directives.some((one) => NOT_ALONE.has(one.name.value))
  const alone = new Map([...fields].map(([name, those]) => [name, those.filter(isAlone)]))
  const names = new Set([...alone.values()].flat().map(({ name }) => name.value))
  const whole = rootFields(world.whole).filter(
    (field) => names.has(field.name.value) && !field.directives?.some((one) => NOT_ALONE.has(one.name.value)),
  )
  if (whole.length === 0 || whole.length < names.size) return null
  return {
    ...world,
    whole: withRoot(world.whole, whole),
    subgraphs: Object.fromEntries(
      Object.entries(world.subgraphs).map(([name, sdl]) => [name, withRoot(sdl, alone.get(name) ?? [])]),
    ),
  }
}

/** Generates a subscription; null if none was found in a number of tries. */
export function generateSubscription(engine: SuiteEngine, random: Random): SuiteOperation | null {
  const config = engine.schema.toConfig()
  const schema = new GraphQLSchema({ ...config, query: engine.schema.getSubscriptionType(), mutation: null })
  for (let tries = 0; tries < TRIES; tries++) {
    const tape = Array.from({ length: 8 + random.below(TAPE) }, () => random.below(5040))
    const { query, ...operation } = randomOperation(schema, tape, { queriesOnly: true })
    const subscription = { ...operation, query: query.replace(/^query/, 'subscription') }
    if (isValid(engine, subscription.query)) return subscription
  }
  return null
}

/** Tells whether the operation has one root field, as subscriptions must. */
function isValid({ graph }: SuiteEngine, document: string): boolean {
  try {
    prepareOperation(graph, { document, subscriptions: true })
    return true
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}

function rootFields(sdl: string): readonly FieldDefinitionNode[] {
  const roots = parse(sdl, { noLocation: true }).definitions.filter(
    (definition): definition is ObjectTypeDefinitionNode | ObjectTypeExtensionNode =>
      (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION) &&
      definition.name.value === 'Query' &&
      !definition.directives?.some(({ name }) => NOT_ALONE.has(name.value)),
  )
  return roots.flatMap((root) => root.fields ?? [])
}

function withRoot(sdl: string, fields: readonly FieldDefinitionNode[]): string {
  if (fields.length === 0) return sdl
  return `${sdl}\ntype Subscription {\n${fields.map((field) => `  ${print(field)}`).join('\n')}\n}\n`
}
