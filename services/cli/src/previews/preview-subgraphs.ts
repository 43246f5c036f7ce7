/** The subgraphs of a preview on the command line: three options, each as often as there are subgraphs. */
import { MAX_PREVIEW_SECONDS } from '@switchyard/contracts'
import { type GivenSchema, readSchema } from '../files/files.ts'
import { optional, optionalList, type OptionSpec, type OptionValues } from '../command/options.ts'
import { baseSubgraphName, routingUrl, type ValueType } from '../command/value-types.ts'
import type { CliContext } from '../run/context.ts'
import { UsageError } from '../run/errors.ts'

/** Files, whose names may have spaces. */
const schemaFiles: OptionSpec<readonly string[] | undefined> = {
  flags: '--schema <files...>',
  description: 'the SDL of that subgraph; - reads standard input',
  required: false,
  completion: 'file',
  parse: (raw) => (Array.isArray(raw) ? raw.map(String) : undefined),
}

const SECONDS_OF_UNIT = new Map([
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

/** How long a preview lives, in seconds. */
const lifetime: ValueType<number> = {
  parse: (word) => {
    const [, count = '', unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(word) ?? []
    const seconds = Number(count) * (SECONDS_OF_UNIT.get(unit) ?? Number.NaN)
    if (seconds <= MAX_PREVIEW_SECONDS) return seconds
    throw new UsageError(`--ttl takes a duration such as 90m, 12h or 3d, 14d at most, not "${word}".`)
  },
}

/** The options of commands that create or change a preview. */
export const PREVIEW_OPTIONS = {
  subgraph: optionalList(
    '--subgraph <names...>',
    'a subgraph that it replaces; with --routing-url and --schema, several times for several',
    baseSubgraphName,
  ),
  routingUrl: optionalList(
    '--routing-url <urls...>',
    'where that subgraph is called, at a host that the namespace allows for previews',
    routingUrl,
  ),
  schema: schemaFiles,
  ttl: optional('--ttl <duration>', 'how long it lives from now on: 90m, 12h, 3d; 14d at most', lifetime),
}

/** A subgraph as the registry takes it. */
export type SentSubgraph = { readonly subgraph: string; readonly routingUrl: string; readonly sdl: string }

/** The subgraphs that were given, and their schemas by the names of what they replace. */
export type GivenSubgraphs = {
  readonly subgraphs: readonly SentSubgraph[]
  readonly sources: ReadonlyMap<string, GivenSchema>
}

/** Reads the schemas of the given subgraphs. Throws a UsageError if the three options do not match. */
export async function givenSubgraphs(
  {
    subgraph: names = [],
    routingUrl: urls = [],
    schema: files = [],
  }: Omit<OptionValues<typeof PREVIEW_OPTIONS>, 'ttl'>,
  context: CliContext,
): Promise<GivenSubgraphs> {
  if (names.length !== urls.length || names.length !== files.length) {
    throw new UsageError(
      `--subgraph, --routing-url and --schema belong together: ${names.length}, ${urls.length} and ${files.length} were given.`,
    )
  }
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('Standard input is read once: one --schema - at most was expected.')
  }
  const subgraphs: SentSubgraph[] = []
  const sources = new Map<string, GivenSchema>()
  for (const [index, name] of names.entries()) {
    const schema = await readSchema(files[index] ?? '', context)
    sources.set(name, schema)
    subgraphs.push({ subgraph: name, routingUrl: urls[index] ?? '', sdl: schema.sdl })
  }
  return { subgraphs, sources }
}
