/** Makes reasons with places of the obstacles that reach finds. */
import type { MissingFrom, UnreachableCause } from '../catalogue/unreachable.ts'
import type { GraphPlace } from '../findings/finding.ts'
import type { Graph } from '../graph/graph.ts'
import type { FieldsType, TypePart } from '../model/model.ts'
import type { Obstacle, UnreachableField } from '../reach/unreachable-field.ts'
import { Declarations, externalMarks, fieldName } from './declarations.ts'
import { SelectedFields, writtenText } from './selected-fields.ts'
import type { FieldDeclaration } from '../graph/declarations.ts'

/** A reason, with the places that it is about. */
export type ExplainedObstacle = { readonly cause: UnreachableCause; readonly at: readonly GraphPlace[] }

type ObstacleOf<Kind extends Obstacle['kind']> = Extract<Obstacle, { kind: Kind }>

/** Explains obstacles of one graph. */
export class ObstacleExplainer {
  readonly declarations: Declarations
  readonly #selected: SelectedFields
  readonly #positions: ReadonlyMap<string, number>

  /** `names` are those of the subgraphs, by position. */
  constructor(graph: Graph, names: readonly string[]) {
    this.declarations = new Declarations(graph)
    this.#selected = new SelectedFields(graph)
    this.#positions = new Map(names.map((name, at) => [name, at]))
  }

  /** The position of a subgraph; -1 if there is none of this name. */
  position(name: string): number {
    return this.#positions.get(name) ?? -1
  }

  /** `field` is the coordinate of the unreachable field. */
  explain(obstacle: Obstacle, field: string): ExplainedObstacle {
    const subgraph = this.position(obstacle.subgraph)
    switch (obstacle.kind) {
      case 'external':
        return this.#external(obstacle)
      case 'requires':
        return this.#requires(obstacle)
      case 'no-key':
        return this.#noKey(obstacle)
      case 'not-resolvable':
        return this.#notResolvable(obstacle)
      case 'key-needs':
        return this.#keyNeeds(obstacle)
      case 'unknown-type':
        return { cause: { kind: 'unknown-type', subgraph, type: obstacle.owner }, at: [] }
      case 'nowhere':
        return { cause: { kind: 'nowhere', subgraph, field }, at: [] }
      case 'not-alone':
        return { cause: { kind: 'not-alone', subgraph, field, missing: obstacle.missing }, at: [] }
      default:
        return obstacle satisfies never
    }
  }

  /** The subgraph and the field of its own key that it marks as external, if a reason is about one. */
  ownKeyOf({ reasons }: UnreachableField): string | null {
    for (const one of reasons) {
      const subgraph = this.position(one.subgraph)
      const declared =
        one.kind === 'external'
          ? this.declarations.in(subgraph, one.owner, fieldName(one.field).name)
          : one.kind === 'key-needs' && one.lack === 'external'
            ? this.declarations.of(fieldName(one.missing)).find(({ at }) => at === subgraph)
            : null
      if (declared !== null && declared !== undefined && this.declarations.isExternalKey(declared))
        return `${subgraph} ${declared.type.name}.${declared.model.name}`
    }
    return null
  }

  #external({ subgraph: name, owner, field }: ObstacleOf<'external'>): ExplainedObstacle {
    const subgraph = this.position(name)
    const declared = this.declarations.in(subgraph, owner, fieldName(field).name)
    const isOwnKey = declared !== null && this.declarations.isExternalKey(declared)
    return {
      cause: { kind: 'external', subgraph, field, isOwnKey },
      at: declared === null ? [] : this.#placesOfExternal(declared),
    }
  }

  /** The mark where it stands on a key, since that is the mistake; otherwise the field. */
  #placesOfExternal(declared: FieldDeclaration): readonly GraphPlace[] {
    const { at: subgraph, model } = declared
    return this.declarations.isExternalKey(declared)
      ? externalMarks(declared).map((node) => ({ subgraph, node, label: { kind: 'external-key' } }))
      : [{ subgraph, node: model.node.name, label: { kind: 'external' } }]
  }

  #requires({ subgraph: name, owner, field, missing, circle }: ObstacleOf<'requires'>): ExplainedObstacle {
    const subgraph = this.position(name)
    const declared = this.declarations.in(subgraph, owner, fieldName(field).name)
    const own = declared === null ? [] : this.#placesOfRequired(declared, missing)
    const further = circle.flatMap((one, index) => {
      const next = circle[index + 1] ?? field
      return this.declarations.of(fieldName(one)).flatMap((other) => this.#placesOfNext(other, next))
    })
    return { cause: { kind: 'requires', subgraph, field, missing, circle }, at: [...own, ...further] }
  }

  #placesOfRequired({ at, type, model }: FieldDeclaration, missing: string): readonly GraphPlace[] {
    return model.requires === null
      ? []
      : [this.#selected.place({ at, type, selection: model.requires }, missing, { kind: 'not-fetched' })]
  }

  /** The requirement of a field in a circle, if it is this declaration that has it. */
  #placesOfNext(declared: FieldDeclaration, next: string): readonly GraphPlace[] {
    const { at, type, model } = declared
    if (model.requires === null) return []
    const isNext = this.#selected.node({ at, type, selection: model.requires }, next) !== null
    return isNext ? this.#placesOfRequired(declared, next) : []
  }

  #noKey({ subgraph, target: name, owner: type, field }: ObstacleOf<'no-key'>): ExplainedObstacle {
    const target = this.position(name)
    const declared = this.declarations.in(target, type, fieldName(field).name)
    const node = declared?.model.node.name ?? nameOf(this.declarations.type(target, type))
    return {
      cause: {
        kind: 'no-key',
        subgraph: this.position(subgraph),
        target,
        type,
        field: declared === null ? null : field,
      },
      at: node === undefined ? [] : [{ subgraph: target, node, label: { kind: 'no-key-of', type } }],
    }
  }

  #notResolvable(obstacle: ObstacleOf<'not-resolvable'>): ExplainedObstacle {
    const { target, key, found } = this.#keys(obstacle, false)
    return {
      cause: { kind: 'not-resolvable', subgraph: this.position(obstacle.subgraph), target, key },
      at: found.map(({ node }) => ({ subgraph: target, node, label: { kind: 'not-resolvable' } })),
    }
  }

  #keyNeeds(obstacle: ObstacleOf<'key-needs'>): ExplainedObstacle {
    const { missing, owner, type } = obstacle
    const { target, key, found, entity } = this.#keys(obstacle, true)
    const subgraph = this.position(obstacle.subgraph)
    const declared =
      obstacle.lack === 'external'
        ? this.declarations.of(fieldName(missing)).find(({ at }) => at === subgraph)
        : undefined
    const { type: missingType, name } = fieldName(missing)
    const inTarget = `${missingType === type ? owner : missingType}.${name}`
    const label = { kind: 'missing', subgraph, isExternal: declared !== undefined } as const
    const inKeys =
      entity === null
        ? []
        : found.map(({ fields }) =>
            this.#selected.place({ at: target, type: entity, selection: fields }, inTarget, label),
          )
    return {
      cause: { kind: 'key-needs', subgraph, target, key, missing, why: this.#why(obstacle, declared) },
      at: [...inKeys, ...(declared === undefined ? [] : this.#placesOfExternal(declared))],
    }
  }

  #why({ lack }: ObstacleOf<'key-needs'>, declared: FieldDeclaration | undefined): MissingFrom {
    if (lack !== 'external') return lack
    return declared !== undefined && this.declarations.isExternalKey(declared) ? 'own-key' : 'external'
  }

  /** The key as it is written, and all keys that select the same. */
  #keys({ target: name, owner, key }: ObstacleOf<'not-resolvable' | 'key-needs'>, isResolvable: boolean) {
    const target = this.position(name)
    const entity = this.declarations.type(target, owner)
    const like = this.#selected.keysLike(key, entity?.keys ?? [])
    const found = like.filter((one) => one.isResolvable === isResolvable)
    const [first] = found
    return { target, entity, found, key: first === undefined ? key : writtenText(first.fields) }
  }
}

/** The name of a type where it is defined, or where it is first extended. */
export function nameOf(type: FieldsType | null): TypePart['name'] | undefined {
  const isDefinition = ({ kind }: TypePart) => kind.endsWith('Definition')
  return (type?.parts.find(isDefinition) ?? type?.parts[0])?.name
}
