import { failedDocument } from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'

/** The output that is printed instead of starting a router, and the exit code. */
export type Printed = { readonly stdout: string; readonly stderr: string; readonly exitCode: number }

/** `json`: as one document of the form that all commands have. */
export function whatFailed(error: unknown, json: boolean): Printed {
  if (json) return { stdout: failedDocument(error), stderr: '', exitCode: 1 }
  return { stdout: '', stderr: `error: ${messageOf(error)}\n`, exitCode: 1 }
}
