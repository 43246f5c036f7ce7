/** Places that are marked in SDL by ‹…›, beside those that an error or a hint has. */
import type { CompositionError, SdlLocation } from '@switchyard/composition'
import type { ErrorSet } from './error-set.ts'

export type Mark = readonly [subgraph: string, line: number, column: number, text: number, label: string]

/** Takes the marks out of the SDL and tells where they were. */
export function readMarks({ subgraphs, labels }: Pick<ErrorSet, 'subgraphs' | 'labels'>): {
  readonly sdls: Readonly<Record<string, string>>
  readonly marks: readonly Mark[]
} {
  const sdls: Record<string, string> = {}
  const marks: Mark[] = []
  for (const [name, text] of Object.entries(subgraphs)) {
    const pieces = text.split(/[‹›]/)
    let sdl = ''
    for (const [index, piece] of pieces.entries()) {
      const lines = sdl.split('\n')
      if (index % 2 === 1)
        marks.push([
          name,
          lines.length,
          (lines.at(-1) ?? '').length + 1,
          piece.length,
          labels?.[marks.length] ?? '',
        ])
      sdl += piece
    }
    sdls[name] = sdl
  }
  return { sdls, marks }
}

export function placesOf({ locations }: CompositionError): readonly Mark[] {
  return locations.map(({ subgraph, line, column, length, label }: SdlLocation) => [
    subgraph,
    line,
    column,
    length ?? 0,
    label ?? '',
  ])
}

export function byText(a: Mark, b: Mark): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
