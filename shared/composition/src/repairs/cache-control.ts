/**
 * Repair: `@cacheControl`, which says how long answers may be kept and is no directive of Federation, so that
 * the library drops it unless `@composeDirective` names it. Where subgraphs share a field or a type, the most
 * restrictive of what they say holds, as in answers
 * (https://www.apollographql.com/docs/apollo-server/performance/caching).
 */
import { Kind, parse, visit } from 'graphql'
import type {
  ConstArgumentNode,
  ConstDirectiveNode,
  DefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
} from 'graphql'
import { cacheHintOf, strictest } from '../merge/cache-hints.ts'
import type { CacheHint } from '../merge/merged.ts'
import { isInterfaceObject, type ParsedSubgraph } from '../subgraph/subgraph.ts'

const NAME = 'cacheControl'
const SCOPE = 'CacheControlScope'

/** Returns the supergraph with the hints of the subgraphs, under the names that it uses. */
export function withCacheControl(
  supergraph: DocumentNode,
  subgraphs: readonly ParsedSubgraph[],
): DocumentNode {
  const places = new Places(subgraphs)
  if (places.isEmpty || supergraph.definitions.some(isDirective)) return supergraph
  const hasScope = supergraph.definitions.some(
    (definition) => definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === SCOPE,
  )
  const mendType = <
    Node extends {
      readonly name: { readonly value: string }
      readonly directives?: readonly ConstDirectiveNode[] | undefined
      readonly interfaces?: readonly { readonly name: { readonly value: string } }[] | undefined
      readonly fields?: readonly FieldDefinitionNode[] | undefined
    },
  >(
    node: Node,
  ): Node => {
    const inherited = (node.interfaces ?? []).map(({ name }) => name.value)
    return {
      ...withHint(node, places.ofType(node.name.value), hasScope),
      fields: node.fields?.map((field) =>
        withHint(field, places.ofField(node.name.value, field.name.value, inherited), hasScope),
      ),
    }
  }
  const mended = visit(supergraph, {
    ObjectTypeDefinition: mendType,
    InterfaceTypeDefinition: mendType,
    UnionTypeDefinition: (node) => withHint(node, places.ofType(node.name.value), hasScope),
  })
  return { ...mended, definitions: [...mended.definitions, ...definitionOf(hasScope)] }
}

function isDirective(definition: DefinitionNode): boolean {
  return definition.kind === Kind.DIRECTIVE_DEFINITION && definition.name.value === NAME
}

function definitionOf(hasScope: boolean): readonly DefinitionNode[] {
  const scope = hasScope ? `, scope: ${SCOPE}` : ''
  return parse(
    `directive @${NAME}(maxAge: Int${scope}, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION`,
    { noLocation: true },
  ).definitions
}

/** Hints by name of the type, and by coordinate of the field. */
class Places {
  readonly #hints = new Map<string, CacheHint>()
  /** Coordinates of fields that a subgraph gives to all objects of an interface. */
  readonly #ofInterfaceObjects = new Set<string>()

  constructor(subgraphs: readonly ParsedSubgraph[]) {
    for (const subgraph of subgraphs)
      for (const type of subgraph.types.values()) {
        this.#add(type.name, type)
        const isForAll = isInterfaceObject(subgraph, type)
        for (const [name, field] of type.fields) {
          const coordinate = `${type.name}.${name}`
          this.#add(coordinate, field)
          if (isForAll) this.#ofInterfaceObjects.add(coordinate)
        }
      }
  }

  get isEmpty(): boolean {
    return this.#hints.size === 0
  }

  ofType(name: string): CacheHint | null {
    return this.#hints.get(name) ?? null
  }

  /** `interfaces`: of the type. */
  ofField(type: string, field: string, interfaces: readonly string[]): CacheHint | null {
    const inherited = interfaces
      .map((name) => `${name}.${field}`)
      .filter((coordinate) => this.#ofInterfaceObjects.has(coordinate))
    return [`${type}.${field}`, ...inherited]
      .map((coordinate) => this.#hints.get(coordinate) ?? null)
      .reduce(strictest, null)
  }

  #add(place: string, { directives }: { readonly directives?: readonly ConstDirectiveNode[] | undefined }) {
    const [applied] = (directives ?? []).filter(({ name }) => name.value === NAME)
    const hint = applied === undefined ? null : cacheHintOf(applied)
    const all = strictest(this.#hints.get(place) ?? null, hint)
    if (all !== null) this.#hints.set(place, all)
  }
}

function withHint<Node extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: Node,
  hint: CacheHint | null,
  hasScope: boolean,
): Node {
  if (hint === null) return node
  const args: ConstArgumentNode[] = []
  const add = (name: string, value: ConstArgumentNode['value']): void => {
    args.push({ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value })
  }
  if (hint.maxAge !== null) add('maxAge', { kind: Kind.INT, value: String(hint.maxAge) })
  if (hint.isPrivate && hasScope) add('scope', { kind: Kind.ENUM, value: 'PRIVATE' })
  if (hint.inherits) add('inheritMaxAge', { kind: Kind.BOOLEAN, value: true })
  const applied: ConstDirectiveNode = {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: NAME },
    arguments: args,
  }
  return { ...node, directives: [...(node.directives ?? []), applied] }
}
