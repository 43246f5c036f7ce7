/** Rules of settings that are for clients of a name. */
import { CLIENT_NAMES_UNKNOWN } from './rule-messages.ts'
import { problemIf, type SettingProblem } from './setting-problems.ts'

/** The settings of how clients say their names. */
export type NamingClients = {
  readonly client_identification: { readonly name_headers: readonly string[] }
}

/** Returns the problems of settings that are for clients of a name, if no header tells names. */
export function uselessNames(
  { client_identification: { name_headers: headers } }: NamingClients,
  paths: readonly (readonly PropertyKey[])[],
): readonly SettingProblem[] {
  return paths.flatMap((path) => problemIf(headers.length === 0, path, CLIENT_NAMES_UNKNOWN))
}
