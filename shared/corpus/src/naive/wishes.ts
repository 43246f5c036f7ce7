/** The fields wanted of an object, in one form for a client's selection set, a key and a requirement. */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
} from 'graphql'
import { fieldOf, type Graph, namedType, type FieldSet, type TypeId, typeOf } from '@switchyard/engine'

export type Wish = {
  /** The key of the value, which is unique below its parent. */
  readonly key: string
  readonly name: string
  /** Returns the fields that are wanted below, by runtime type. Null for a leaf. */
  readonly below: ((object: TypeId) => readonly Wish[]) | null
}

export type Variables = ReadonlyMap<string, unknown>

/** Fields that graphql-js answers, and `__typename`, are wished for under their own names. */
export function clientWishes(
  graph: Graph,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  variables: Variables,
): (object: TypeId) => readonly Wish[] {
  const of =
    (sets: readonly SelectionSetNode[]) =>
    (object: TypeId): readonly Wish[] => {
      const nodes = new Map<string, FieldNode[]>()
      const collect = (set: SelectionSetNode): void => {
        for (const node of set.selections) {
          if (!isIncluded(node.directives, variables)) continue
          if (node.kind === Kind.FIELD) {
            const key = node.alias?.value ?? node.name.value
            nodes.set(key, [...(nodes.get(key) ?? []), node])
            continue
          }
          const body = node.kind === Kind.INLINE_FRAGMENT ? node : fragmentOf(document, node.name.value)
          if (appliesTo(graph, body.typeCondition?.name.value, object)) collect(body.selectionSet)
        }
      }
      for (const set of sets) collect(set)
      return [...nodes].map(([key, same]) => {
        const inner = same.flatMap((node) => node.selectionSet ?? [])
        return { key, name: same[0]?.name.value ?? key, below: inner.length === 0 ? null : of(inner) }
      })
    }
  return of([selectionSet])
}

/**
 * Inputs are fetched in places of their own, marked by parentheses, unless they are leaves of the same
 * object.
 */
export function inputWishes(graph: Graph, fieldSet: FieldSet): (object: TypeId) => readonly Wish[] {
  return (object) => {
    const subs = new Map<string, { readonly name: string; readonly subs: (FieldSet | null)[] }>()
    const collect = (items: FieldSet): void => {
      for (const item of items) {
        if (item.kind === 'on') {
          if (typeOf(graph, item.type).possible.includes(object)) collect(item.below)
          continue
        }
        const key = `(${item.name}${item.args})`
        const known = subs.get(key)
        if (known === undefined) subs.set(key, { name: item.name, subs: [item.below] })
        else known.subs.push(item.below)
      }
    }
    collect(fieldSet)
    return [...subs].map(([key, { name, subs }]) => {
      const inner = subs.flatMap((sub) => sub ?? [])
      return { key, name, below: inner.length === 0 ? null : inputWishes(graph, inner) }
    })
  }
}

/** Equal for objects of which the same is wanted. */
export function wishText(graph: Graph, object: TypeId, wishes: readonly Wish[]): string {
  return wishes
    .map(({ key, name, below }) => {
      const field = fieldOf(graph, object, name)
      const children =
        below === null || field === undefined ? [] : typeOf(graph, namedType(field.type)).possible
      const inner = children.map((child) => wishText(graph, child, below?.(child) ?? []))
      return `${key}:${name}{${inner.join('|')}}`
    })
    .join(' ')
}

/** The wish cut where it first branches. */
export function piecesOf(graph: Graph, wish: Wish, object: TypeId): readonly Wish[] {
  const { below } = wish
  const field = fieldOf(graph, object, wish.name)
  if (below === null || field === undefined) return [wish]
  const children = typeOf(graph, namedType(field.type)).possible
  const inner = new Map<string, Wish[]>()
  for (const child of children)
    for (const next of below(child).filter(isFetched)) {
      const cuts = piecesOf(graph, next, child)
      inner.set(
        next.key,
        cuts.length > (inner.get(next.key)?.length ?? 0) ? [...cuts] : (inner.get(next.key) ?? []),
      )
    }
  if (inner.size > 1)
    return [...inner.keys()].map((key) => ({
      ...wish,
      below: (child) => below(child).filter((next) => next.key === key),
    }))
  const [cuts = []] = inner.values()
  return cuts.map((_, index) => ({
    ...wish,
    below: (child) => below(child).map((next) => piecesOf(graph, next, child)[index] ?? next),
  }))
}

/** Neither `__typename` nor introspection. */
export function isFetched({ name }: Wish): boolean {
  return !name.startsWith('__')
}

function fragmentOf(document: DocumentNode, name: string) {
  const found = document.definitions.find(
    (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  )
  if (found?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`No fragment is called ${name}`)
  return found
}

function appliesTo(graph: Graph, condition: string | undefined, object: TypeId): boolean {
  if (condition === undefined) return true
  const type = graph.typeByName.get(condition)
  return type !== undefined && typeOf(graph, type).possible.includes(object)
}

function isIncluded(directives: readonly DirectiveNode[] | undefined, variables: Variables): boolean {
  return (directives ?? []).every((directive) => {
    const name = directive.name.value
    if (name !== 'skip' && name !== 'include') return true
    const value = directive.arguments?.[0]?.value
    if (value === undefined) throw new Error(`${print(directive)} lacks its condition`)
    const holds = value.kind === Kind.VARIABLE ? variables.get(value.name.value) : print(value) === 'true'
    return (holds === true) === (name === 'include')
  })
}
