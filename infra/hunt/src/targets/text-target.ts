/** Targets whose inputs are texts with a grammar. */
import { changedTexts, partsOf } from '../input/changed-text.ts'
import type { Arena, Seeds, Target } from './target.ts'

type TextTarget = Pick<Target, 'name' | 'judgesTimes'> & {
  readonly seeds: Seeds
  /** Words that stand for others now and then. */
  readonly words: readonly string[]
  /** The longest text. */
  readonly maxLength: number
  /** Makes an input of a text. */
  readonly bytesOf: (text: string) => Buffer
  readonly open: () => Promise<Arena>
}

/** Makes a target. Its texts are documents, JSON or schemas, in all of which a comma may separate items. */
export function textTarget({ seeds, words, maxLength, bytesOf, ...target }: TextTarget): Target {
  const parts = Object.values(seeds).map(partsOf)
  return {
    ...target,
    seeds: Object.fromEntries(Object.entries(seeds).map(([name, text]) => [name, bytesOf(text)])),
    drawn: changedTexts({ seeds: parts, words, separator: ',', maxLength }).map(bytesOf),
  }
}
