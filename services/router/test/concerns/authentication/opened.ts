/** Authentication as a router has it, without a router. */
import type { IncomingHttpHeaders } from 'node:http'
import { createLogger } from '@switchyard/service-kit'
import { Authentication } from '../../../src/concerns/authentication/authentication.ts'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../../src/config/router-config.ts'
import { HttpError } from '../../../src/errors/http-error.ts'
import { AuthenticationEvents } from '../../../src/concerns/authentication/events.ts'
import { AUDIENCE, ISSUER } from '../../support/token-issuer.ts'

export type Opened = Disposable & {
  readonly authentication: Authentication
  readonly logs: readonly Readonly<Record<string, unknown>>[]
  /** The claim `sub` of whoever is found, `nobody`, or what is wrong with the token. */
  ask(headers: IncomingHttpHeaders): Promise<string>
  /** The same for a token in `Authorization`. */
  askWith(token: string): Promise<string>
}

type Settings = Readonly<Record<string, unknown>>

/** One provider with these settings; `jwt`: those of all. */
export function settingsOf(provider: Settings, jwt: Settings = {}, require = false): Settings {
  const whole = { name: 'shop', issuers: [ISSUER], audiences: [AUDIENCE], ...provider }
  return { authentication: { require, jwt: { providers: [whole], ...jwt } } }
}

export async function opened(settings: Settings, now?: () => number): Promise<Opened> {
  const { authentication: config } = loadRouterConfig({
    file: { path: 'router.yaml', text: JSON.stringify(settings) },
    defaultNetworks: LOCAL_NETWORKS,
  })
  if (config === null) throw new Error('there are providers')
  const logs: Readonly<Record<string, unknown>>[] = []
  const logger = createLogger({
    name: 'router',
    to: { write: (line: string) => void logs.push(JSON.parse(line)) },
  })
  const events = new AuthenticationEvents(logger)
  const authentication = new Authentication({ config, events, ...(now === undefined ? {} : { now }) })
  await authentication.refresh()
  const ask = async (headers: IncomingHttpHeaders): Promise<string> => {
    try {
      const identity = await authentication.identify(headers, () => ({ address: '192.0.2.1', name: '' }))
      return identity === null ? 'nobody' : String(identity.claims['sub'])
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      return `${error.code} ${error.message.replace('The token of this request is not valid. ', '')}`
    }
  }
  return {
    authentication,
    logs,
    ask,
    askWith: (token) => ask({ authorization: `Bearer ${token}` }),
    [Symbol.dispose]: () => authentication[Symbol.dispose](),
  }
}
