/** Shows text of others so that readers see what it says, with hidden characters as their codes. */

/** C0 and C1 without tab and line feed, marks of direction, and characters that show nothing. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are the characters that are shown
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

export function printable(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `⟨${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}⟩`,
  )
}
