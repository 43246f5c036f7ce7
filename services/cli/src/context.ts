/** Everything a command may touch of the world, so that tests run commands in their own process. */
export type Output = {
  readonly isTTY: boolean
  /** Width of the terminal; asked for when something is printed, since it changes. */
  readonly columns?: number | undefined
  write(text: string): void
  /** Resolves when what was written does not pile up in memory any more. */
  drained?(): Promise<void>
}

export type Input = {
  readonly isTTY: boolean
  /** The next line without its end; null when the input ended. Rejects when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | null>
}

export type ServiceName = 'standalone' | 'router'

export type CliContext = {
  /** Answers to questions. */
  readonly stdin: Input
  /** Results only. */
  readonly stdout: Output
  /** Errors, warnings, progress and questions. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder the user is in: relative paths start there. */
  readonly cwd: string
  readonly signal: AbortSignal
  /** Turns this process into the service; resolves with an exit code only where that is done by a child process. */
  readonly becomeService: (
    service: ServiceName,
    env: Readonly<Record<string, string | undefined>>,
  ) => Promise<number>
}
