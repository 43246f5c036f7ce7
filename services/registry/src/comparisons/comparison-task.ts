/** The work of the thread that compares schemas. Answers are texts, which the event loop only sends on. */
import { gzipSync } from 'node:zlib'
import { CheckLimitError } from '@switchyard/schema-checks'
import { type CheckTask, checkPublication } from './check-publication.ts'
import { compareCompositions, type DifferenceTask } from './compare-compositions.ts'

export type ComparisonTask = (DifferenceTask | CheckTask) & {
  /** The members of the answer that say what it is about. */
  readonly about: object
  readonly gzip: boolean
}

export type ComparisonAnswer =
  | { readonly kind: 'answer'; readonly body: Uint8Array<ArrayBuffer> }
  /** A part of the work took more than it may. */
  | { readonly kind: 'too-expensive'; readonly message: string }

export async function carryOut(task: ComparisonTask): Promise<ComparisonAnswer> {
  try {
    const found = task.kind === 'check' ? await checkPublication(task) : await compareCompositions(task)
    const text = Buffer.from(JSON.stringify({ ...task.about, ...found }))
    return { kind: 'answer', body: new Uint8Array(task.gzip ? gzipSync(text) : text) }
  } catch (error) {
    if (error instanceof CheckLimitError) return { kind: 'too-expensive', message: error.message }
    throw error
  }
}
