/** Everything a command may touch of the world, so that tests run commands in their own process. */
export type Output = {
  readonly isTTY: boolean
  write(text: string): void
}

export type ServiceName = 'standalone' | 'router'

export type CliContext = {
  /** Results only. */
  readonly stdout: Output
  /** Errors, warnings and progress. */
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
