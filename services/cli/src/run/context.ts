/**
 * Everything a command may touch of the world, so that tests run commands in their own process.
 *
 * Commands write by a `Printer` alone (`output/style.ts`).
 */

/** Standard output or standard error, as the process has it. */
export type OutputStream = {
  readonly isTTY: boolean
  /** Width of the terminal; asked for when something is printed, since it changes. */
  readonly columns?: number | undefined
  /** True if nobody reads it any more, as when a pipe was closed. */
  readonly isClosed?: boolean
  write(text: string): void
  /** Resolves when the written bytes do not pile up in memory any more. */
  drained?(): Promise<void>
}

/** An output stream that commands write to. */
export type Printer = OutputStream & {
  /** Writes text for people, without what a terminal would act on; colours of our own stay. */
  write(text: string): void
  /** Writes data for programs: byte for byte, unless a terminal shows it. */
  writeData(text: string): void
  /** Goes back to the beginning of the line at which a terminal is, and empties the line. */
  clearLine(): void
}

/** Standard input. */
export type InputStream = {
  readonly isTTY: boolean
  /** Reads the next line without its end. Null if the input ended. Rejects when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | null>
  /** Reads up to the end, or a little more than `limit` bytes. Rejects when the signal aborts. */
  readAll(limit: number, signal: AbortSignal): Promise<Uint8Array>
  /** Yields the input as it comes. Ends with an error when the signal aborts. */
  bytes(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** A service that a command can become. */
export type ServiceName = 'standalone' | 'router'

/** Streams, environment, folder and signal of one run, as the process has them. */
export type CliWorld = Omit<CliContext, 'stdout' | 'stderr'> & {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

/** Streams, environment, folder and signal of one run, as commands have them. */
export type CliContext = {
  /** Answers to questions, or a file. */
  readonly stdin: InputStream
  /** Results only. */
  readonly stdout: Printer
  /** Errors, warnings, progress and questions. */
  readonly stderr: Printer
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder the user is in: relative paths start there. */
  readonly cwd: string
  readonly signal: AbortSignal
  /**
   * Turns this process into the service, with `words` as its arguments; resolves with an exit code only where
   * that is done by a child process.
   */
  readonly becomeService: (
    service: ServiceName,
    env: Readonly<Record<string, string | undefined>>,
    words?: readonly string[],
  ) => Promise<number>
}
