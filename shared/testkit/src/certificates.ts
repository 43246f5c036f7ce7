/**
 * Certificates for tests, for localhost and 127.0.0.1 unless other hosts are named, signed by themselves or
 * by an authority of the test. Node reads X.509 and does not write it: this is the little of DER
 * (https://www.rfc-editor.org/rfc/rfc5280#section-4.1) that it takes.
 */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** PEM. */
export type TestCertificate = { readonly cert: string; readonly key: string; readonly name?: string }

export type CertificateOptions = {
  readonly name?: string
  /** Unix milliseconds. */
  readonly from?: number
  readonly to?: number
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[]
  /** True if it may sign others. */
  readonly authority?: boolean
  /** The certificate that signs this one. If it is absent, the certificate signs itself. */
  readonly signedBy?: Required<TestCertificate>
}

const DAY = 86_400_000

export function createCertificate({
  name = 'localhost',
  from = Date.now() - DAY,
  to = Date.now() + 30 * DAY,
  hosts = ['localhost', '127.0.0.1'],
  authority = false,
  signedBy,
}: CertificateOptions = {}): Required<TestCertificate> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = [sequence(SUBJECT_ALT_NAME, value(0x04, sequence(...hosts.map(hostName))))]
  if (authority) extensions.push(sequence(BASIC_CONSTRAINTS, value(0x04, sequence(TRUE))))
  const certificate = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    sequence(ECDSA_WITH_SHA256),
    nameOf(signedBy?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ format: 'der', type: 'spki' }),
    value(0xa3, sequence(...extensions)),
  )
  const signature = sign(
    'sha256',
    certificate,
    signedBy === undefined ? privateKey : createPrivateKey(signedBy.key),
  )
  const der = sequence(
    certificate,
    sequence(ECDSA_WITH_SHA256),
    value(0x03, Buffer.concat([Buffer.of(0), signature])),
  )
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')

const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const TRUE = Buffer.from('0101ff', 'hex')

function nameOf(name: string): Buffer {
  return sequence(set(sequence(COMMON_NAME, value(0x0c, name))))
}

function hostName(host: string): Buffer {
  return isIPv4(host) ? value(0x87, Buffer.from(host.split('.').map(Number))) : value(0x82, host)
}

function value(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  const length =
    bytes.length < 0x80
      ? [bytes.length]
      : bytes.length < 0x100
        ? [0x81, bytes.length]
        : [0x82, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}

const sequence = (...parts: readonly Buffer[]): Buffer => value(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => value(0x31, Buffer.concat(parts))

/** Returns a UTCTime, which has seconds, and years until 2049. */
function time(milliseconds: number): Buffer {
  const [date = ''] = new Date(milliseconds).toISOString().split('.')
  return value(0x17, `${date.slice(2).replaceAll(/[-:T]/g, '')}Z`)
}
