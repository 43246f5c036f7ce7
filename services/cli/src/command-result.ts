/** What a command hands back to be printed, once, in the form that was asked for. */
import { EXIT } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'

export type CommandResult = {
  readonly exitCode: ExitCode
  /** The members of the `--json` document beside `ok`. */
  readonly json: Readonly<Record<string, unknown>>
  /** For people, on stdout. */
  readonly text: string
  /** For people, on stderr: warnings, composition errors. */
  readonly remarks: string
}

export function done(json: CommandResult['json'], text: string, remarks = ''): CommandResult {
  return { exitCode: EXIT.done, json, text, remarks }
}
