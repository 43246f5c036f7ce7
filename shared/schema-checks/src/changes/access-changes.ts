/**
 * Compares who may see what before and after: `@authenticated`, `@requiresScopes` and `@policy`, which a
 * client schema does not have. A client that does not meet a new rule gets a null, or nothing, where there
 * was a value.
 */
import { type AccessCondition, printCondition, readAccess } from '@switchyard/engine'
import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import type { SchemaChange } from './schema-change.ts'

/** A supergraph, and the schema that its clients see. */
export type ComparedGraph = { readonly supergraphSdl: string; readonly schema: GraphQLSchema }

/** One change for each type and field that both client schemas have. */
export function accessChanges(before: ComparedGraph, after: ComparedGraph): readonly SchemaChange[] {
  const was = rulesOf(before.supergraphSdl)
  const is = rulesOf(after.supergraphSdl)
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].flatMap((path): readonly SchemaChange[] => {
    if (!hasPath(before.schema, path) || !hasPath(after.schema, path)) return []
    const old = was.get(path) ?? []
    const now = is.get(path) ?? []
    const added = now.filter((condition) => !old.some((each) => implies(each, condition)))
    if (added.length > 0)
      return [
        {
          criticality: 'breaking',
          type: 'DIRECTIVE_USAGE_ADDED',
          path,
          message: `'${path}' is seen only by requests that meet ${added.map(printCondition).join(' and ')} now`,
        },
      ]
    const gone = old.filter((condition) => !now.some((each) => implies(each, condition)))
    if (gone.length === 0) return []
    return [
      {
        criticality: 'dangerous',
        type: 'DIRECTIVE_USAGE_REMOVED',
        path,
        message: `'${path}' is seen by more requests now: ${gone.map(printCondition).join(' and ')} no longer has to be met`,
      },
    ]
  })
}

/** Conditions by type (`Product`) and coordinate (`Product.price`). */
function rulesOf(supergraphSdl: string): ReadonlyMap<string, readonly AccessCondition[]> {
  const access = readAccess(supergraphSdl)
  if (access === null) return new Map()
  const { conditions, types, fields } = access
  return new Map(
    [...types, ...fields].map(([path, numbers]) => [
      path,
      numbers.flatMap((number) => conditions[number] ?? []),
    ]),
  )
}

function hasPath(schema: GraphQLSchema, path: string): boolean {
  const [name = '', field] = path.split('.')
  const type = schema.getType(name)
  if (field === undefined) return type !== undefined
  return (isObjectType(type) || isInterfaceType(type)) && type.getFields()[field] !== undefined
}

/** Whether everybody who meets `one` meets `other`. Only who is known has scopes or policies. */
function implies(one: AccessCondition, other: AccessCondition): boolean {
  if (other.kind === 'authenticated')
    return one.kind === 'authenticated' || one.anyOf.every((names) => names.length > 0)
  if (one.kind !== other.kind) return false
  return one.anyOf.every((names) =>
    other.anyOf.some((needed) => needed.every((name) => names.includes(name))),
  )
}
