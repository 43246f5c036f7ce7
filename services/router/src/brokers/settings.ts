/** The section `events`: the systems that send the events of subgraphs without a server. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { SECRET } from '../settings/secret-setting.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'

const ID = z.string().regex(/^[\w-]{1,64}$/, 'expected letters, digits, _ and -, at most 64 characters')
const URL_RULE =
  'expected nats://host:4222 or tls://host:4222, several separated by commas; a user or a token may stand before the first host'
const SERVER = /^(?:nats|tls):\/\/[^\s,/?#]+$/

const NatsUrl = z
  .string()
  .max(4096)
  .refine((text) => text.split(',').every((part) => SERVER.test(part.trim()) && URL.canParse(part.trim())), {
    error: URL_RULE,
  })

const path = z.string().min(1).optional()

/** The settings of one provider; paths are relative to the settings file. */
const NatsProviderSettings = z.strictObject({
  url: NatsUrl.meta(SECRET),
  ca_file: path,
  cert_file: path,
  key_file: path,
  password_file: path,
  token_file: path,
  credentials_file: path,
})

export const EventsSection = section({
  providers: setting(z.record(ID, NatsProviderSettings).default({}), {
    says: 'NATS servers by the `providerId` of directives such as `@edfs__natsSubscribe`, which is `default` if they name none: [events.md](events.md#providers). Each has a `url`, and where needed `ca_file`, `cert_file` and `key_file` for TLS, and `password_file` (for the user in the URL), `token_file` or `credentials_file`',
  }),
})

/** How one provider is reached. Files are read anew for each connection. */
export type BrokerSettings = {
  readonly url: string
  readonly tls: {
    readonly caFile: string | undefined
    readonly certFile: string | undefined
    readonly keyFile: string | undefined
  }
  readonly passwordFile: string | undefined
  readonly tokenFile: string | undefined
  readonly credentialsFile: string | undefined
}

/** Providers by their names. */
export type BrokersConfig = ReadonlyMap<string, BrokerSettings>

/** Returns the settings. `folder` is the one that paths start from. */
export function brokersConfigOf(
  { providers }: z.output<typeof EventsSection>,
  folder: string,
): BrokersConfig {
  const fileAt = (file: string | undefined) => (file === undefined ? undefined : resolve(folder, file))
  return new Map(
    Object.entries(providers).map(([id, own]) => [
      id,
      {
        url: own.url,
        tls: {
          caFile: fileAt(own.ca_file),
          certFile: fileAt(own.cert_file),
          keyFile: fileAt(own.key_file),
        },
        passwordFile: fileAt(own.password_file),
        tokenFile: fileAt(own.token_file),
        credentialsFile: fileAt(own.credentials_file),
      },
    ]),
  )
}
