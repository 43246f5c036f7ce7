/**
 * Takes secrets out of traces: see docs/trace-redaction.md. Nothing here is kept from one request to the
 * next.
 */
export { type AskedBy, credentialsIn, secretsOfHeader } from './credentials.ts'
export { type DocumentSecrets, secretsOfDocument } from './document.ts'
export { hiddenInJson, type JsonPlace, type JsonRules, MAX_DEPTH, TOO_DEEP } from './json-members.ts'
export { Meter, type Sliced, TraceTooLargeError } from './meter.ts'
export { Secrets, SHORTEST_SECRET } from './secrets.ts'
export { type SensitiveNames, sensitiveNames } from './sensitive-names.ts'
export { type HiddenSpan, LEFT_OUT, REDACTED, replaceSpans } from './spans.ts'
export { spansOfUrl, spansOfUrlsIn } from './urls.ts'
