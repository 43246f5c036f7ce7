/** The settings `subgraphs.tls`: with what connections to subgraphs are secured. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { duration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { keyPairOf } from '../../settings/key-pair.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const HOST_NAME = /^[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*$/

/** Files are named as seen from the settings file. */
const FILES = {
  /** Of authorities, in place of those that Node.js knows. */
  ca_file: z.string().min(1).optional(),
  /** What the router shows to subgraphs that ask who it is. */
  cert_file: z.string().min(1).optional(),
  key_file: z.string().min(1).optional(),
  /** For which the certificate of a subgraph has to be, in place of the host in its URL. */
  server_name: z
    .string()
    .regex(HOST_NAME, 'expected a host name')
    .refine((name) => isIP(name) === 0, 'expected a host name, which an address is not')
    .optional(),
}

const isWhole = (files: { readonly cert_file?: unknown; readonly key_file?: unknown }): boolean =>
  (files.cert_file === undefined) === (files.key_file === undefined)
const HALF = 'cert_file and key_file belong together: expected both'

/** For all subgraphs. */
export const ClientTlsSettings = section({
  ...FILES,
  /** How often the files are looked at for others, those of single subgraphs as well. */
  reload_interval: duration('30s').refine((interval) => interval > 0, 'expected at least 1ms'),
}).refine(isWhole, HALF)

/** For one subgraph, in place of all that is said for all: `{}` is what Node.js does by itself. */
export const ClientTlsOverride = z.strictObject(FILES).refine(isWhole, HALF)

/** Files and names by which connections to a subgraph are secured. */
export type ClientTlsConfig = NonNullable<ReturnType<typeof clientTlsConfigOf>>

/**
 * Null if connections are secured as Node.js does it by itself. `section` names the settings, for messages;
 * `folder` is the one that the paths in them start from.
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
    /** Null for the authorities that Node.js knows. */
    caFile: caFile === undefined ? null : resolve(folder, caFile),
    /** Null if the router does not say who it is. */
    keyPair,
    /** Null for the host of the URL. */
    serverName,
  } as const
}
