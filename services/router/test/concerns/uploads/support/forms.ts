/** Forms as clients send them, and as they should not. */

export type SentFile = { readonly content: Buffer | string; readonly name?: string; readonly type?: string }

/** Header fields that a request with files needs. */
export const GUARD = { 'apollo-require-preflight': 'true' }
const BOUNDARY = '----a-boundary-of-a-test'
export const FORM_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** A part with these header fields, which may be none of a form. */
export function partOf(head: string, content: Buffer | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

export const fieldOf = (name: string, value: string): Buffer =>
  partOf(`Content-Disposition: form-data; name="${name}"`, value)

export const fileOf = (
  part: string,
  { content, name = `${part}.txt`, type = 'text/plain' }: SentFile,
): Buffer =>
  partOf(
    `Content-Disposition: form-data; name="${part}"; filename="${name.replaceAll('"', '\\"')}"\r\nContent-Type: ${type}`,
    content,
  )

export const END = Buffer.from(`--${BOUNDARY}--\r\n`)

/** The parts of a form with these files, in their order. */
export function formOf(
  operations: Readonly<Record<string, unknown>> | string,
  map: Readonly<Record<string, unknown>> | string,
  files: Readonly<Record<string, SentFile>>,
): Buffer {
  const text = (value: object | string) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Buffer.concat([
    fieldOf('operations', text(operations)),
    fieldOf('map', text(map)),
    ...Object.entries(files).map(([part, file]) => fileOf(part, file)),
    END,
  ])
}

export const STORE = 'mutation ($file: Upload) { store(file: $file) { name type size hash } }'
