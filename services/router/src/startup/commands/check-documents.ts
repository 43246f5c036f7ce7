/**
 * Prints, for `check-documents <manifest>…`, which documents base and each feature flag of a file can answer.
 * No router is started.
 */
import { listProblems, problemsIn, startedDocument, type Environment } from '@switchyard/service-kit'
import { type ManifestDocument, reasonAgainst } from '@switchyard/documents'
import { joinGraph, openGraph } from '@switchyard/engine'
import { messageOf } from '@switchyard/values'
import { LOCAL_NETWORKS } from '../../addresses/allowed-networks.ts'
import { readSettingsFile } from '../../config/read-settings.ts'
import { loadRouterConfig, type RouterConfig } from '../../config/router-config.ts'
import { readManifestFiles } from '../../concerns/documents/document-files.ts'
import { DocumentLists } from '../../concerns/documents/document-list.ts'
import { compileArtifact } from '../../generations/build/compile-artifact.ts'
import { readExecutionConfig } from '../../generations/follow/file-source.ts'
import type { OfferedConfig } from '../../generations/offered-config.ts'
import { readPublished } from '../../generations/published-documents.ts'
import { readSupergraphFile } from '../../generations/follow/supergraph-source.ts'
import type { UnfitDocument } from '../../concerns/documents/events.ts'
import { operationRules } from '../open-generation-factory.ts'
import { type Printed, whatFailed } from './printed.ts'
import type { RouterCommandErrorCode } from '../../errors/command-errors.ts'

/**
 * A composition and the documents that it cannot answer. `featureFlags` lists the flags that have it, or is
 * null for base and flags that are the same as base.
 */
type CheckedComposition = {
  readonly featureFlags: readonly string[] | null
  readonly unfit: readonly UnfitDocument[]
}

/** There is nothing to check, or nothing to check it against. */
class CheckDocumentsError extends Error {
  override readonly name = 'CheckDocumentsError'
  readonly code: RouterCommandErrorCode = 'DOCUMENTS_NOT_CHECKED'
}

/**
 * `paths`: manifests; empty: those of the settings file, and those that were published for the graph and are
 * in its file. Exit code 1: some document does not fit.
 */
export async function checkDocuments(
  paths: readonly string[],
  env: Environment,
  json: boolean,
): Promise<Printed> {
  try {
    const file = await readSettingsFile(env)
    const config = loadRouterConfig({ env, file, defaultNetworks: LOCAL_NETWORKS })
    const offer = await offerOf(env)
    const documents = await documentsOf(paths, offer, config)
    const checked: CheckedComposition[] = []
    for (const [artifact, featureFlags] of compositionsOf(offer))
      checked.push({ featureFlags, unfit: await unfitFor(artifact, offer, { documents, config }) })
    const isFit = checked.every(({ unfit }) => unfit.length === 0)
    const stdout = json
      ? startedDocument({ documents: documents.length, compositions: checked }, isFit)
      : linesOf(documents.length, checked).join('')
    return { stdout, stderr: '', exitCode: isFit ? 0 : 1 }
  } catch (error) {
    return whatFailed(error, json)
  }
}

async function documentsOf(
  paths: readonly string[],
  offer: OfferedConfig,
  { documents: config }: RouterConfig,
): Promise<readonly ManifestDocument[]> {
  const isNamed = paths.length > 0
  const manifests = isNamed ? paths.map((file) => ({ file })) : config.manifests
  const published = !isNamed && usesPublished(config) ? offer.documents : []
  if (manifests.length + published.length === 0)
    throw new CheckDocumentsError(
      'There are no manifests to check, neither named nor in the settings file nor among what was published.',
    )
  try {
    const { manifests: read } = await readManifestFiles({ ...config, manifests })
    const all = [...read]
    for (const { name, clients = null, manifest } of published) {
      const gzipped = (await offer.readArtifact(manifest)) ?? new Uint8Array()
      const documents = await readPublished({ name, gzipped }, config.maxManifestSize)
      all.push({ name, clients, documents })
    }
    return (await DocumentLists.of(all, 1)).documents
  } catch (error) {
    const problems = problemsIn(error) ?? [messageOf(error)]
    throw new CheckDocumentsError(listProblems('A manifest cannot be used.', problems), { cause: error })
  }
}

/** Settings that say nothing of documents do not keep those of the file from being checked. */
function usesPublished({ mode, published }: RouterConfig['documents']): boolean {
  return published || mode === 'off'
}

async function offerOf(env: Environment): Promise<OfferedConfig> {
  const { SWITCHYARD_EXECUTION_CONFIG: executionConfig, SWITCHYARD_SUPERGRAPH: supergraph } = env
  // Nobody gets an answer, so that it does not matter who may see what.
  if (executionConfig) return readExecutionConfig(executionConfig, true)
  if (supergraph) return readSupergraphFile(supergraph, true)
  throw new CheckDocumentsError('There is no graph to check documents against: no file of one is named.')
}

/** Each artifact once. */
function compositionsOf({ base, featureFlags }: OfferedConfig): ReadonlyMap<string, string[] | null> {
  const compositions = new Map<string, string[] | null>(base === null ? [] : [[base, null]])
  for (const [flag, artifact] of featureFlags) {
    const flags = compositions.get(artifact)
    if (flags === undefined) compositions.set(artifact, [flag])
    else flags?.push(flag)
  }
  return compositions
}

async function unfitFor(
  artifact: string,
  offer: OfferedConfig,
  of: { readonly documents: readonly ManifestDocument[]; readonly config: RouterConfig },
): Promise<readonly UnfitDocument[]> {
  const gzipped = (await offer.readArtifact(artifact)) ?? new Uint8Array()
  const compiled = compileArtifact({ kind: 'whole', gzipped })
  if (!compiled.ok) throw new CheckDocumentsError(`A composition cannot be compiled. ${compiled.message}`)
  const graph = openGraph(await joinGraph(compiled.pieces, () => undefined))
  const rules = operationRules(of.config)
  return of.documents.flatMap((document) => {
    const reason = reasonAgainst(document, graph, rules)
    return reason === null ? [] : [{ id: document.key, operation: document.operationName, reason }]
  })
}

function linesOf(documents: number, checked: readonly CheckedComposition[]): readonly string[] {
  return checked.flatMap(({ featureFlags, unfit }) => {
    const names = featureFlags?.map((name) => `"${name}"`).join(', ')
    const what = names === undefined ? 'base' : `feature flag ${names}`
    if (unfit.length === 0) return [`${what}: ${documents} of ${documents} documents fit\n`]
    return [
      `${what}: ${unfit.length} of ${documents} documents do not fit\n`,
      ...unfit.map(({ id, operation, reason }) => {
        const [first = ''] = reason.split('\n', 1)
        return `  ${id}${operation === null ? '' : ` (${operation})`}: ${first}\n`
      }),
    ]
  })
}
