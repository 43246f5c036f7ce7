/**
 * The work of the thread that looks things up in the schemas of compositions. Answers are texts, made and
 * compressed here, so that the event loop only sends them on.
 */
import { gzipSync } from 'node:zlib'
import { Artifact } from '@switchyard/contracts'
import { CompositionIndex } from './composition-index.ts'
import type { PartsAsked } from './describe-type.ts'

export type SchemaQuestion =
  | { readonly kind: 'types' }
  | { readonly kind: 'client-schema' }
  | ({ readonly kind: 'type'; readonly name: string } & PartsAsked)
  | { readonly kind: 'search'; readonly text: string; readonly limit: number }

export type SchemaTask = {
  readonly question: SchemaQuestion
  /** The hash of the artifact. */
  readonly artifact: string
  /** The bytes of the artifact. Without them, only what is prepared can be asked. */
  readonly bytes: Uint8Array | null
  /** The members of the answer that say what it is about. */
  readonly about: Readonly<Record<string, string>>
  readonly gzip: boolean
}

export type SchemaAnswer =
  | { readonly kind: 'answer'; readonly body: Uint8Array<ArrayBuffer> }
  /** The composition is not prepared: its bytes have to be given. */
  | { readonly kind: 'bytes-needed' }
  | { readonly kind: 'no-such-type'; readonly meant: string | null }

/** Most compositions that are kept, and characters of their supergraphs; the last one is always kept. */
const MOST_KEPT = 8
const MOST_CHARACTERS = 64 * 1024 * 1024

type Kept = { readonly index: CompositionIndex; readonly characters: number }

/** Carries out one task after the other, and keeps the compositions that were asked for last. */
export function schemaLookup({ mostKept = MOST_KEPT, mostCharacters = MOST_CHARACTERS } = {}) {
  /** Compositions by the hash of their artifact. The one that was asked for last stands last. */
  const kept = new Map<string, Kept>()
  return (task: SchemaTask): SchemaAnswer => {
    const { artifact, bytes } = task
    const found = kept.get(artifact) ?? (bytes === null ? null : opened(bytes))
    if (found === null) return { kind: 'bytes-needed' }
    kept.delete(artifact)
    kept.set(artifact, found)
    const characters = () => [...kept.values()].reduce((sum, one) => sum + one.characters, 0)
    for (const oldest of [...kept.keys()].slice(0, -1))
      if (kept.size > mostKept || characters() > mostCharacters) kept.delete(oldest)
    return answer(found.index, task)
  }
}

function opened(bytes: Uint8Array): Kept {
  const { supergraphSdl } = Artifact.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
  return { index: new CompositionIndex(supergraphSdl), characters: supergraphSdl.length }
}

function answer(index: CompositionIndex, { question, about, artifact, gzip }: SchemaTask): SchemaAnswer {
  const found = answerOf(index, question)
  if (found === null && question.kind === 'type')
    return { kind: 'no-such-type', meant: index.nearest(question.name) }
  const text = Buffer.from(JSON.stringify({ ...about, artifact, ...found }))
  return { kind: 'answer', body: new Uint8Array(gzip ? gzipSync(text) : text) }
}

function answerOf(index: CompositionIndex, question: SchemaQuestion): object | null {
  switch (question.kind) {
    case 'types':
      return index.types
    case 'client-schema':
      return index.clientSchema()
    case 'type':
      return index.type(question.name, question)
    case 'search':
      return index.search(question.text, question.limit)
    default:
      return question satisfies never
  }
}
