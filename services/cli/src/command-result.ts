/** What a command hands back to be printed, once, in the form that was asked for. */
import { EXIT } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Annotation } from './output/github.ts'

/** Every form of a result. Which of them is printed is decided by `--json` and `--output`. */
export type CommandResult = {
  readonly exitCode: ExitCode
  /** The members of the `--json` document beside `ok`; without the last two nothing was composed. */
  readonly json: {
    readonly result: object
    readonly compositions?: readonly object[]
    readonly routers?: { readonly serving: number; readonly total: number }
  }
  /** For people, on stdout. */
  readonly text: string
  /** `text` is for programs, such as a schema: off a terminal it is written as it is, byte for byte. */
  readonly isData?: boolean
  /** For people, on stderr: warnings, composition errors. */
  readonly remarks: string
  /** The same for GitHub Actions, where a command offers that. */
  readonly annotations?: readonly Annotation[]
}

/** The result of a command that did what it was asked: exit code 0. */
export function successResult(json: CommandResult['json'], text: string, remarks = ''): CommandResult {
  return { exitCode: EXIT.done, json, text, remarks }
}

/** The result of a command that was asked for data, such as a schema: exit code 0. */
export function dataResult(json: CommandResult['json'], data: string, remarks = ''): CommandResult {
  return { ...successResult(json, data, remarks), isData: true }
}
