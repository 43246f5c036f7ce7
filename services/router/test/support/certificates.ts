/**
 * Certificates for tests, signed by themselves, for localhost and 127.0.0.1. Node reads X.509 and does not write it: this is
 * the little of DER (https://www.rfc-editor.org/rfc/rfc5280#section-4.1) that it takes.
 */
import { generateKeyPairSync, sign } from 'node:crypto'

export type TestCertificate = { readonly cert: string; readonly key: string }

const DAY = 86_400_000

export function createCertificate({
  name = 'localhost',
  from = Date.now() - DAY,
  to = Date.now() + 30 * DAY,
} = {}): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = sequence(set(sequence(COMMON_NAME, value(0x0c, name))))
  const names = sequence(value(0x82, 'localhost'), value(0x87, Buffer.from([127, 0, 0, 1])))
  const certificate = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.from([1])),
    sequence(ECDSA_WITH_SHA256),
    subject,
    sequence(time(from), time(to)),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    value(0xa3, sequence(sequence(SUBJECT_ALT_NAME, value(0x04, names)))),
  )
  const signature = sign('sha256', certificate, privateKey)
  const der = sequence(
    certificate,
    sequence(ECDSA_WITH_SHA256),
    value(0x03, Buffer.concat([Buffer.of(0), signature])),
  )
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')

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

/** UTCTime: seconds, and years until 2049. */
function time(milliseconds: number): Buffer {
  const [date = ''] = new Date(milliseconds).toISOString().split('.')
  return value(0x17, `${date.slice(2).replaceAll(/[-:T]/g, '')}Z`)
}
