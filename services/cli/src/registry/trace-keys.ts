/** The parts that the commands about trace keys share. */
import { TraceKeyList } from '@switchyard/contracts'
import { apiPath, type RegistryClient } from './registry-client.ts'

/** How keys are replaced, for the help of the commands that do it. */
export const ROTATION = `To rotate: create a key; every router learns it within moments, and tokens are signed with it from then on. Retire the old one
a day later, when the last token that it can have signed has expired: "list" shows the time. A key that leaked is retired at once.`

/** All trace keys, newest first. */
export function listTraceKeys(registry: RegistryClient): Promise<TraceKeyList> {
  return registry.get(apiPath('trace-keys'), TraceKeyList)
}
