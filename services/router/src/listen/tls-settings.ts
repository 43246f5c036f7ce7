/** The section `tls`: the certificate that clients are shown. */
import { z } from 'zod'
import { duration } from '../settings/quantities.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { keyPairOf } from '../settings/key-pair.ts'

/**
 * The problem of a section without files: somebody who writes a section for TLS wants TLS, and must not get a
 * port that everybody can read.
 */
const NO_CERTIFICATE =
  'the section names no certificate: expected cert_file and key_file in it, or no section for a port without TLS'

const namesNone = (section: unknown, keys: readonly string[]): boolean =>
  typeof section === 'object' && keys.every((key) => !(key in (section ?? {})))

/**
 * The settings of TLS. With a certificate, the port speaks TLS. Files are named as seen from the settings
 * file.
 */
export const TlsSection = setting(
  z.preprocess(
    (value, context) => {
      if (namesNone(value, ['cert_file', 'key_file'])) context.addIssue(NO_CERTIFICATE)
      return value
    },
    section({
      cert_file: setting(z.string().min(1).optional(), {
        says: 'the certificate (PEM), followed by those of intermediate authorities. With certificate and key, the port accepts only TLS. A section `tls` without them is refused. Paths are relative to the settings file',
      }),
      key_file: setting(z.string().min(1).optional(), {
        says: 'its private key (PEM), without a passphrase',
      }),
      reload_interval: setting(
        duration('30s').refine((interval) => interval > 0, 'expected at least 1ms'),
        {
          says: 'how often the two files are checked: new connections get a renewed certificate without a restart',
        },
      ),
    }).refine(
      ({ cert_file, key_file }) => (cert_file === undefined) === (key_file === undefined),
      'cert_file and key_file belong together: expected both',
    ),
  ),
  { needsRestart: true },
)

/** The files of the certificate that clients are shown, as absolute paths. */
export type TlsConfig = NonNullable<ReturnType<typeof tlsConfigOf>>

/**
 * Returns the settings. Null if the port is without TLS. `folder` is the one that paths in the settings start
 * from.
 */
export function tlsConfigOf(settings: z.output<typeof TlsSection>, folder: string) {
  const { reloadInterval, ...files } = camelCased(settings)
  const keyPair = keyPairOf(files, folder)
  return keyPair === null ? null : ({ ...keyPair, reloadInterval } as const)
}
