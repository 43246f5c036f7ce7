/** Prints execution results at once. */
import { type ExecutionResult, holdsText, JsonText, printMembers } from '@switchyard/engine'

/** Prints a result, which has some member. Texts in its data that are JSON already are taken over. */
export function bodyText(body: Partial<ExecutionResult> & { readonly extensions?: object }): string {
  const { data } = body
  if (data == null || !holdsText(data)) return JSON.stringify(body)
  return printMembers({ ...body, data: new JsonText(printMembers(data)) })
}
