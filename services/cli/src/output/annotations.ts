/** Writes failures as annotations, once per position, however many graphs and flags the failure affects. */
import type { CompositionMessage } from '@switchyard/contracts'
import type { CliError } from '../run/errors.ts'
import type { Annotation } from './github.ts'
import { type GraphVariant, printVariants } from './graph-variant.ts'

/** A composition that failed, and whether it did so before. */
export type FailedComposition = {
  readonly graph: string
  readonly featureFlag: string | null
  readonly failedBefore: boolean
  readonly errors: readonly CompositionMessage[]
}

type AnnotatedSources = ReadonlyMap<string, { readonly sdl?: string; readonly file?: string }>

/** A failure that was there before is a warning. */
export function compositionAnnotations(
  failed: readonly FailedComposition[],
  sources: AnnotatedSources,
): readonly Annotation[] {
  const groups = new Map<
    string,
    { readonly error: CompositionMessage; readonly failedBefore: boolean; readonly variants: GraphVariant[] }
  >()
  for (const { graph, featureFlag, failedBefore, errors } of failed) {
    for (const error of errors) {
      const key = JSON.stringify([failedBefore, error])
      const group = groups.get(key) ?? { error, failedBefore, variants: [] }
      group.variants.push({ graph, featureFlag })
      groups.set(key, group)
    }
  }
  return [...groups.values()].flatMap(({ error, failedBefore, variants }) =>
    annotate(error, failedBefore ? 'warning' : 'error', variants, sources),
  )
}

function annotate(
  error: CompositionMessage,
  level: Annotation['level'],
  variants: readonly GraphVariant[],
  sources: AnnotatedSources,
): readonly Annotation[] {
  const places = error.locations.map(({ subgraph, line, column, length }) => {
    const file = sources.get(subgraph)?.file
    return {
      text: `${file ?? `subgraph ${subgraph}`}:${line}:${column}`,
      at: file === undefined ? undefined : { file, line, column, length },
    }
  })
  const inFiles = places.flatMap(({ at }) => (at === undefined ? [] : [at]))
  return (inFiles.length === 0 ? [undefined] : inFiles).map((at) => ({
    level,
    title: error.code,
    message: [
      error.message,
      ...places.filter((place) => place.at === undefined || place.at !== at).map(({ text }) => `at ${text}`),
      `in ${printVariants(variants)}`,
    ].join('\n'),
    ...(at === undefined ? {} : { at }),
  }))
}

/** An annotation for each place of the error, or one for the step when it has no places. */
export function errorAnnotations(error: CliError): readonly Annotation[] {
  const title = error.code
  if (error.places.length > 0) {
    return error.places.map(({ message, ...at }) => ({ level: 'error', title, message, at }))
  }
  const message = [error.message, ...error.problems.filter((text) => !error.message.includes(text))].join(
    '\n',
  )
  return [{ level: 'error', title, message }]
}

/** An annotation of the step for each warning. */
export function warningAnnotations(warnings: readonly string[]): readonly Annotation[] {
  return warnings.map((message) => ({ level: 'warning', title: 'Warning', message }))
}
