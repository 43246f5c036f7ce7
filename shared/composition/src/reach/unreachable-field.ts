/** A field that clients may ask for and no subgraph can resolve: values only, without any sentence. */

/** One step of the path to the field. */
export type UnreachableStep = {
  /** `Type.field`, or `... on Type` for a type condition. */
  readonly coordinate: string
  /** The subgraph that resolves it; null for the last step. */
  readonly subgraph: string | null
}

/** Why a subgraph that lacks a field of a key lacks it. */
export type Lack = 'absent' | 'external' | 'unresolved'

/**
 * A reason why a client cannot go on. `subgraph` is one that the path has come to. `field` is the coordinate
 * of the unreachable field, or of one that it requires; `type` is the type of its objects. `owner` is what a
 * subgraph knows of that type: the type itself, or an interface object that stands for it.
 */
export type Obstacle =
  /** The subgraph only names the field. */
  | {
      readonly kind: 'external'
      readonly subgraph: string
      readonly owner: string
      readonly field: string
    }
  /** The field requires another one, which cannot be fetched for it. */
  | {
      readonly kind: 'requires'
      readonly subgraph: string
      readonly owner: string
      readonly field: string
      readonly missing: string
      /**
       * The fields from `missing` on, each of which requires the next one, and the last one requires `field`.
       * Empty if they form no circle, or if one of them can be resolved in another way.
       */
      readonly circle: readonly string[]
    }
  /** The target has the field, and no key of the type. */
  | {
      readonly kind: 'no-key'
      readonly subgraph: string
      readonly target: string
      readonly owner: string
      readonly field: string
    }
  /** The target takes no objects by this key. */
  | {
      readonly kind: 'not-resolvable'
      readonly subgraph: string
      readonly target: string
      readonly owner: string
      readonly type: string
      readonly key: string
    }
  /** A field of the target's key cannot be had. */
  | {
      readonly kind: 'key-needs'
      readonly subgraph: string
      readonly target: string
      readonly owner: string
      readonly type: string
      readonly key: string
      readonly missing: string
      readonly lack: Lack
    }
  /** The subgraph has an interface object, and nobody tells the runtime types of its objects. */
  | { readonly kind: 'unknown-type'; readonly subgraph: string; readonly owner: string }
  /** Nothing is known but that the path ends. */
  | { readonly kind: 'nowhere'; readonly subgraph: string }
  /** A root field that must be answered by one subgraph: this one lacks a field below it. */
  | { readonly kind: 'not-alone'; readonly subgraph: string; readonly missing: string }

/** A field that cannot be reached, with the shortest operation that shows it. */
export type UnreachableField = {
  /** The name is `__typename` where nobody tells the runtime type. */
  readonly field: { readonly type: string; readonly name: string }
  /** Override labels that are active when the operation has no plan. */
  readonly labels: readonly string[]
  readonly path: readonly UnreachableStep[]
  readonly operation: string
  readonly reasons: readonly Obstacle[]
}

/** The types on the way to the field, and those that the reasons are about. */
export function typesOf({ field, path, reasons }: UnreachableField): ReadonlySet<string> {
  const coordinates = [
    field.type,
    ...path.map(({ coordinate }) => coordinate.replace('... on ', '')),
    // Names of subgraphs and words are among these values, too, and are no types.
    ...reasons.flatMap((reason) => Object.values(reason).flat()),
  ]
  return new Set(coordinates.map((coordinate) => coordinate.replace(/\..*$/, '')))
}

/** `isDecided` is false if the graph takes more work than is allowed: then there may be further findings. */
export type ReachVerdict = { readonly findings: readonly UnreachableField[]; readonly isDecided: boolean }
