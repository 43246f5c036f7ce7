/** A request that somebody describes on the command line, and how rollouts read it: as routers do. */
import type { RolloutSource } from '@switchyard/contracts'
import type { ReadProperty } from '@switchyard/rollouts'
import { clientGroupOf } from '@switchyard/service-kit/client-group'
import { claimReader, type Claims, claimTexts } from '@switchyard/values'

/** The parts of a request that rollouts may read. */
export type DescribedRequest = {
  /** The claims of its verified token; null if it has none. */
  readonly claims: Claims | null
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: ReadonlyMap<string, string>
  readonly client: string | undefined
  readonly clientVersion: string | undefined
  readonly address: string | undefined
}

/** Makes a function that reads a property of described requests. */
export function describedReader(source: RolloutSource): ReadProperty<DescribedRequest> {
  switch (source.kind) {
    case 'claim': {
      const read = claimReader(source.path)
      return ({ claims }) => (claims === null ? null : claimTexts(read(claims)))
    }
    case 'header': {
      const name = source.name.toLowerCase()
      return ({ headers }) => headers[name] ?? null
    }
    case 'cookie':
      return ({ cookies }) => cookies.get(source.name) ?? null
    case 'client':
      return ({ client }) => filled(client)
    case 'client_version':
      return ({ clientVersion }) => filled(clientVersion)
    case 'address':
      return ({ address }) => (address === undefined ? null : clientGroupOf(address))
    case 'visitor_cookie':
      return () => null
    default:
      return source satisfies never
  }
}

/** Returns the flag that the request names, which no rollout decides about. Null if it names none. */
export function namedFlag({ headers, cookies }: DescribedRequest): string | null {
  const named = headers['x-feature-flag']?.split(',', 1)[0]?.trim() ?? ''
  return filled(named === '' ? cookies.get('feature_flag') : named)
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
