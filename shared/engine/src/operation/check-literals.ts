/**
 * Values of Correct Type, https://spec.graphql.org/draft/#sec-Values-of-Correct-Type. The rule of graphql-js
 * prints the whole literal into each message about a part of it; this one shows the beginning.
 */
import {
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type ObjectFieldNode,
  type ObjectValueNode,
  type ValidationRule,
  type ValueNode,
} from 'graphql'
import { suggestionOf } from './did-you-mean.ts'
import { excerpt } from './excerpt.ts'
import type { SourceLines } from './source-lines.ts'

/** The validation rule, for use with graphql-js; `lines` tells where in the document a literal is. */
export function literalsRule(lines: SourceLines): ValidationRule {
  return (context) => {
    const check = new LiteralCheck(lines, (message, node) =>
      context.reportError(new GraphQLError(message, { nodes: node })),
    )
    const judge = (node: ValueNode, type: GraphQLInputType | null | undefined): false => {
      if (type != null) check.value(node, type)
      return false
    }
    const visit = (node: ValueNode) => judge(node, context.getInputType())
    return {
      NullValue: visit,
      ListValue: (node) => judge(node, context.getParentInputType()),
      ObjectValue: visit,
      EnumValue: visit,
      IntValue: visit,
      FloatValue: visit,
      StringValue: visit,
      BooleanValue: visit,
    }
  }
}

class LiteralCheck {
  readonly #lines: SourceLines
  readonly #report: (message: string, node: ValueNode | ObjectFieldNode) => void

  constructor(lines: SourceLines, report: (message: string, node: ValueNode | ObjectFieldNode) => void) {
    this.#lines = lines
    this.#report = report
  }

  value(node: ValueNode, type: GraphQLInputType): void {
    // Another rule checks how variables are used.
    if (node.kind === Kind.VARIABLE) return
    if (isNonNullType(type)) {
      if (node.kind === Kind.NULL)
        return this.#report(`Expected value of non-null type "${type.toString()}" not to be null.`, node)
      return this.value(node, type.ofType)
    }
    if (node.kind === Kind.NULL) return
    if (isListType(type)) {
      const items = node.kind === Kind.LIST ? node.values : [node]
      for (const item of items) this.value(item, type.ofType)
    } else if (isInputObjectType(type)) this.#object(node, type)
    else this.#leaf(node, type)
  }

  #object(node: ValueNode, type: GraphQLInputObjectType): void {
    if (node.kind !== Kind.OBJECT)
      return this.#report(
        `Expected value of type "${type.name}" to be an object, found: ${this.#shown(node)}.`,
        node,
      )
    const declared = type.getFields()
    const given = new Map(node.fields.map((field) => [field.name.value, field]))
    for (const field of Object.values(declared)) {
      const value = given.get(field.name)?.value
      if (value !== undefined) this.value(value, field.type)
      else if (isRequiredInputField(field))
        this.#report(`Expected value of type "${type.name}" to include required field "${field.name}".`, node)
    }
    for (const field of node.fields) {
      const name = field.name.value
      if (Object.hasOwn(declared, name)) continue
      const suggestion = suggestionOf(name, Object.keys(declared))
      this.#report(
        `Expected value of type "${type.name}" not to include unknown field "${excerpt(name)}".${suggestion}`,
        field,
      )
    }
    if (type.isOneOf) this.#oneOf(node, type)
  }

  #oneOf(node: ObjectValueNode, type: GraphQLInputObjectType): void {
    const declared = type.getFields()
    const known = node.fields.filter(({ name }) => Object.hasOwn(declared, name.value))
    if (known.length === 1 && known[0]?.value.kind !== Kind.NULL) return
    this.#report(
      `Within OneOf Input Object type "${type.name}", exactly one field must be specified, and the value for that field must be non-null.`,
      node,
    )
  }

  #leaf(node: ValueNode, type: GraphQLLeafType): void {
    if (isEnumType(type)) {
      const names = () => type.getValues().map(({ name }) => name)
      if (node.kind !== Kind.ENUM) {
        const meant = node.kind === Kind.STRING ? suggestionOf(node.value, names()) : ''
        this.#report(
          `Enum "${type.name}" cannot represent non-enum value: ${this.#shown(node)}.${meant}`,
          node,
        )
      } else if (type.getValue(node.value) == null) {
        const meant = suggestionOf(node.value, names())
        this.#report(`Value "${excerpt(node.value)}" does not exist in "${type.name}" enum.${meant}`, node)
      }
      return
    }
    switch (type.name) {
      case 'Int':
        if (node.kind !== Kind.INT)
          this.#report(`Int cannot represent non-integer value: ${this.#shown(node)}`, node)
        else if (!isInt32(node.value))
          this.#report(`Int cannot represent non 32-bit signed integer value: ${this.#shown(node)}`, node)
        return
      case 'Float':
        if (node.kind !== Kind.FLOAT && node.kind !== Kind.INT)
          this.#report(`Float cannot represent non numeric value: ${this.#shown(node)}`, node)
        return
      case 'String':
        if (node.kind !== Kind.STRING)
          this.#report(`String cannot represent a non string value: ${this.#shown(node)}`, node)
        return
      case 'Boolean':
        if (node.kind !== Kind.BOOLEAN)
          this.#report(`Boolean cannot represent a non boolean value: ${this.#shown(node)}`, node)
        return
      case 'ID':
        if (node.kind !== Kind.STRING && node.kind !== Kind.INT)
          this.#report(`ID cannot represent a non-string and non-integer value: ${this.#shown(node)}`, node)
        return
      default:
      // Custom scalars take every value.
    }
  }

  #shown({ loc }: ValueNode): string {
    return loc === undefined ? 'another value' : this.#lines.excerpt(loc.start, loc.end)
  }
}

function isInt32(text: string): boolean {
  return Math.trunc(Number(text)) === (Number(text) | 0)
}
