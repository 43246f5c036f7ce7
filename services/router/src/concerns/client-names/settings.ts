/** The section `client_identification`: the headers by which clients say who they are. */
import { z } from 'zod'
import { HeaderName } from '../../headers/header-values.ts'
import { camelCased } from '../../settings/camel-cased.ts'
import { CLIENT_NAMES_UNKNOWN } from '../../settings/rule-messages.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing } from '../../settings/setting-problems.ts'

/** Headers of GraphQL clients in general, and those of Apollo's. */
export const CLIENT_NAME_HEADERS = ['graphql-client-name', 'apollographql-client-name']
export const CLIENT_VERSION_HEADERS = ['graphql-client-version', 'apollographql-client-version']

/** Names of headers. There may be few, because each request looks for all of them. */
const HeaderNames = z.array(HeaderName).max(8, 'expected at most 8 headers')

export const ClientIdentificationSection = section({
  name_headers: setting(HeaderNames.default(CLIENT_NAME_HEADERS), {
    says: 'headers with the [name of the client](#how-clients-say-who-they-are); the first one that a request has is used. At most 8; `[]`: names are ignored',
  }),
  version_headers: setting(HeaderNames.default(CLIENT_VERSION_HEADERS), {
    says: 'headers with the version of the client',
  }),
  counted_names: setting(
    z
      .array(z.string().min(1).max(128))
      .max(100, 'expected at most 100 names, since each is a series of its own')
      .default([]),
    {
      says: 'names that `switchyard.router.client_requests` counts separately, at most 100; all others are counted together. `[]`: this metric does not exist',
    },
  ),
}).superRefine(
  refusing(({ name_headers: headers, counted_names: names }) =>
    problemIf(headers.length === 0 && names.length > 0, ['counted_names'], CLIENT_NAMES_UNKNOWN),
  ),
)

/** Returns the settings under the names that code uses. */
export function clientIdentificationConfigOf(settings: z.output<typeof ClientIdentificationSection>) {
  return camelCased(settings)
}
