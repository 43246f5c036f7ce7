/** The words about an error code in docs/errors.md. */
export type ErrorFacts = {
  /** The cause, in Markdown. */
  readonly happened: string
  /** The meaning for operators and clients, and what they can do, in Markdown. */
  readonly remedy: string
}
