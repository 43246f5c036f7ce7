/** Options that say what rollouts of mode `shadow` compare. */
import { RolloutShadow, type RolloutView } from '@switchyard/contracts'
import type { z } from 'zod'
import { optionalList, type OptionValues } from '../command/options.ts'
import { subgraphName, type ValueType } from '../command/value-types.ts'
import { UsageError } from '../run/errors.ts'

/** The options of both commands that set members of `shadow`. */
export const SHADOW = {
  shadowSubgraph: optionalList(
    '--shadow-subgraph <names...>',
    'mode shadow: the subgraphs that may be called once more (default: those that the flag replaces)',
    subgraphName,
  ),
  shadowOperation: optionalList(
    '--shadow-operation <names...>',
    'mode shadow: the operations that are compared (default: all queries)',
    checkedBy('--shadow-operation', RolloutShadow.shape.operations),
  ),
  shadowUnordered: optionalList(
    '--shadow-unordered <paths...>',
    'mode shadow: lists of answers whose order means nothing, such as products.*.tags',
    checkedBy('--shadow-unordered', RolloutShadow.shape.unordered),
  ),
}
type ShadowOptions = OptionValues<typeof SHADOW>

/** Takes the options of shadows out of all options of a command. Undefined if none of them was given. */
export function withoutShadow<Options extends ShadowOptions>(
  options: Options,
): { readonly shadow: RolloutShadow | undefined; readonly rest: Omit<Options, keyof ShadowOptions> } {
  const { shadowSubgraph, shadowOperation, shadowUnordered, ...rest } = options
  const shadow: RolloutShadow = {
    ...(shadowSubgraph === undefined ? {} : { subgraphs: [...shadowSubgraph] }),
    ...(shadowOperation === undefined ? {} : { operations: [...shadowOperation] }),
    ...(shadowUnordered === undefined ? {} : { unordered: [...shadowUnordered] }),
  }
  return { shadow: Object.keys(shadow).length === 0 ? undefined : shadow, rest }
}

/** Says that nothing is compared, and why, where options say what is compared. */
export function comparesNothing(why: string): string {
  return `--shadow-subgraph, --shadow-operation and --shadow-unordered say what a rollout of mode shadow compares, and ${why}. Nothing was changed. Add --mode shadow, or leave them out.`
}

/** Returns what is compared of a rollout, as lines. Empty for one of another mode. */
export function shadowLines({ mode, shadow }: Pick<RolloutView, 'mode' | 'shadow'>): readonly string[] {
  if (mode !== 'shadow') return []
  const { subgraphs, operations, unordered } = shadow ?? {}
  return [
    `subgraphs that may be called once more: ${subgraphs === undefined ? 'those that the flag replaces' : listOf(subgraphs)}`,
    `operations: ${operations === undefined ? 'all queries' : listOf(operations)}`,
    `lists whose order means nothing: ${listOf(unordered ?? [])}`,
  ]
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function checkedBy(option: string, names: z.ZodType): ValueType<string> {
  return {
    parse: (word) => {
      const parsed = names.safeParse([word])
      if (parsed.success) return word
      throw new UsageError(`${option}: "${word}" is none: ${parsed.error.issues[0]?.message ?? ''}.`)
    },
  }
}
