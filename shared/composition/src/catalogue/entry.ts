/** One entry of the catalogue: all that is said about one code. */

/** The name of a subgraph, by its position among the inputs. */
export type NameOf = (position: number) => string

/** The texts about one code. */
export type Entry<Facts> = {
  /** The cause, for the table of codes in docs/errors.md. */
  readonly happened: string
  /** The advice, for the same table. */
  readonly remedy: string
  /** The sentences about one finding. The name of its subgraph, if it is about one, is put before them. */
  readonly says: (facts: Facts, nameOf: NameOf) => string
}

/** Writes an entry whose sentences are made of these facts. */
export function entry<Facts>(
  happened: string,
  remedy: string,
  says: (facts: Facts, nameOf: NameOf) => string,
): Entry<Facts> {
  return { happened, remedy, says }
}

/** The version from which on hints about mistakes that were taken before are errors. */
const ERRORS_FROM = '0.2'

/** The sentence after those of a mistake that is a hint for one minor version. */
export function hintOfError(): string {
  return ` This is a hint in this version, and an error from ${ERRORS_FROM} on.`
}

/** `"a", "b" and "c"` */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  const last = quoted.at(-1) ?? ''
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} and ${last}`
}
