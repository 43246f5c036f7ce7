/** Sentences about definitions that the rules of GraphQL refuse, by the kind of mistake. */
import { quotedList } from './entry.ts'

/** Each function makes the sentences of one kind of mistake from its facts. */
export const DEFINITION_SENTENCES = {
  'unknown-type': ({ type, near }: { readonly type: string; readonly near: string | null }) =>
    `Unknown type "${type}"; define it, or correct the name.${near === null ? '' : ` Did you mean "${near}"?`}`,
  'unknown-root': ({ operation, type }: Root) =>
    `The schema sets its ${operation} root to unknown type ${type}; define the type, or name another one.`,
  'root-of-other-kind': ({ operation, type }: Root) =>
    `Type "${type}" is the ${operation} root and no object type; name an object type.`,
  'shared-root': ({ type, operations }: { readonly type: string; readonly operations: readonly string[] }) =>
    `Type "${type}" is the root type of ${operations.join(' and ')}; each kind of operation has a root type of its own.`,
  'repeated-root': ({ operation }: { readonly operation: string }) =>
    `The schema names more than one ${operation} root; keep one.`,
  'repeated-schema': () => 'The schema is defined more than once; write one definition, and extend it.',
  'repeated-type': ({ type }: { readonly type: string }) =>
    `Type "${type}" is defined more than once; keep one definition, or write "extend" before the others.`,
  'repeated-directive-definition': ({ directive }: { readonly directive: string }) =>
    `Directive "@${directive}" is defined more than once; keep one definition.`,
  'repeated-field': ({ coordinate }: At) => `Field "${coordinate}" is defined more than once; keep one.`,
  'repeated-value': ({ coordinate }: At) => `Enum value "${coordinate}" is defined more than once; keep one.`,
  'repeated-argument': ({ coordinate }: At) =>
    `Argument "${coordinate}" is defined more than once; keep one.`,
  'extension-of-other-kind': ({ type }: { readonly type: string }) =>
    `Type "${type}" is extended as another kind of type than it is; extend it as what it is defined as.`,
  'empty-type': ({
    type,
    members,
  }: {
    readonly type: string
    readonly members: 'fields' | 'values' | 'members'
  }) => `Type "${type}" has no ${members}; it needs at least one.`,
  'union-member': ({ union, member }: { readonly union: string; readonly member: string }) =>
    `Union "${union}" has the member "${member}", which is no object type; unions are of object types only.`,
  'no-output-type': ({ coordinate, type }: At & { readonly type: string }) =>
    `Field "${coordinate}" has the input type "${type}"; fields are of object types, interfaces, unions, enums or scalars.`,
  'no-input-type': ({ coordinate, type }: At & { readonly type: string }) =>
    `"${coordinate}" has the type "${type}", which is no input type; take an input type, an enum or a scalar.`,
  'required-deprecated': ({ coordinate }: At) =>
    `"${coordinate}" is required and cannot be deprecated; make it nullable, or give it a default.`,
  'default-value': ({ coordinate, type, value }: At & { readonly type: string; readonly value: string }) =>
    `The default ${value} of "${coordinate}" is no value of its type "${type}".`,
  'input-circle': ({ fields }: { readonly fields: readonly string[] }) =>
    `No value can be written for ${quotedList(fields)}, which require each other; make one of them nullable.`,
  'taken-name': ({ name }: { readonly name: string }) =>
    `Name "${name}" begins as the names that supergraphs have for themselves; choose another name.`,
  'name-of-link': ({ name }: { readonly name: string }) =>
    `Name "${name}" begins as the types of a specification that brings a composed directive, and clients do not see these; choose another name.`,
  'one-of-field': ({ coordinate }: At) =>
    `"${coordinate}" is a field of a @oneOf type; make it nullable, and leave out its default.`,
  'reserved-name': ({ name }: { readonly name: string }) =>
    `Name "${name}" begins with "__", which is reserved for introspection; choose another name.`,
}

type At = { readonly coordinate: string }
type Root = { readonly operation: string; readonly type: string }
