/**
 * Finds changes that break clients, and that graphql-inspector does not report as breaking for schemas as
 * routers hold them:
 *
 * - an input that loses its default and thereby becomes required (`first: Int! = 10` to `first: Int!`), which
 *   it reports as dangerous only;
 * - a directive that may no longer be repeated, likewise;
 * - `@oneOf`, which it finds in SDL only, and a client schema is none.
 */
import {
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import type { SchemaChange } from './schema-change.ts'

export function withBreakage(
  change: SchemaChange,
  before: GraphQLSchema,
  after: GraphQLSchema,
): SchemaChange {
  switch (change.type) {
    case 'FIELD_ARGUMENT_DEFAULT_CHANGED':
    case 'INPUT_FIELD_DEFAULT_VALUE_CHANGED':
    case 'DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED':
      return isRequired(after, change.path) && !isRequired(before, change.path)
        ? { ...change, criticality: 'breaking', message: `${change.message}: it is required now` }
        : change
    case 'DIRECTIVE_REPEATABLE_REMOVED':
      return { ...change, criticality: 'breaking' }
    default:
      return change
  }
}

export function oneOfChanges(before: GraphQLSchema, after: GraphQLSchema): readonly SchemaChange[] {
  return Object.values(after.getTypeMap()).flatMap((type): readonly SchemaChange[] => {
    const old = before.getType(type.name)
    if (!isInputObjectType(type) || !isInputObjectType(old) || type.isOneOf === old.isOneOf) return []
    return type.isOneOf
      ? [
          {
            criticality: 'breaking',
            type: 'INPUT_OBJECT_ONE_OF_ADDED',
            path: type.name,
            message: `Input object type '${type.name}' takes exactly one of its fields now (@oneOf)`,
          },
        ]
      : [
          {
            criticality: 'safe',
            type: 'INPUT_OBJECT_ONE_OF_REMOVED',
            path: type.name,
            message: `Input object type '${type.name}' takes more than one of its fields now (no @oneOf)`,
          },
        ]
  })
}

/** `path` is `Type.field.argument`, `Input.field` or `@directive.argument`. */
function isRequired(schema: GraphQLSchema, path: string): boolean {
  const [owner = '', member = '', argument = ''] = path.split('.')
  if (owner.startsWith('@')) {
    const found = schema.getDirective(owner.slice(1))?.args.find(({ name }) => name === member)
    return found !== undefined && isRequiredArgument(found)
  }
  const type = schema.getType(owner)
  if (isInputObjectType(type)) {
    const field = type.getFields()[member]
    return field !== undefined && isRequiredInputField(field)
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return false
  const found = type.getFields()[member]?.args.find(({ name }) => name === argument)
  return found !== undefined && isRequiredArgument(found)
}
