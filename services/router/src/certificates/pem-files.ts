/** Reads files in PEM with certificates and keys, and checks whether they can be used. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { messageOf } from '@switchyard/values'
import { allOpened, RouterConfigError } from '../settings/config-error.ts'
import type { KeyPairFiles } from '../settings/key-pair.ts'

/** A certificate and its private key, as PEM. */
export type KeyPair = { readonly cert: string; readonly key: string }

/** Reads a certificate and its key. `section` of the settings names the files. Throws RouterConfigError. */
export async function readKeyPair(section: string, { certFile, keyFile }: KeyPairFiles): Promise<KeyPair> {
  const [cert, key] = await allOpened([
    read(`${section}.cert_file`, certFile),
    read(`${section}.key_file`, keyFile),
  ])
  const problems: string[] = []
  const certificate = parsed(() => new X509Certificate(cert))
  if (certificate === null)
    problems.push(
      `${section}.cert_file: ${JSON.stringify(certFile)} holds no certificate; expected PEM ("-----BEGIN CERTIFICATE-----"), those of authorities in between after it`,
    )
  const privateKey = parsed<KeyObject>(() => createPrivateKey(key))
  if (privateKey === null)
    problems.push(
      `${section}.key_file: ${JSON.stringify(keyFile)} holds no private key that can be read; expected PEM without a passphrase ("-----BEGIN PRIVATE KEY-----")`,
    )
  if (certificate !== null && privateKey !== null && !certificate.checkPrivateKey(privateKey))
    problems.push(
      `${section}.key_file: the key in ${JSON.stringify(keyFile)} does not belong to the certificate in ${JSON.stringify(certFile)} (${certificate.subject})`,
    )
  if (problems.length > 0) throw new RouterConfigError(problems)
  return { cert, key }
}

/** Reads certificates of authorities, as PEM. Throws RouterConfigError. */
export async function readAuthorities(setting: string, path: string): Promise<string> {
  const text = await read(setting, path)
  const certificates = text.match(CERTIFICATE) ?? []
  const broken = certificates.findIndex((pem) => parsed(() => new X509Certificate(pem)) === null)
  if (certificates.length > 0 && broken === -1) return text
  const problem =
    certificates.length === 0
      ? 'holds no certificate'
      : `holds a certificate that cannot be read, number ${broken + 1} of ${certificates.length}`
  throw new RouterConfigError([
    `${setting}: ${JSON.stringify(path)} ${problem}; expected those of authorities in PEM ("-----BEGIN CERTIFICATE-----")`,
  ])
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

async function read(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new RouterConfigError([`${setting}: the file cannot be read (${messageOf(error)})`])
  }
}

function parsed<Value>(parse: () => Value): Value | null {
  try {
    return parse()
  } catch {
    return null
  }
}
