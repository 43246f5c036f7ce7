/**
 * Operations on a client schema, the same for the same seed: first some that reach every root field, then
 * some that reach every field of every type, then random ones with fragments, variables, aliases, @include
 * and @skip.
 */
import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isUnionType,
} from 'graphql'
import { Random } from '../random/random.ts'
import { coveringOperation, type CoveringTarget, type Step } from './covering-operation.ts'
import { randomOperation } from './random-operation.ts'
import type { SampleOperation } from './sample-operation.ts'

export type SampleOperationsOptions = {
  readonly count: number
  readonly seed?: number
  readonly queriesOnly?: boolean
}

/** Names that no schema is likely to use for anything. */
const ALIASES = ['first_alias', 'second_alias', 'third_alias']
const FIELDS_AT_ONCE = 8
const TAPE = 120

/** Returns at most `count` operations. If there are fewer fields to reach, the others are random. */
export function sampleOperations(
  schema: GraphQLSchema,
  { count, seed = 0, queriesOnly = false }: SampleOperationsOptions,
): readonly SampleOperation[] {
  const random = new Random(seed)
  const tape = (length: number) => Array.from({ length }, () => random.below(5040))
  const { roots, others } = targets(schema, queriesOnly)
  // A third stays for random ones, which find what nobody thought of.
  const covering = [...random.shuffled(roots), ...random.shuffled(others)].slice(
    0,
    Math.ceil((count * 2) / 3),
  )
  const operations = covering.map((target) => coveringOperation(schema, tape(40), target))
  while (operations.length < count) {
    operations.push(randomOperation(schema, tape(10 + random.below(TAPE)), { aliases: ALIASES, queriesOnly }))
  }
  return operations.map((operation, index) => ({ ...operation, name: `generated ${index + 1}` }))
}

type Place = { readonly kind: 'query' | 'mutation'; readonly path: readonly Step[] }

function targets(
  schema: GraphQLSchema,
  queriesOnly: boolean,
): { readonly roots: readonly CoveringTarget[]; readonly others: readonly CoveringTarget[] } {
  const roots: CoveringTarget[] = []
  const others: CoveringTarget[] = []
  for (const [type, place] of shortestPaths(schema, queriesOnly)) {
    const fields = isUnionType(type) ? [] : Object.keys(type.getFields())
    if (place.path.length === 0) {
      // One at a time: they are where operations begin, and mutations run one after the other.
      roots.push(...fields.map((name) => ({ ...place, on: type, fields: [name] })))
      continue
    }
    for (let start = 0; start < Math.max(1, fields.length); start += FIELDS_AT_ONCE)
      others.push({ ...place, on: type, fields: fields.slice(start, start + FIELDS_AT_ONCE) })
  }
  return { roots, others: others.filter(({ on, fields }) => isUnionType(on) || fields.length > 0) }
}

/** Returns for every type the path with the fewest fields that leads to it. */
function shortestPaths(
  schema: GraphQLSchema,
  queriesOnly: boolean,
): ReadonlyMap<GraphQLCompositeType, Place> {
  const places = new Map<GraphQLCompositeType, Place>()
  const query = schema.getQueryType()
  const mutation = queriesOnly ? null : schema.getMutationType()
  if (query !== null && query !== undefined) places.set(query, { kind: 'query', path: [] })
  if (mutation !== null && mutation !== undefined) places.set(mutation, { kind: 'mutation', path: [] })
  // A map gives its entries in the order they came in, those that come in meanwhile, too.
  for (const [type, { kind, path }] of places) {
    if (isAbstractType(type)) {
      for (const possible of schema.getPossibleTypes(type))
        if (!places.has(possible)) places.set(possible, { kind, path })
    }
    if (isUnionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const child = getNamedType(field.type)
      if (!isCompositeType(child) || places.has(child)) continue
      places.set(child, { kind, path: [...path, { on: type, field: field.name }] })
    }
  }
  return places
}
