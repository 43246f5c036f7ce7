/** The result of a command, which is printed once, in the form that the user asked for. */
import { EXIT } from '../run/exit-codes.ts'
import type { ExitCode } from '../run/exit-codes.ts'
import type { Annotation } from './github.ts'

/** Every form of a result. `--json` and `--output` decide which of them is printed. */
export type CommandResult = {
  readonly exitCode: ExitCode
  /** The members of the `--json` document besides `ok`. The last two are absent if nothing was composed. */
  readonly json: {
    readonly result: object
    readonly compositions?: readonly object[]
    readonly routers?: { readonly serving: number; readonly total: number }
  }
  /** The text for people on stdout. */
  readonly text: string
  /** True if `text` is data for programs, such as a schema. It is written unchanged, except to a terminal. */
  readonly isData?: boolean
  /** The text for people on stderr: warnings and composition errors. */
  readonly remarks: string
  /** The same remarks as annotations for GitHub Actions, if the command offers them. */
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
