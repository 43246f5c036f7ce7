/**
 * The frame around the functions that complete a response: what they share, and the function that is called.
 */
import type { FetchId, PositionId } from '../../ids.ts'

/** A link table that is followed: the entities of a part of a fetch, for the occurrences of a position. */
export type FollowedLink = {
  readonly position: PositionId
  readonly slot: number
  readonly fetch: FetchId
  readonly part: number
}

/** What a completion tells besides the data: its steps and the weight of the data, as `Completion` counts. */
export type Completed = { steps: number; weight: number }

/** A completion that was generated, and what it has to be given. */
export type GeneratedCompletion = {
  /** Characters of its code. */
  readonly size: number
  /** By slot of the root position: the fetch whose data is the root object; null: the slot is not read. */
  readonly roots: readonly (FetchId | null)[]
  readonly links: readonly FollowedLink[]
  /**
   * Throws `UNUSUAL`. `roots`: the data of `roots`. `entities` and `tables`: by link, the list of entities,
   * and the link table or null.
   */
  readonly run: (
    roots: readonly unknown[],
    entities: readonly (readonly unknown[])[],
    tables: readonly (Int32Array | null)[],
    maxSteps: number,
    completed: Completed,
  ) => Readonly<Record<string, unknown>>
}

/** In code, `e` before this name is the list of entities, `l` the link table. */
export function linkName({ position, slot }: Pick<FollowedLink, 'position' | 'slot'>): string {
  return `${position}_${slot}`
}

/** `root`: the call that completes the root object, with arguments from `roots`. */
export function completionProgram(
  functions: readonly string[],
  links: readonly FollowedLink[],
  root: string,
): string {
  const linked = [...new Set(links.map(({ position }) => position))]
  const names = links.map(linkName)
  const shared = [
    ...linked.map((position) => `c${position} = 0`),
    ...names.flatMap((name) => [`e${name} = null`, `l${name} = null`]),
  ]
  return [
    `let ${['steps = 0', 'weight = 0', 'most = 0', ...shared].join(', ')};`,
    ...functions,
    'return function run(roots, entities, tables, maxSteps, completed) {',
    'steps = 0; weight = 0; most = maxSteps;',
    ...linked.map((position) => `c${position} = 0;`),
    ...names.map((name, index) => `e${name} = entities[${index}]; l${name} = tables[${index}];`),
    'try {',
    `const data = ${root};`,
    ...links.map(isMetCode),
    'completed.steps = steps; completed.weight = weight;',
    'return data;',
    // Nothing of an answer is held until the next execution.
    `} finally { ${names.map((name) => `e${name} = null; l${name} = null;`).join(' ')} }`,
    '}',
  ].join('\n')
}

/** All occurrences that a table knows must have been met, and so each of them in its turn. */
function isMetCode(link: FollowedLink): string {
  const table = `l${linkName(link)}`
  return `if (${table} !== null && ${table}.length !== c${link.position}) throw UNUSUAL;`
}
