/** One difference between two client schemas, and what it means for operations that clients send today. */
/**
 * The effect of a change. `breaking` means that operations which were valid are not any more. `dangerous`
 * means that they stay valid, but answers may be new to the client, such as an enum value that it does not
 * know.
 */
export type Criticality = 'breaking' | 'dangerous' | 'safe'

export type SchemaChange = {
  readonly criticality: Criticality
  /** `FIELD_REMOVED` and the like. */
  readonly type: string
  /**
   * Schema coordinate of what changed, with dots: `Product.price`, `Query.search.term`. Empty: the schema as
   * a whole.
   */
  readonly path: string
  readonly message: string
}

/** The most critical first. */
export const CRITICALITIES: readonly Criticality[] = ['breaking', 'dangerous', 'safe']

export function groupByCriticality<Item extends { readonly criticality: Criticality }>(
  changes: readonly Item[],
): readonly { readonly criticality: Criticality; readonly changes: readonly Item[] }[] {
  return CRITICALITIES.map((criticality) => ({
    criticality,
    changes: changes.filter((change) => change.criticality === criticality),
  })).filter((group) => group.changes.length > 0)
}
