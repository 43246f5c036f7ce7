/** A file and the schemas that it names, as the body of the request, and where each schema is from. */
import type { ApplyDesiredState } from '@switchyard/contracts'
import { readNamedSchema, type NamedSchema } from '../compose/named-schema.ts'
import { LocalRefusal, type FileProblem, UsageError } from '../run/errors.ts'
import { readTextFile } from '../files/files.ts'
import { parseApplyInput } from './apply-input.ts'

/** The body of the request, and the files that its schemas are from, by subgraph. */
export type DesiredState = {
  readonly namespace: string
  readonly body: ApplyDesiredState
  readonly sources: ReadonlyMap<string, NamedSchema>
}

/** Which file is to be read, and what the command line says about it. */
export type ApplyFileRequest = {
  /** The path of the file as the user wrote it. */
  readonly file: string
  readonly cwd: string
  /** The namespace that the command line names. */
  readonly namespace: string
  readonly isDefaultNamespace: boolean
  readonly prune: boolean
}

/** Throws a FileError or a LocalRefusal with the places in the file that are wrong. */
export async function readDesiredState(asked: ApplyFileRequest): Promise<DesiredState> {
  const { file, cwd, prune } = asked
  const input = parseApplyInput(await readTextFile({ path: file, what: 'file' }, cwd), file)
  const sources = new Map<string, NamedSchema>()
  type FeatureItem = (typeof input)['featureSubgraphs'][number]
  /** Files are read at the same time, and told about in the order in which they are named. */
  const withSdl = async <Item extends (typeof input)['subgraphs'][number] | FeatureItem>(
    items: readonly Item[],
  ) => {
    const schemas = await Promise.all(
      items.map(async ({ schema }) =>
        schema === undefined ? null : await readNamedSchema(schema.file, schema.at, { inputPath: file, cwd }),
      ),
    )
    return items.map(({ schema: _schema, ...item }, index) => {
      const named = schemas[index] ?? null
      if (named === null) return item
      sources.set(item.name, named)
      return { ...item, sdl: named.sdl }
    })
  }
  const body = {
    graphs: [...input.graphs],
    subgraphs: await withSdl(input.subgraphs),
    featureSubgraphs: await withSdl(input.featureSubgraphs),
    featureFlags: [...input.featureFlags],
    ...(input.rollouts === undefined ? {} : { rollouts: [...input.rollouts] }),
    prune,
  }
  await refuseInvalid(sources)
  return { namespace: namespaceOf(asked, input.namespace), body, sources }
}

function namespaceOf(
  { file, namespace, isDefaultNamespace }: ApplyFileRequest,
  inFile: string | undefined,
): string {
  if (inFile === undefined || inFile === namespace) return namespace
  if (isDefaultNamespace) return inFile
  throw new UsageError(
    `${file} is for namespace "${inFile}", and --namespace says "${namespace}"; nothing was changed.`,
  )
}

/** All schemas that do not parse at once. */
async function refuseInvalid(sources: DesiredState['sources']): Promise<void> {
  const { checkSdl } = await import('@switchyard/composition')
  const places: FileProblem[] = []
  for (const { sdl, file } of sources.values()) {
    places.push(...checkSdl(sdl).map((problem) => ({ file, ...problem })))
  }
  if (places.length === 0) return
  const files = new Set(places.map((place) => place.file))
  const what =
    files.size === 1 ? `${[...files].join()} is no valid schema` : `${files.size} schemas are invalid`
  throw new LocalRefusal('SCHEMA_INVALID', `${what}; nothing was changed.`, { places })
}
