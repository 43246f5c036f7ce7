/**
 * The frame around the functions that complete a response: what they share, and the function that is called.
 */
import type { FetchId } from '../../ids.ts'
import type { FollowedLink, LinkCode } from './link-code.ts'

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

/** `root`: the call that completes the root object, with arguments from `roots`. */
export function completionProgram(functions: readonly string[], links: LinkCode, root: string): string {
  return [
    `let ${['steps = 0', 'weight = 0', 'most = 0', ...links.variables].join(', ')};`,
    ...functions,
    'return function run(roots, entities, tables, maxSteps, completed) {',
    'steps = 0; weight = 0; most = maxSteps;',
    ...links.begin(),
    'try {',
    `const data = ${root};`,
    ...links.check(),
    'completed.steps = steps; completed.weight = weight;',
    'return data;',
    // Nothing of an answer is held until the next execution.
    `} finally { ${links.end().join(' ')} }`,
    '}',
  ].join('\n')
}
