/** The section `client_identification`: the headers by which clients say who they are. */
import { z } from 'zod'
import { HeaderName } from '../headers/header-values.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { section } from '../settings/section.ts'

/** Headers of GraphQL clients in general, and those of Apollo's. */
export const CLIENT_NAME_HEADERS = ['graphql-client-name', 'apollographql-client-name']
export const CLIENT_VERSION_HEADERS = ['graphql-client-version', 'apollographql-client-version']

/** Names of headers. There may be few, because each request looks for all of them. */
const HeaderNames = z.array(HeaderName).max(8, 'expected at most 8 headers')

export const ClientIdentificationSection = section({
  name_headers: HeaderNames.default(CLIENT_NAME_HEADERS),
  version_headers: HeaderNames.default(CLIENT_VERSION_HEADERS),
  /** Names whose requests are counted, each under a label of its own. */
  counted_names: z
    .array(z.string().min(1).max(128))
    .max(100, 'expected at most 100 names, since each is a series of its own')
    .default([]),
})

export type ClientIdentificationConfig = ReturnType<typeof clientIdentificationConfigOf>

/** Returns the settings under the names that code uses. */
export function clientIdentificationConfigOf(settings: z.output<typeof ClientIdentificationSection>) {
  return camelCased(settings)
}
