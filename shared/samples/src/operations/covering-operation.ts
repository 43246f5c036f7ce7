/** An operation that asks for named fields of one type, and for little else. */
import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isUnionType,
} from 'graphql'
import { ArgumentWriter } from './argument-writer.ts'
import type { SampleOperation } from './sample-operation.ts'

/** A field on the way from a root type to another type. `on` is the type it is selected on. */
export type Step = { readonly on: GraphQLCompositeType; readonly field: string }

export type CoveringTarget = {
  readonly kind: 'query' | 'mutation'
  readonly path: readonly Step[]
  readonly on: GraphQLCompositeType
  readonly fields: readonly string[]
}

export function coveringOperation(
  schema: GraphQLSchema,
  tape: readonly number[],
  { kind, path, on, fields }: CoveringTarget,
): SampleOperation {
  const writer = new ArgumentWriter(tape)
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
  if (root === null || root === undefined) throw new Error(`The schema has no ${kind} type`)
  let at: GraphQLCompositeType = root
  let open = ''
  let close = ''
  const enter = (type: GraphQLCompositeType) => {
    if (type === at) return
    open += `... on ${type.name} { `
    close = ` }${close}`
    at = type
  }
  for (const step of path) {
    enter(step.on)
    const field = isUnionType(step.on) ? undefined : step.on.getFields()[step.field]
    const child = field === undefined ? undefined : getNamedType(field.type)
    if (field === undefined || !isCompositeType(child)) throw new Error(`${step.field} leads nowhere`)
    open += `${field.name}${writer.of(field)} { `
    close = ` }${close}`
    at = child
  }
  enter(on)
  const wanted = isUnionType(on)
    ? ['__typename']
    : fields.flatMap((name) => {
        const field = on.getFields()[name]
        if (field === undefined) return []
        const child = getNamedType(field.type)
        const below = isCompositeType(child) ? ` ${shallow(schema, child, writer)}` : ''
        return [`${field.name}${writer.of(field)}${below}`]
      })
  const text = `{ ${open}${wanted.join(' ')}${close} }`
  const { declarations, values } = writer
  return { name: 'covering', query: `${kind} Covering${declarations} ${text}`, variables: values }
}

/** The name of the type, where it can be known, and up to three fields of it that need nothing. */
function shallow(schema: GraphQLSchema, type: GraphQLCompositeType, writer: ArgumentWriter): string {
  if (isUnionType(type)) {
    const [member] = type.getTypes()
    return member === undefined
      ? '{ __typename }'
      : `{ __typename ... on ${member.name} ${shallow(schema, member, writer)} }`
  }
  const simple = Object.values(type.getFields()).filter(
    (field) => !isCompositeType(getNamedType(field.type)) && field.args.length === 0,
  )
  const start = simple.length > 3 ? writer.choose(simple.length - 2) : 0
  const names = simple.slice(start, start + 3).map(({ name }) => name)
  const hasKnownType = !isAbstractType(type) || schema.getPossibleTypes(type).length > 0
  return `{ ${(hasKnownType || names.length === 0 ? ['__typename', ...names] : names).join(' ')} }`
}
