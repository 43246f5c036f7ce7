/** The settings `subgraphs.tls`: how connections to subgraphs are secured. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { duration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { keyPairOf } from '../../settings/key-pair.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const HOST_NAME = /^[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*$/

/** Files are named as seen from the settings file. */
const FILES = {
  ca_file: setting(z.string().min(1).optional(), {
    fallback: 'the authorities that Node.js knows',
    says: 'certificates (PEM) of the authorities that [certificates of subgraphs](#how-connections-to-subgraphs-are-secured) may be signed by, and no others. Paths are relative to the settings file',
  }),
  cert_file: setting(z.string().min(1).optional(), {
    says: "the router's own certificate (PEM), those of authorities in between after it, for subgraphs that ask for one",
  }),
  key_file: setting(z.string().min(1).optional(), { says: 'its private key (PEM), without a passphrase' }),
  server_name: setting(
    z
      .string()
      .regex(HOST_NAME, 'expected a host name')
      .refine((name) => isIP(name) === 0, 'expected a host name, which an address is not')
      .optional(),
    {
      fallback: 'the host of the routing URL',
      says: 'the name that subgraphs are asked for, and that their certificates have to be for',
    },
  ),
}

const isWhole = (files: { readonly cert_file?: unknown; readonly key_file?: unknown }): boolean =>
  (files.cert_file === undefined) === (files.key_file === undefined)
const HALF = 'cert_file and key_file belong together: expected both'

/** The settings for all subgraphs. */
export const ClientTlsSettings = section({
  ...FILES,
  reload_interval: setting(
    duration('30s').refine((interval) => interval > 0, 'expected at least 1ms'),
    { says: 'how often these files are looked at, those in `subgraphs.overrides` as well' },
  ),
}).refine(isWhole, HALF)

/**
 * The settings for one subgraph, which replace all of those for all subgraphs: `{}` means Node.js' defaults.
 */
export const ClientTlsOverride = z.strictObject(FILES).refine(isWhole, HALF)

/** The files and names that secure the connections to a subgraph. */
export type ClientTlsConfig = NonNullable<ReturnType<typeof clientTlsConfigOf>>

/**
 * Returns the settings with absolute paths. Null if Node.js' defaults secure the connections. `section` names
 * the settings in messages; `folder` is the one that the paths in them start from.
 */
export function clientTlsConfigOf(
  section: string,
  settings: z.output<typeof ClientTlsOverride>,
  folder: string,
) {
  const { ca_file: caFile, server_name: serverName = null } = settings
  const keyPair = keyPairOf(camelCased(settings), folder)
  if (caFile === undefined && keyPair === null && serverName === null) return null
  return {
    section,
    /** Null if the authorities that Node.js knows are used. */
    caFile: caFile === undefined ? null : resolve(folder, caFile),
    /** Null if the router shows no certificate. */
    keyPair,
    /** Null if the name is the host of the URL. */
    serverName,
  } as const
}
