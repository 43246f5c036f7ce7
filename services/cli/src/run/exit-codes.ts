/** Exit codes, which tell a script how its command ended. */
export const EXIT = {
  /** Done; also when nothing had to change, and when a graph has nothing to compose yet. */
  done: 0,
  /** Refused; nothing changed. */
  refused: 1,
  /** The command line itself is wrong, or a file it names is missing or empty. */
  usage: 2,
  /** The registry cannot be reached, or nobody knows whether the write happened. */
  unknown: 3,
  /** Applied, but a composition that it caused failed. */
  compositionFailed: 4,
} as const

/** An exit code that a command can end with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
