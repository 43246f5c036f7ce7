/** Messages that several rules between settings share. */

export const NO_TOKENS =
  'no tokens are accepted without a provider: expected one in authentication.jwt.providers'
export const CLIENT_NAMES_UNKNOWN =
  'no headers tell who a client is: expected some in client_identification.name_headers'
