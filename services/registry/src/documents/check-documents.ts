/**
 * Reads a manifest of persisted documents that is to be published, and checks each document against what the
 * graph serves: base and every flag, by their newest compositions.
 */
import {
  type ArtifactReference,
  problem,
  ProblemError,
  referenceOf,
  type RecordedResult,
  MAX_DOCUMENT_MANIFEST_BYTES,
} from '@switchyard/contracts'
import type { FederatedGraph, PublishedDocuments } from '@switchyard/domain'
import { type BlobStore, readArtifact } from '@switchyard/event-log'
import type { CompositionEntry } from '../reading/composition-results.ts'
import type { PublishedConfig } from '../reading/published-configs.ts'
import type { DocumentProblem } from './document-task.ts'
import type { DocumentThread, ReadDocuments } from './document-thread.ts'

export type DocumentsToCheck = {
  readonly namespace: string
  readonly graph: FederatedGraph
  readonly name: string
  /** The text of the file. */
  readonly manifest: string
  /** The clients that may use the manifest. Null if all may. */
  readonly clients: readonly string[] | null
  readonly strict: boolean
}

export type DocumentCheckSources = {
  readonly thread: DocumentThread
  readonly blobs: BlobStore
  /** Artifacts in pieces: lists and chunks. */
  readonly pieces: BlobStore
  /** The newest composition of the graph, and what routers were given last. */
  readonly newest: CompositionEntry | null
  readonly published: PublishedConfig | null
}

export type CheckedDocuments = {
  readonly published: PublishedDocuments
  readonly warnings: readonly string[]
}

/** A composition. `what` says in words which one it is: `base`, or the flags that have it. */
type Composition = { readonly what: string; readonly artifact: ArtifactReference }
type Unfit = { readonly what: string; readonly problems: readonly DocumentProblem[] }

/** The largest number of documents and of compositions in one answer. */
const MAX_TOLD = 10
const MAX_REASON = 200

/** Keeps the manifest, whose blob has to be there before its record. Throws ProblemError. */
export async function checkDocuments(
  asked: DocumentsToCheck,
  sources: DocumentCheckSources,
): Promise<CheckedDocuments> {
  const { namespace, name, graph, manifest, clients } = asked
  const { thread, blobs, pieces } = sources
  const bytes = Buffer.from(manifest)
  if (bytes.length > MAX_DOCUMENT_MANIFEST_BYTES) throw tooLarge(name, bytes.length)
  const read = await thread.read(namespace, bytes)
  if (!('documents' in read)) throw refusal(`Manifest "${name}" cannot be used`, read)
  await refuseContradictions(asked, read, sources)
  const compositions = compositionsOf(sources)
  const unfit: Unfit[] = []
  for (const { what, artifact } of compositions) {
    const problems = await thread.unfit(
      namespace,
      read.documents,
      await readArtifact({ blobs, pieces }, artifact),
    )
    if (problems.length > 0) unfit.push({ what, problems })
  }
  const refused = asked.strict ? unfit : unfitEverywhere(unfit, compositions.length)
  if (refused.length > 0) throw refusal(`Documents of manifest "${name}" do not fit the graph`, told(refused))
  const sha256 = await blobs.put(read.text)
  const documents = read.documents.length
  return {
    published: { name, manifest: sha256, bytes: read.text.length, documents, clients },
    warnings:
      compositions.length === 0
        ? [`Nothing is composed for federated graph "${graph.name}" yet, so its documents were not checked.`]
        : warningsOf(unfit, documents),
  }
}

async function refuseContradictions(
  { namespace, graph, name, clients }: DocumentsToCheck,
  { documents, namesOwn }: ReadDocuments,
  { thread, blobs }: DocumentCheckSources,
): Promise<void> {
  // An identifier that is the hash of its text stands for the same text everywhere.
  if (!namesOwn) return
  const problems: string[] = []
  for (const other of graph.documents) {
    if (other.name === name || !haveClientsInCommon(other.clients, clients)) continue
    const found = await thread.contradictions(namespace, documents, await blobs.get(other.manifest))
    problems.push(...found.map(({ key }) => `"${key}" has another text in manifest "${other.name}"`))
  }
  if (problems.length > 0)
    throw refusal(`Manifest "${name}" contradicts others that are for the same clients`, problems)
}

function haveClientsInCommon(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one === null || other === null || one.some((name) => other.includes(name))
}

/**
 * Returns compositions, each artifact once. For a composition that failed it takes the one that is served
 * instead, if there is one.
 */
function compositionsOf({ newest, published }: DocumentCheckSources): readonly Composition[] {
  const byArtifact = new Map<string, { readonly artifact: ArtifactReference; readonly names: string[] }>()
  const add = (what: string, artifact: ArtifactReference | null) => {
    if (artifact === null) return
    const known = byArtifact.get(artifact.artifact)
    if (known === undefined) byArtifact.set(artifact.artifact, { artifact, names: [what] })
    else known.names.push(what)
  }
  const artifactFor = (result: RecordedResult, served: ArtifactReference | null | undefined) =>
    referenceOf(result) ?? served ?? null
  const record = newest?.record
  if (record?.type === 'composition.completed') {
    add('base', artifactFor(record.base, published?.base))
    for (const { name, result } of record.featureFlags)
      add(`feature flag "${name}"`, artifactFor(result, published?.featureFlags[name]))
  }
  return [...byArtifact.values()].map(({ artifact, names }) => ({ artifact, what: names.join(', ') }))
}

/** Documents that no composition can answer, with what the first one has against them. */
function unfitEverywhere(unfit: readonly Unfit[], compositions: number): readonly Unfit[] {
  const [first, ...others] = unfit
  if (first === undefined || unfit.length < compositions) return []
  const known = others.map(({ problems }) => new Set(problems.map(({ key }) => key)))
  const problems = first.problems.filter(({ key }) => known.every((keys) => keys.has(key)))
  return problems.length === 0 ? [] : [{ what: first.what, problems }]
}

function told(unfit: readonly Unfit[]): readonly string[] {
  return unfit.flatMap(({ what, problems }) => problems.map((one) => `${what}: ${toldOf(one)}`))
}

function warningsOf(unfit: readonly Unfit[], documents: number): readonly string[] {
  const lines = unfit.slice(0, MAX_TOLD).map(({ what, problems }) => {
    const [first] = problems
    const example = first === undefined ? '' : `, for example ${toldOf(first)}`
    return `${problems.length} of ${documents} documents do not fit ${what}${example}`
  })
  const more = unfit.length - lines.length
  return more > 0 ? [...lines, `… and some do not fit ${more} further compositions.`] : lines
}

function toldOf({ key, operationName, reason }: DocumentProblem): string {
  const [line = ''] = reason.split('\n', 1)
  const operation = operationName === null ? '' : ` (${operationName.slice(0, MAX_REASON)})`
  return `"${key}"${operation}: ${line.slice(0, MAX_REASON)}`
}

function refusal(what: string, problems: readonly string[]): ProblemError {
  const more = problems.length - MAX_TOLD
  const shown = more > 0 ? [...problems.slice(0, MAX_TOLD), `… and ${more} further problems`] : problems
  const detail = `${what}, and nothing was published${problems.length === 1 ? `. ${shown.join('')}` : `: ${problems.length} problems.`}`
  return new ProblemError(problem('DOCUMENTS_INVALID', detail, { problems: [...shown] }))
}

function tooLarge(name: string, bytes: number): ProblemError {
  return new ProblemError(
    problem(
      'PAYLOAD_TOO_LARGE',
      `Manifest "${name}" has ${bytes} bytes; the limit is ${MAX_DOCUMENT_MANIFEST_BYTES} (8 MiB). Nothing was published.`,
    ),
  )
}
