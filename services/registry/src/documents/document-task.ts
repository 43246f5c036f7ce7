/**
 * The work of the thread that reads manifests of persisted documents and checks them against schemas. It runs
 * in a thread since strangers write both, at any length.
 */
import { Artifact } from '@switchyard/contracts'
import { boundedProblems, isSha256, ManifestError, readManifest, reasonAgainst } from '@switchyard/documents'
import { openGraph } from '@switchyard/engine'
import { z } from 'zod'
import { CompositionCompiler } from '../compositions/composition-compiler.ts'

/** A document of a manifest. `key` is its identifier without a prefix. */
export type PublishedDocument = {
  readonly key: string
  readonly text: string
  readonly operationName: string | null
}
/** A document that does not fit, or contradicts another, and why. */
export type DocumentProblem = Omit<PublishedDocument, 'text'> & { readonly reason: string }

export type ManifestTask =
  /** The bytes of a file that a compiler has written. */
  | { readonly kind: 'read'; readonly manifest: Uint8Array }
  /** The bytes of an artifact. */
  | { readonly kind: 'fit'; readonly documents: readonly PublishedDocument[]; readonly artifact: Uint8Array }
  /** The bytes of another manifest, as they are kept. */
  | {
      readonly kind: 'compare'
      readonly documents: readonly PublishedDocument[]
      readonly other: Uint8Array
    }

export type DocumentAnswer =
  /**
   * A manifest that was read. `text` is equal for manifests with the same documents. `namesOwn` is true if an
   * identifier is no SHA-256.
   */
  | {
      readonly kind: 'manifest'
      readonly text: Uint8Array
      readonly documents: readonly PublishedDocument[]
      readonly namesOwn: boolean
    }
  | { readonly kind: 'unreadable'; readonly problems: readonly string[] }
  | { readonly kind: 'problems'; readonly problems: readonly DocumentProblem[] }

const Kept = z.record(z.string(), z.string())

/** Carries out one task after the other. Base and flags of a graph, which are tried in turn, are shared. */
export function manifestTasks(): (task: ManifestTask) => Promise<DocumentAnswer> {
  const compiler = new CompositionCompiler()
  return async (task) => {
    switch (task.kind) {
      case 'read':
        return readDocuments(task.manifest)
      case 'fit':
        return { kind: 'problems', problems: await unfitIn(task.documents, task.artifact, compiler) }
      case 'compare':
        return { kind: 'problems', problems: contradictionsIn(task.documents, task.other) }
      default:
        return task satisfies never
    }
  }
}

async function readDocuments(manifest: Uint8Array): Promise<DocumentAnswer> {
  try {
    const byKey = new Map<string, PublishedDocument>()
    const twice: string[] = []
    for (const { key, text, operationName } of await readManifest(manifest)) {
      const before = byKey.get(key)
      if (before !== undefined && before.text !== text)
        twice.push(`${JSON.stringify(key)} stands for two different texts`)
      byKey.set(key, { key, text, operationName })
    }
    if (twice.length > 0) return { kind: 'unreadable', problems: boundedProblems(twice) }
    const documents = [...byKey.values()].sort((left, right) => (left.key < right.key ? -1 : 1))
    const kept = Object.fromEntries(documents.map(({ key, text }) => [key, text]))
    const namesOwn = documents.some(({ key }) => !isSha256(key))
    return { kind: 'manifest', text: Buffer.from(JSON.stringify(kept)), documents, namesOwn }
  } catch (error) {
    if (error instanceof ManifestError) return { kind: 'unreadable', problems: error.problems }
    throw error
  }
}

async function unfitIn(
  documents: readonly PublishedDocument[],
  artifact: Uint8Array,
  compiler: CompositionCompiler,
): Promise<readonly DocumentProblem[]> {
  const { supergraphSdl } = Artifact.parse(JSON.parse(Buffer.from(artifact).toString('utf8')))
  const graph = openGraph(await compiler.compile(supergraphSdl))
  return documents.flatMap((document) => {
    const reason = reasonAgainst(document, graph, { limits: {}, mayDefer: true, maySubscribe: true })
    return reason === null ? [] : [problemOf(document, reason)]
  })
}

function contradictionsIn(
  documents: readonly PublishedDocument[],
  other: Uint8Array,
): readonly DocumentProblem[] {
  const texts = new Map(Object.entries(Kept.parse(JSON.parse(Buffer.from(other).toString('utf8')))))
  return documents.flatMap((document) => {
    const known = texts.get(document.key)
    return known === undefined || known === document.text
      ? []
      : [problemOf(document, 'has another text there')]
  })
}

function problemOf({ key, operationName }: PublishedDocument, reason: string): DocumentProblem {
  return { key, operationName, reason }
}
