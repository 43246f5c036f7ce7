/** Returns the message of a caught value, for a sentence or a log line. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
