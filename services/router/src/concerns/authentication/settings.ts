/** The section `authentication`: whose tokens are accepted, and whether requests without one are refused. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { duration, size } from '../../settings/quantities.ts'
import { HeaderName } from '../../headers/header-values.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { AllowedNetwork } from '../../settings/allowed-networks.ts'
import { urlError } from '../../settings/url-error.ts'
import { camelCased } from '../../settings/camel-cased.ts'
import { lowerCased } from '../../settings/lower-cased.ts'
import { headerKey } from '../../headers/header-key.ts'

/** Algorithms of signatures that a provider may use by default (RFC 7518, section 3.1, and RFC 8037). */
const PUBLIC_KEY_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const
const SECRET_KEY_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const
const ALGORITHMS = [...PUBLIC_KEY_ALGORITHMS, ...SECRET_KEY_ALGORITHMS] as const

const Algorithm = z.enum(ALGORITHMS, `expected one of ${ALGORITHMS.join(', ')}`)
export type Algorithm = z.infer<typeof Algorithm>

/** Returns whether keys of the algorithm are secrets that issuer and router share. */
export function isSecretKeyAlgorithm(algorithm: Algorithm): boolean {
  return (SECRET_KEY_ALGORITHMS as readonly string[]).includes(algorithm)
}

const JwksUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}, urlError('expected a URL with http or https, and without user and password'))

const JwksSource = z.union(
  [z.strictObject({ url: JwksUrl }), z.strictObject({ file: z.string().min(1) })],
  'expected {url} or {file}',
)

/** The scheme before the token in credentials of RFC 9110, section 11.4. */
const Prefix = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/, 'expected a word such as Bearer')
const HeaderSource = z.strictObject({
  name: HeaderName.refine(
    (name) => name.toLowerCase() !== 'cookie',
    'tokens in cookies are named by cookies, not by headers',
  ),
  /** The scheme before the token. If it is empty, the whole value is the token. */
  prefix: Prefix.default('Bearer'),
})

/** One provider: whose tokens are accepted, where they are looked for, and what must be true of them. */
const Provider = z.strictObject({
  name: z.string().regex(/^[0-9A-Za-z][\w.-]{0,62}$/, 'expected letters, digits and _ - . (63 at most)'),
  /** Values of `iss`. If the list is empty, tokens of any issuer who has a key of the set are accepted. */
  issuers: z.array(z.string().min(1)).default([]),
  jwks: z.array(JwksSource).min(1, 'expected at least one {url} or {file}').max(10),
  /** Values of `aud`, one of which a token must have. `any` accepts tokens that are meant for others, too. */
  audiences: z.union(
    [z.literal('any'), z.array(z.string().min(1)).min(1)],
    'expected a list of audiences, or any to take tokens that are meant for others',
  ),
  algorithms: z
    .array(Algorithm)
    .min(1)
    .default([...PUBLIC_KEY_ALGORITHMS]),
  headers: z.array(HeaderSource).default([{ name: 'Authorization', prefix: 'Bearer' }]),
  cookies: z
    .array(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of a cookie'))
    .default([]),
  required_claims: z.array(z.string().min(1)).default(['exp']),
})
type Provider = z.infer<typeof Provider>

const positive = (interval: number): boolean => interval > 0
const AT_LEAST = 'expected at least 1ms'

const Jwt = section({
  providers: setting(z.array(Provider).max(20).default([]), {
    says: '[who may issue tokens](authentication.md#a-provider): `name`, `issuers`, `jwks`, `audiences`, `algorithms`, `headers`, `cookies`, `required_claims`. Empty: the router looks for no tokens',
  }),
  clock_tolerance: setting(duration('5s'), {
    says: 'permitted difference between the clocks of issuers and routers',
  }),
  refresh_interval: setting(duration('5m').refine(positive, AT_LEAST), {
    says: 'time between two fetches of a key set; files are checked every 10 seconds, or more often if this is shorter',
  }),
  refresh_cooldown: setting(duration('30s').refine(positive, AT_LEAST), {
    says: 'shortest time between two fetches that are caused by tokens with an unknown key; also the time until a failed fetch is repeated',
  }),
  timeout: setting(duration('5s').refine(positive, AT_LEAST), { says: 'time limit for fetching a key set' }),
  cache_size: setting(size('32MiB'), {
    says: 'memory for verified tokens with their claims, by estimate; in each worker',
  }),
  allowed_networks: setting(z.array(AllowedNetwork).optional(), {
    fallback: 'the default of `subgraphs.allowed_networks`',
    says: 'networks in which key sets may be, written as in `subgraphs.allowed_networks`',
  }),
})

/** Reports problems of all providers together. */
function refine(
  {
    require,
    jwt: { providers },
  }: { readonly require: boolean; readonly jwt: { readonly providers: readonly Provider[] } },
  context: z.RefinementCtx,
): void {
  const issue = (path: readonly (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path: [...path], message })
  if (require && providers.length === 0)
    issue(
      ['require'],
      'no token is accepted, so every request would be refused: expected a provider in jwt.providers',
    )
  const names = new Set<string>()
  const issuers = new Map<string, string>()
  let open: string | null = null
  for (const [index, provider] of providers.entries()) {
    const at = (...keys: string[]) => ['jwt', 'providers', index, ...keys]
    if (names.has(provider.name)) issue(at('name'), `there are two providers "${provider.name}"`)
    names.add(provider.name)
    for (const issuer of provider.issuers) {
      const other = issuers.get(issuer)
      if (other !== undefined) issue(at('issuers'), `"${issuer}" is an issuer of "${other}" as well`)
      issuers.set(issuer, provider.name)
    }
    if (provider.issuers.length === 0) {
      if (open !== null) issue(at('issuers'), `"${open}" names no issuer either: only one provider may`)
      open = provider.name
    }
    if (provider.headers.length === 0 && provider.cookies.length === 0)
      issue(at('headers'), 'expected a header or a cookie in which tokens are')
    refineAlgorithms(provider, (key, message) => issue(at(key), message))
  }
}

/** Reports problems of algorithms: a public key that is taken for a secret would let anybody sign. */
function refineAlgorithms(
  { algorithms, jwks }: Provider,
  issue: (key: string, message: string) => void,
): void {
  const secret = algorithms.filter(isSecretKeyAlgorithm)
  if (secret.length === 0) return
  if (secret.length < algorithms.length)
    issue('algorithms', 'HS256, HS384 and HS512 cannot stand beside others: expected a provider of their own')
  if (jwks.some((source) => 'url' in source))
    issue('jwks', 'keys of HS256, HS384 and HS512 are secrets: expected a file')
}

/** The settings by which JSON Web Tokens (RFC 7519) tell who a client is. */
export const AuthenticationSection = section({
  require: setting(z.boolean().default(false), {
    says: 'true: requests without a token get 401, see [authentication.md](authentication.md)',
  }),
  jwt: Jwt,
}).superRefine(refine)

/** The section, with the networks in which key sets may be worked out. */
type Settings = {
  readonly require: boolean
  readonly jwt: Omit<z.output<typeof Jwt>, 'allowed_networks'> & {
    readonly allowed_networks: readonly string[]
  }
}

/** The settings of tokens that are accepted. Names of headers are as Node.js keys them. */
export type AuthenticationConfig = NonNullable<ReturnType<typeof authenticationConfigOf>>
/** One issuer of tokens. */
export type ProviderConfig = AuthenticationConfig['providers'][number]

/**
 * Returns the settings. Null if no tokens are accepted. `folder` is the one that paths in the settings start
 * from.
 */
export function authenticationConfigOf({ require, jwt }: Settings, folder: string) {
  const { providers, ...limits } = camelCased(jwt)
  if (providers.length === 0) return null
  return {
    require,
    ...limits,
    providers: providers.map(({ jwks, audiences, headers, ...provider }) => ({
      ...camelCased(provider),
      jwks: jwks.map((source) =>
        'url' in source
          ? ({ kind: 'url', url: source.url } as const)
          : ({ kind: 'file', path: resolve(folder, source.file) } as const),
      ),
      /** Null if any audience is accepted. */
      audiences: audiences === 'any' ? null : audiences,
      headers: headers.map(({ name, prefix }) => ({ name, key: headerKey(name), prefix })),
    })),
  } as const
}

/** Returns the names of the headers in which tokens are, in lower case. */
export function tokenHeadersOf({ jwt }: Settings): ReadonlySet<string> {
  const names = jwt.providers.flatMap(({ headers, cookies }) => [
    ...headers.map(({ name }) => name),
    ...(cookies.length > 0 ? ['cookie'] : []),
  ])
  return lowerCased(names)
}
