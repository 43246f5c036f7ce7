/** Compares an event as a client got it with what one server answers. */
import { dataText, explainedNulls, type OracleAnswer, type SuiteOperation } from '@switchyard/corpus'
import { isRecord } from '@switchyard/values'
import { parse, visit } from 'graphql'

type Path = readonly (string | number)[]

/** Judges an event for which all calls of subgraphs were answered. Returns what is wrong, in words. */
export function differences(
  expected: OracleAnswer,
  result: unknown,
  operation: SuiteOperation,
): readonly string[] {
  const { data, paths, surplus } = partsOf(result)
  if (surplus.length > 0) return [`the result has ${surplus.join(', ')}`]
  const [wanted, got] = [expected.data, data].map((one) => dataText(one, operation))
  if (wanted !== got) return [`expected ${JSON.stringify(expected.data)}`, `got      ${JSON.stringify(data)}`]
  const nulls = [expected.errorPaths, paths].map((those) => explainedNulls(data, those).join(' '))
  return nulls[0] === nulls[1] ? [] : [`expected errors at ${nulls[0]}`, `got      errors at ${nulls[1]}`]
}

/**
 * Judges an event for which calls may have been lost: what is there is what one server answers, and an error
 * explains each null that stands for something else. A field with `@requires` whose nullable inputs were lost
 * is computed from null, and has the error of the lost call beside its value: `isComputed` tells such fields
 * by their response keys.
 */
export function foreignValues(
  { data: expected }: OracleAnswer,
  result: unknown,
  isComputed: (responseKey: string) => boolean,
): readonly string[] {
  const { data, paths, surplus } = partsOf(result)
  if (surplus.length > 0) return [`the result has ${surplus.join(', ')}`]
  const found: string[] = []
  const errors = paths.map((path): Path => JSON.parse(path))
  const compare = (wanted: unknown, got: unknown, path: Path): void => {
    if (got === null) {
      if (wanted !== null && !errors.some((error) => isRelated(error, path)))
        found.push(`no error explains null at ${JSON.stringify(path)}`)
    } else if (isComputed(String(path.at(-1))) && paths.includes(JSON.stringify(path))) {
      // The subgraph has made something of null.
    } else if (Array.isArray(wanted) && Array.isArray(got) && wanted.length === got.length) {
      for (const [index, item] of wanted.entries()) compare(item, got[index], [...path, index])
    } else if (isRecord(wanted) && isRecord(got) && Object.keys(wanted).join() === Object.keys(got).join()) {
      for (const [key, value] of Object.entries(wanted)) compare(value, got[key], [...path, key])
    } else if (JSON.stringify(wanted) !== JSON.stringify(got)) {
      found.push(`at ${JSON.stringify(path)} expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`)
    }
  }
  compare(expected, data, [])
  return found
}

/** Tells by response keys which fields of an operation `fields` has. */
export function keysOf({ query }: SuiteOperation, fields: ReadonlySet<string>): (key: string) => boolean {
  const keys = new Set<string>()
  visit(parse(query, { noLocation: true }), {
    Field({ name, alias }) {
      if (fields.has(name.value)) keys.add((alias ?? name).value)
    },
  })
  return (key) => keys.has(key)
}

/** One path begins with the other. */
function isRelated(one: Path, other: Path): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  return shorter.every((key, index) => key === longer[index])
}

function partsOf(result: unknown) {
  const { data = 'nothing', errors = [], ...others } = isRecord(result) ? result : {}
  const all: readonly { readonly path?: unknown }[] = Array.isArray(errors) ? errors : []
  const paths = all.map(({ path }) => JSON.stringify(path ?? []))
  return { data, paths, surplus: Object.keys(others) }
}
