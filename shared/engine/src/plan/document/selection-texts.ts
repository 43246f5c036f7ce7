/**
 * The selection sets of one request, each kept once however often it is wanted. Long ones that stand in
 * several places become named fragments: nested interfaces whose object types are asked one by one would else
 * be written out once for each combination of types on the way.
 */

/**
 * Fewest characters of a fragment. A shorter text is repeated: a fragment would hardly make the request
 * smaller, and is harder to read.
 */
const MIN_LENGTH = 60

/**
 * Around the number of a selection set, in the texts of others. No text of a field has one: strings are
 * printed as JSON.
 */
const MARK = '\u0000'

/** A selection set as text, with its braces. `type` is the name that the subgraph uses. */
type SelectionText = { readonly type: string; readonly text: string }

/** The selection sets of one document while it is printed. */
export class SelectionTexts {
  readonly #sets: SelectionText[] = []
  readonly #numbers = new Map<string, number>()

  /**
   * Returns a placeholder for a selection set, until it is known how often the set is used. Short sets are
   * returned as they are.
   */
  add(type: string, text: string): string {
    if (text.length < MIN_LENGTH && !text.includes(MARK)) return text
    const key = `${type}${text}`
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#sets.length
      this.#sets.push({ type, text })
      this.#numbers.set(key, number)
    }
    return `${MARK}${number}${MARK}`
  }

  /** Returns the document with its selection sets, and the fragments that it uses. */
  write(document: string): string {
    const uses = this.#usesIn(document)
    const texts: string[] = []
    const fragments: string[] = []
    // A set comes after those within it.
    for (const [number, { type, text }] of this.#sets.entries()) {
      const whole = expanded(text, texts)
      if (whole.length < MIN_LENGTH || (uses[number] ?? 0) < 2) {
        texts.push(whole)
        continue
      }
      const name = `_f${fragments.length}`
      fragments.push(` fragment ${name} on ${type}${whole}`)
      texts.push(`{...${name}}`)
    }
    return expanded(document, texts) + fragments.join('')
  }

  #usesIn(document: string): readonly number[] {
    const uses = this.#sets.map(() => 0)
    for (const text of [document, ...this.#sets.map((set) => set.text)])
      for (const [index, piece] of text.split(MARK).entries())
        if (index % 2 === 1) uses[Number(piece)] = (uses[Number(piece)] ?? 0) + 1
    return uses
  }
}

/** Returns the text with the selection sets in place of their numbers. */
function expanded(text: string, texts: readonly string[]): string {
  if (!text.includes(MARK)) return text
  return text
    .split(MARK)
    .map((piece, index) => (index % 2 === 1 ? (texts[Number(piece)] ?? '') : piece))
    .join('')
}
