/**
 * The frame around the functions that complete a response: what they share, and the function that is called.
 */
import type { LinkCode } from './link-code.ts'
import type { PlanFunction } from './plan-function.ts'

/**
 * The figures that a completion reports besides the data: its steps and the weight of the data, as
 * `Completion` counts them.
 */
export type CompletionFigures = { steps: number; weight: number }

/** A generated completion: returns the data of the response. */
export type GeneratedCompletion = PlanFunction<CompletionFigures, Readonly<Record<string, unknown>>>

/**
 * Returns the code of a completion. `root` is the call that completes the root object, with arguments from
 * `roots`.
 */
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
