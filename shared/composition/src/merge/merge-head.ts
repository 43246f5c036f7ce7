/** Merges what all kinds of definitions have: name, description, directives. */
import type { Described } from '../model/model.ts'
import { mergeApplied } from './merge-applied.ts'
import type { Declared } from '../graph/declared.ts'
import type { MergedHead } from './merged.ts'

/** The head of a definition: the first description counts, of directives what all subgraphs say together. */
export function mergeHead(declarations: readonly Declared<Described>[]): MergedHead {
  return {
    name: declarations[0]?.model.name ?? '',
    description: declarations.find(({ model }) => isText(model.description))?.model.description ?? null,
    applied: mergeApplied(declarations.map(({ model }) => model.applied)),
  }
}

function isText(description: string | null): boolean {
  return description !== null && description !== ''
}
