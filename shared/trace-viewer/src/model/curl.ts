/**
 * A request of a trace as a command for a shell. Whatever the trace holds, it stays one command with one
 * address.
 */
import type { TraceInput } from '@switchyard/request-trace'

/** curl sets these itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])
const REDACTED = '[redacted]'
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/**
 * A terminal may act on these characters when they are pasted, also inside quotes, or show the command in
 * another order than it has.
 */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

export function curlOf({ method, url, headers, body }: TraceInput): string {
  const lines = [`curl --globoff --url ${quoted(safeUrl(url))}`]
  if (method !== 'POST' && TOKEN.test(method)) lines.push(`--request ${quoted(method)}`)
  for (const [name, given] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase()) || !TOKEN.test(name)) continue
    for (const value of typeof given === 'string' ? [given] : given) {
      lines.push(`--header ${quoted(`${name}: ${value.toWellFormed().replace(CONTROL, ' ')}`)}`)
    }
  }
  if (body !== undefined && body !== null) lines.push(`--data-raw ${quoted(jsonText(body))}`)
  const command = lines.join(' \\\n  ')
  return command.includes(REDACTED) || url.includes(encodeURI(REDACTED))
    ? `# The trace does not hold what is [redacted]: put the real values in.\n${command}`
    : command
}

/** Quotes a text for POSIX shells: between single quotes nothing is special but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function safeUrl(url: string): string {
  const shown = url.toWellFormed().replace(CONTROL, encodeURIComponent)
  // Anything else would be a file of the one who pastes it.
  return /^https?:\/\//i.test(shown) ? shown : `http://not-an-http-url.invalid/`
}

function jsonText(body: unknown): string {
  return (JSON.stringify(body) ?? '').replace(CONTROL, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
