/**
 * Finds lines and columns in a document.
 *
 * graphql-js counts the lines from the start of the document for each place that an error names. With
 * millions of empty lines that takes a second for a few errors. Here they are counted once, and only if there
 * is an error.
 */
import type { SourceLocation } from 'graphql'
import { excerpt } from './excerpt.ts'

/** Finds the line and column of an offset in a document. */
export class SourceLines {
  readonly #text: string
  #starts: readonly number[] | null = null

  constructor(text: string) {
    this.#text = text
  }

  /** The place of a character, whose position is counted from 0; lines and columns are counted from 1. */
  locate(position: number): SourceLocation {
    this.#starts ??= startsOf(this.#text)
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: position + 1 - (this.#starts[low] ?? 0) }
  }

  /** The number of characters of the document. */
  get length(): number {
    return this.#text.length
  }

  /** Whether these characters stand anywhere in the document. */
  include(characters: string): boolean {
    return this.#text.includes(characters)
  }

  /** The beginning of a part of the document. */
  excerpt(start: number, end: number): string {
    return excerpt(this.#text.slice(start, end))
  }
}

/** https://spec.graphql.org/draft/#LineTerminator */
export function lineBreaks(text: string, atMost: number): number {
  let count = 0
  for (const _ of text.matchAll(/\r\n|[\n\r]/g)) if (++count > atMost) break
  return count
}

function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|[\n\r]/g)) starts.push(index + lineBreak.length)
  return starts
}
