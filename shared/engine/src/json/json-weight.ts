/**
 * The weight of JSON: about how many values it holds, where sixteen characters of a string count as one more
 * value.
 *
 * The weight tells the code that prints or sends a response whether that takes long, without reading all of
 * it.
 */
import { JsonText } from './json-text.ts'

/**
 * Shift a number of characters right by this to get the number of values they count for: 2 ** 4 characters,
 * one value.
 */
export const CHARACTERS_PER_VALUE_BITS = 4

/** The weight of a printed value; 0 for every other value, which is small or was counted before. */
export function weightOfText(value: unknown): number {
  return value instanceof JsonText ? value.text.length >> CHARACTERS_PER_VALUE_BITS : 0
}
