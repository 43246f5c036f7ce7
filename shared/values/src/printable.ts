/** Shows text of others so that readers see what it says, with hidden characters as their codes. */

/**
 * Control characters without tab and line feed, marks of direction, characters that show nothing, and halves
 * of characters.
 */
export const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu

export function printable(text: string): string {
  return text.replace(HIDDEN, (character) => shownCode(character.codePointAt(0) ?? 0))
}

/** Returns the sign that stands for a hidden character. */
export function shownCode(code: number): string {
  return `⟨${code.toString(16).padStart(4, '0')}⟩`
}
