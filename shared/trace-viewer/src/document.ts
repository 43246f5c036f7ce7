/**
 * One page that needs nothing else: no network, no server, no build. Everything in a trace may come from
 * somebody hostile, so its data is never markup, and a policy forbids the page whatever it does not need,
 * even if something got through.
 */
import { createHash } from 'node:crypto'
import type { TracedError, Trace } from '@switchyard/request-trace'
import { printable } from '@switchyard/values/printable'
import { pageParts } from './page-parts.ts'

export type TraceDocumentOptions = {
  /** Instead of the name of the operation. */
  readonly title?: string | undefined
  /** The errors in the response that the trace is from. */
  readonly errors?: readonly TracedError[] | undefined
  /** A second trace, to show how it differs. */
  readonly compare?: Trace | undefined
  readonly compareTitle?: string | undefined
  /** The answer to the client, where it is known; compared with that of the second trace. */
  readonly answer?: unknown
  readonly compareAnswer?: unknown
}

export function traceDocument(trace: Trace, options: TraceDocumentOptions = {}): string {
  const { style: pageStyle, script } = pageParts()
  const style = `${pageStyle}body { margin: 0 }\n`
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeText(printable(`${options.title ?? trace.request.body.operationName ?? 'Request'} · trace`))}</title>
<style>${style}</style>
</head>
<body>
<main id="trace"></main>
<noscript>This page shows a trace with a script of its own. Allow scripts to see it.</noscript>
<script type="application/json" id="trace-data">${escapeJson({ trace, ...options })}</script>
<script>${script}</script>
</body>
</html>
`
}

/** Returns the hash of the text between the tags of an element, for the content security policy. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** JSON that ends no element and opens no comment, whatever it holds; JSON.parse reads the same value. */
function escapeJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
