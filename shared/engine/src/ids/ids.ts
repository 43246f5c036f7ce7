/**
 * The numbers by which graphs and plans refer to their parts.
 *
 * At run time each id is an index into an array of plain data, so it costs nothing and moves between threads.
 * For the compiler every kind of id is a type of its own: a type's id passed where a subgraph's id is
 * expected does not compile. Only the functions below turn numbers into ids.
 */
declare const kind: unique symbol

type Id<Kind extends string> = number & { readonly [kind]: Kind }

/** Index into `subgraphs` of a compiled graph. */
export type SubgraphId = Id<'subgraph'>
/** Index into `types` of a compiled graph. */
export type TypeId = Id<'type'>
/** Index into `labels` of a compiled graph: a label of a progressive override. */
export type LabelId = Id<'label'>
/** Index into `fetches` of a plan. */
export type FetchId = Id<'fetch'>
/** Index into `positions` of a plan. */
export type PositionId = Id<'position'>
/** Index into `groups` of a plan: 0 for the initial result, else the number of a deferred fragment. */
export type GroupId = Id<'group'>

type Maker<Made> = (index: number) => Made
/** Every kind of id is the number itself, so one function makes them all. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where numbers become ids
const itself: Maker<never> = (index) => index as never

export const subgraphId: Maker<SubgraphId> = itself
export const typeId: Maker<TypeId> = itself
export const labelId: Maker<LabelId> = itself
export const fetchId: Maker<FetchId> = itself
export const positionId: Maker<PositionId> = itself
export const groupId: Maker<GroupId> = itself

/** Stands for a root type that the supergraph does not have. */
export const NO_ROOT_TYPE = typeId(-1)
/** The runtime type of an object whose `__typename` no subgraph has sent. */
export const NO_RUNTIME_TYPE = typeId(-1)
/** The label of a field that is not overridden progressively. */
export const NO_LABEL = labelId(-1)
/** The fetch of a field that no subgraph is asked for. */
export const NO_FETCH = fetchId(-1)
/** The position of the response's root object. */
export const ROOT_POSITION = positionId(0)
/** The parent of the root position. */
export const NO_POSITION = positionId(-1)
/** The initial result: all fields that no `@defer` delays. */
export const INITIAL_GROUP = groupId(0)
/** The parent of the initial group. */
export const NO_GROUP = groupId(-1)
