/**
 * Works out, slowly, what has to be sent for an operation with `@defer`, from the operation and its whole
 * answer: which fragment owns which field, what is announced when, and which entries a part holds. It knows
 * nothing of plans and subgraphs. It leaves open only the order in which fragments are completed.
 */
import { isRecord } from '@switchyard/values'
import {
  type DocumentNode,
  type GraphQLObjectType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import {
  ancestorsOf,
  appliesTo,
  below,
  collect,
  type Collected,
  type Ownership,
  readOwnership,
} from './ownership.ts'
import { type ResponsePath, writeOwn } from '@switchyard/incremental-delivery'
import { type Question, type ReadOperation, readUsages, type Selection, type Usage } from './usages.ts'

export type ExpectedEntry = {
  readonly data: Readonly<Record<string, unknown>>
  readonly path: ResponsePath
  readonly errorPaths: readonly ResponsePath[]
}

export type ExpectedFragment = {
  readonly id: number
  readonly label: string | null
  readonly path: readonly string[]
  /** Paths of the objects that it is on. */
  readonly objects: readonly ResponsePath[]
  /** Announced with what completes the last of these. */
  readonly announcedAfter: ReadonlySet<number>
  /** The fragments that have to be completed before this one. */
  readonly completedAfter: ReadonlySet<number>
  readonly entries: readonly ExpectedEntry[]
}

export type ExpectedStream = {
  readonly data: Readonly<Record<string, unknown>>
  readonly errorPaths: readonly ResponsePath[]
  readonly fragments: readonly ExpectedFragment[]
}

export type WholeAnswer = {
  /** The data that the document of `withTypeNames` gives without `@defer`. */
  readonly data: unknown
  /** Every error must explain a null at its own path: nulls that went on to a parent cannot be told apart. */
  readonly errorPaths?: readonly ResponsePath[]
}

const TYPE_KEY = 'type_of_this_object'

/** The document with the type of every object asked for, and with nothing deferred. */
export function withTypeNames(document: DocumentNode): DocumentNode {
  const withTypeName = <Node extends { readonly selectionSet?: SelectionSetNode | undefined }>(node: Node) =>
    node.selectionSet === undefined
      ? undefined
      : {
          ...node,
          selectionSet: {
            ...node.selectionSet,
            selections: [
              ...node.selectionSet.selections,
              {
                kind: Kind.FIELD,
                alias: { kind: Kind.NAME, value: TYPE_KEY },
                name: { kind: Kind.NAME, value: '__typename' },
              },
            ],
          },
        }
  return visit(document, {
    Field: { leave: withTypeName },
    OperationDefinition: { leave: withTypeName },
    Directive: ({ name }) => (name.value === 'defer' ? null : undefined),
  })
}

/** Null where no `@defer` is active: such an operation is answered as if there were none. */
export function expectStream(question: Question, answer: WholeAnswer): ExpectedStream | null {
  const read = readUsages(question)
  if (read.usages.length === 0) return null
  const { schema } = question
  const root =
    read.operation.operation === OperationTypeNode.MUTATION ? schema.getMutationType() : schema.getQueryType()
  if (!root || !isRecord(answer.data)) throw new Error('There is no answer to cut into parts')
  const ownership = readOwnership(schema, read, root)
  return new StreamBuilder(question, read, ownership).build(root, answer.data, answer.errorPaths ?? [])
}

type Found = { readonly path: readonly string[]; readonly ownersOnTheWay: ReadonlySet<number> }

class StreamBuilder {
  readonly #question: Question
  readonly #read: ReadOperation
  readonly #ownership: Ownership
  readonly #entries = new Map<number, { data: Record<string, unknown>; path: ResponsePath }[]>()
  readonly #held = new Map<number, Set<number>>()
  readonly #found = new Map<Usage, Found>()
  readonly #objects = new Map<Usage, ResponsePath[]>()
  readonly #ownerAt = new Map<string, number>()

  constructor(question: Question, read: ReadOperation, ownership: Ownership) {
    this.#question = question
    this.#read = read
    this.#ownership = ownership
  }

  build(
    root: GraphQLObjectType,
    data: Readonly<Record<string, unknown>>,
    errorPaths: readonly ResponsePath[],
  ): ExpectedStream {
    const { selections, usages } = this.#read
    const initial = this.#objectData(data, root, selections, 0, true)
    this.#visitObject(data, selections, [], 0, { names: [], owners: new Set() })
    const announced = usages
      .filter(({ id }) => this.#ownership.live.has(id))
      .filter((usage) => this.#found.has(usage))
    const ids = new Set(announced.map(({ id }) => id))
    const owned = (id: number) => errorPaths.filter((path) => this.#ownerOf(path) === id)
    return {
      data: initial,
      errorPaths: owned(0),
      fragments: announced.map((usage) => this.#fragment(usage, ids, owned(usage.id))),
    }
  }

  #fragment(
    usage: Usage,
    announced: ReadonlySet<number>,
    errorPaths: readonly ResponsePath[],
  ): ExpectedFragment {
    const { path, ownersOnTheWay } = this.#found.get(usage) ?? { path: [], ownersOnTheWay: new Set() }
    const { id, label } = usage
    const parent = ancestorsOf(usage).find((ancestor) => this.#ownership.live.has(ancestor.id))
    const before = [...ownersOnTheWay, ...(parent === undefined ? [] : [parent.id])]
    const entries = this.#entries.get(id) ?? []
    const innermost = (error: ResponsePath) =>
      entries.filter(({ path }) => isWithin(error, path)).sort((a, b) => b.path.length - a.path.length)[0]
    return {
      id,
      label,
      path,
      objects: this.#objects.get(usage) ?? [],
      announcedAfter: new Set(before.filter((other) => announced.has(other))),
      completedAfter: this.#held.get(id) ?? new Set(),
      entries: entries.map((entry) => ({
        ...entry,
        errorPaths: errorPaths.filter((error) => innermost(error) === entry),
      })),
    }
  }

  /** Returns the fragment that delivers the field at a path. The error of an item belongs to its list. */
  #ownerOf(path: ResponsePath): number {
    const end = path.findLastIndex((key) => typeof key === 'string')
    const owner = this.#ownerAt.get(JSON.stringify(path.slice(0, end + 1)))
    if (owner === undefined) throw new Error(`No field is at ${JSON.stringify(path)}`)
    return owner
  }

  /** The fields of an object that one part delivers. */
  #objectData(
    value: Readonly<Record<string, unknown>>,
    type: GraphQLObjectType,
    selections: readonly Selection[],
    part: number,
    withTypeName: boolean,
  ): Record<string, unknown> {
    const data: Record<string, unknown> = {}
    for (const field of collect(this.#question.schema, type, selections)) {
      if (field.name === '__typename') {
        if (withTypeName) writeOwn(data, field.key, type.name)
      } else if (field.owner === part) {
        writeOwn(data, field.key, this.#valueData(value[field.key], field, part))
      }
    }
    return data
  }

  #valueData(value: unknown, field: Collected, part: number): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#valueData(item, field, part))
    const type = this.#typeOf(value)
    if (!isRecord(value) || type === null) return value
    return this.#objectData(value, type, below(field), part, true)
  }

  #typeOf(value: unknown): GraphQLObjectType | null {
    if (!isRecord(value) || !Object.hasOwn(value, TYPE_KEY)) return null
    const type = this.#question.schema.getType(String(value[TYPE_KEY]))
    return isObjectType(type) ? type : null
  }

  /** `way` is set outside lists: the names that lead here, and who delivers what is on it. */
  #visitObject(
    value: Readonly<Record<string, unknown>>,
    selections: readonly Selection[],
    path: ResponsePath,
    part: number,
    way: { readonly names: readonly string[]; readonly owners: ReadonlySet<number> } | null,
  ): void {
    const type = this.#typeOf(value)
    if (type === null) return
    this.#findObjects(type, selections, path)
    if (way !== null) this.#findAnchors(type, selections, { path: way.names, ownersOnTheWay: way.owners })
    const fields = collect(this.#question.schema, type, selections)
    const others = new Set(fields.filter(({ name }) => name !== '__typename').map(({ owner }) => owner))
    others.delete(part)
    for (const other of others) {
      const data = this.#objectData(value, type, selections, other, false)
      const known = this.#entries.get(other) ?? []
      this.#entries.set(other, [...known, { data, path }])
    }
    for (const field of fields) {
      if (field.name === '__typename') continue
      const at = [...path, field.key]
      this.#ownerAt.set(JSON.stringify(at), field.owner)
      for (const id of field.holds) this.#held.set(id, (this.#held.get(id) ?? new Set()).add(field.owner))
      const below = way && {
        names: [...way.names, field.key],
        owners: field.owner === 0 ? way.owners : new Set([...way.owners, field.owner]),
      }
      this.#visitValue(value[field.key], field, at, below)
    }
  }

  #visitValue(
    value: unknown,
    field: Collected,
    path: ResponsePath,
    way: { readonly names: readonly string[]; readonly owners: ReadonlySet<number> } | null,
  ): void {
    if (Array.isArray(value)) {
      // The path of everything below ends at the outermost list.
      if (way !== null) this.#findBelow(below(field), { path: way.names, ownersOnTheWay: way.owners })
      for (const [index, item] of value.entries()) this.#visitValue(item, field, [...path, index], null)
    } else if (isRecord(value)) {
      this.#visitObject(value, below(field), path, field.owner, way)
    }
  }

  #findObjects(type: GraphQLObjectType, selections: readonly Selection[], path: ResponsePath): void {
    for (const selection of selections) {
      if (selection.kind === 'field' || !appliesTo(this.#question.schema, selection, type)) continue
      const { defers } = selection
      if (defers !== null) this.#objects.set(defers, [...(this.#objects.get(defers) ?? []), path])
      this.#findObjects(type, selection.children, path)
    }
  }

  #findAnchors(type: GraphQLObjectType, selections: readonly Selection[], found: Found): void {
    for (const selection of selections) {
      if (selection.kind === 'field' || !appliesTo(this.#question.schema, selection, type)) continue
      if (selection.defers !== null) this.#found.set(selection.defers, found)
      this.#findAnchors(type, selection.children, found)
    }
  }

  /** In a list: whatever its items are. */
  #findBelow(selections: readonly Selection[], found: Found): void {
    for (const selection of selections) {
      if (selection.kind === 'fragment') {
        if (selection.defers !== null) this.#found.set(selection.defers, found)
        this.#findBelow(selection.children, found)
        continue
      }
      const owners = this.#ownership.ownersOf.get(selection) ?? new Set()
      const deferred = [...owners].filter((owner) => owner !== 0)
      this.#findBelow(selection.children, {
        path: found.path,
        ownersOnTheWay: new Set([...found.ownersOnTheWay, ...deferred]),
      })
    }
  }
}

function isWithin(path: ResponsePath, base: ResponsePath): boolean {
  return base.every((key, index) => path[index] === key)
}
