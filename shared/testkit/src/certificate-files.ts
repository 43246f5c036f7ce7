/** Certificates as the files that servers and services read. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestCertificate } from './certificates.ts'

export type CertificateFiles = { readonly ca: string; readonly cert: string; readonly key: string }

/** Replaces what an earlier call has written into the folder. */
export function writeCertificate(
  folder: string,
  authority: TestCertificate,
  { cert, key }: TestCertificate,
): CertificateFiles {
  const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(files.ca, authority.cert)
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  return files
}
