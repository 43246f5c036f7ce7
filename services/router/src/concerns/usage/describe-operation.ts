/**
 * Describes an operation without any value of a client: prints it with the fragments that it reaches, and
 * with `0`, `""`, `false`, `[]` and `{}` for literals, and lists the coordinates of the schema that it uses.
 * `null` and values of enums of the schema stay. Done in slices, since clients choose how long it is.
 */
import { createHash } from 'node:crypto'
import type { Operation } from '@switchyard/engine'
import type { Steps } from './in-steps.ts'
import { MAX_USED_DOCUMENT } from '@switchyard/contracts'
import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  type ArgumentNode,
} from 'graphql'

/** Nodes after which it says how many there were. */
const TOLD_NODES = 100
/** Steps that printing the text takes. */
const PRINTING = 300
/** Characters that are hashed at a time. */
const HASHED_AT_ONCE = 4096
const MAX_COORDINATES = 20_000
const MAX_COORDINATE = 500
const MAX_DEPTH = 400

/** The facts about an operation that are told. */
export type DescribedOperation = {
  readonly hash: string
  /** Null if it is longer than what may be told. */
  readonly text: string | null
  /** Null if there are too many. */
  readonly coordinates: readonly string[] | null
}

/** Describes an operation, in steps of about a node. */
export function* describeOperation(operation: Operation): Steps<DescribedOperation> {
  const description = new Description(operation)
  yield* description.write()
  yield PRINTING
  return description.result
}

/** The operation as it is written. */
class Description {
  readonly #operation: Operation
  readonly #schema: GraphQLSchema
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Names of the fragments that the operation reaches, in the order in which it names them. */
  readonly #reached = new Set<string>()
  readonly #coordinates = new Set<string>()
  readonly #text = new HashedText()
  #nodes = 0
  #isTooMuch = false

  constructor(operation: Operation) {
    this.#operation = operation
    this.#schema = operation.graph.validationSchema
    this.#fragments = new Map(
      operation.document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    )
  }

  get result(): DescribedOperation {
    const coordinates = this.#isTooMuch ? null : [...this.#coordinates].sort()
    return { hash: this.#text.hash, text: pretty(this.#text.text), coordinates }
  }

  *write(): Steps {
    const { kind, name, definition } = this.#operation
    this.#text.add(name === null ? kind : `${kind} ${name}`)
    yield* this.#variables(definition.variableDefinitions ?? [])
    yield* this.#directives(definition.directives)
    yield* this.#selections(
      definition.selectionSet,
      this.#schema.getRootType(definition.operation) ?? null,
      0,
    )
    // Grows while fragments are written that name others.
    for (const fragmentName of this.#reached) {
      const fragment = this.#fragments.get(fragmentName)
      if (fragment === undefined) continue
      const on = fragment.typeCondition.name.value
      this.#text.add(` fragment ${fragmentName} on ${on}`)
      yield* this.#directives(fragment.directives)
      yield* this.#selections(fragment.selectionSet, this.#schema.getType(on) ?? null, 0)
    }
  }

  *#variables(definitions: readonly VariableDefinitionNode[]): Steps {
    if (definitions.length === 0) return
    this.#text.add('(')
    for (const { variable, type, defaultValue, directives } of definitions) {
      yield* this.#step()
      this.#text.add(`$${variable.name.value}:${print(type)}`)
      if (defaultValue !== undefined) {
        const declared = typeFromAST(this.#schema, type)
        this.#text.add('=')
        yield* this.#value(defaultValue, isInputType(declared) ? declared : null, 0)
      }
      yield* this.#directives(directives)
      this.#text.add(' ')
    }
    this.#text.add(')')
  }

  *#selections({ selections }: SelectionSetNode, parent: GraphQLNamedType | null, depth: number): Steps {
    if (depth > MAX_DEPTH) {
      this.#leaveOut()
      return
    }
    this.#text.add('{')
    for (const selection of selections) {
      yield* this.#step()
      yield* this.#selection(selection, parent, depth)
    }
    this.#text.add('}')
  }

  *#selection(selection: SelectionNode, parent: GraphQLNamedType | null, depth: number): Steps {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      this.#reached.add(selection.name.value)
      this.#text.add(`...${selection.name.value}`)
      yield* this.#directives(selection.directives)
      this.#text.add(' ')
      return
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const on = selection.typeCondition?.name.value
      this.#text.add(on === undefined ? '...' : `...on ${on}`)
      yield* this.#directives(selection.directives)
      const type = on === undefined ? parent : (this.#schema.getType(on) ?? null)
      yield* this.#selections(selection.selectionSet, type, depth + 1)
      return
    }
    const name = selection.name.value
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
    if (field !== undefined) this.#use(`${parent?.name}.${name}`)
    this.#text.add(selection.alias === undefined ? name : `${selection.alias.value}:${name}`)
    yield* this.#arguments(selection.arguments, field?.args, field && `${parent?.name}.${name}`)
    yield* this.#directives(selection.directives)
    const type = field === undefined ? null : getNamedType(field.type)
    if (selection.selectionSet === undefined) this.#text.add(' ')
    else yield* this.#selections(selection.selectionSet, type, depth + 1)
  }

  /** `of`: the coordinate of their field; undefined for arguments that have none. */
  *#arguments(
    given: readonly ArgumentNode[] | undefined,
    declared: readonly GraphQLArgument[] | undefined,
    of: string | undefined,
    keepsBooleans = false,
  ): Steps {
    if (given === undefined || given.length === 0) return
    this.#text.add('(')
    for (const { name, value } of given) {
      yield* this.#step()
      const argument = declared?.find((known) => known.name === name.value)
      if (of !== undefined && argument !== undefined) this.#use(`${of}(${name.value}:)`)
      this.#text.add(`${name.value}:`)
      if (keepsBooleans && value.kind === Kind.BOOLEAN) this.#text.add(String(value.value))
      else yield* this.#value(value, argument?.type ?? null, 0)
      this.#text.add(' ')
    }
    this.#text.add(')')
  }

  *#directives(directives: readonly DirectiveNode[] | undefined): Steps {
    for (const { name, arguments: given } of directives ?? []) {
      yield* this.#step()
      this.#text.add(`@${name.value}`)
      const declared = this.#schema.getDirective(name.value)?.args
      yield* this.#arguments(given, declared, undefined, CONDITIONS.has(name.value))
    }
  }

  /** Writes what stands for a value, and notes the names of the schema in it. `type`: null if unknown. */
  *#value(value: ValueNode, type: GraphQLInputType | null, depth: number): Steps {
    this.#text.add(substituteOf(value, type))
    yield* this.#names(value, type, depth)
  }

  *#names(value: ValueNode, type: GraphQLInputType | null, depth: number): Steps {
    yield* this.#step()
    if (depth > MAX_DEPTH) {
      this.#leaveOut()
      return
    }
    const named = type === null ? undefined : getNamedType(type)
    if (value.kind === Kind.LIST) for (const item of value.values) yield* this.#names(item, type, depth + 1)
    else if (value.kind === Kind.OBJECT && isInputObjectType(named)) {
      const fields = named.getFields()
      for (const { name, value: own } of value.fields) {
        const field = fields[name.value]
        if (field === undefined) continue
        this.#use(`${named.name}.${name.value}`)
        yield* this.#names(own, field.type, depth + 1)
      }
    } else if (value.kind === Kind.ENUM && isEnumType(named) && named.getValue(value.value) != null)
      this.#use(`${named.name}.${value.value}`)
  }

  /** Leaves out what nests too deep: such an operation may use everything. */
  #leaveOut(): void {
    this.#isTooMuch = true
    this.#text.drop()
  }

  #use(coordinate: string): void {
    if (this.#isTooMuch) return
    this.#coordinates.add(coordinate)
    if (coordinate.length > MAX_COORDINATE || this.#coordinates.size > MAX_COORDINATES) this.#isTooMuch = true
  }

  *#step(): Steps {
    if (++this.#nodes % TOLD_NODES === 0) yield TOLD_NODES
  }
}

/** Returns what stands for a value. Custom scalars take names that are the client's own. */
function substituteOf(value: ValueNode, type: GraphQLInputType | null): string {
  switch (value.kind) {
    case Kind.VARIABLE:
      return `$${value.name.value}`
    case Kind.INT:
    case Kind.FLOAT:
      return '0'
    case Kind.BOOLEAN:
      return 'false'
    case Kind.NULL:
      return 'null'
    case Kind.LIST:
      return '[]'
    case Kind.OBJECT:
      return '{}'
    case Kind.ENUM: {
      const known = type === null ? undefined : getNamedType(type)
      return isEnumType(known) && known.getValue(value.value) != null ? value.value : '""'
    }
    case Kind.STRING:
      return '""'
    default:
      return value satisfies never
  }
}

/** Directives whose Boolean literals decide which fields an operation uses. */
const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include', 'defer'])

/** Text that is hashed as it grows, and kept while it is short. */
class HashedText {
  readonly #hash = createHash('sha256')
  #pending = ''
  #text: string | null = ''

  add(text: string): void {
    this.#pending += text
    if (this.#pending.length >= HASHED_AT_ONCE) this.#flush()
  }

  /** Only its hash is of use. */
  drop(): void {
    this.#text = null
  }

  get hash(): string {
    this.#flush()
    return this.#hash.copy().digest('hex')
  }

  /** Null if it became too long. */
  get text(): string | null {
    this.#flush()
    return this.#text
  }

  #flush(): void {
    this.#hash.update(this.#pending)
    if (this.#text !== null) this.#text += this.#pending
    if (this.#text !== null && this.#text.length > MAX_USED_DOCUMENT) this.#text = null
    this.#pending = ''
  }
}

/** Returns the text as people print operations; null if it is too long then. */
function pretty(text: string | null): string | null {
  if (text === null) return null
  const printed = print(parse(text, { noLocation: true })).replaceAll(/\{ +\}/g, '{}')
  return printed.length <= MAX_USED_DOCUMENT ? printed : null
}
