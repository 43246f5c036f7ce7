/** Which known intermediaries stand between, by the traces that each leaves in answers and requests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ProbeReceived } from '@switchyard/contracts'

/** An intermediary that the doctor can recognise. */
export type HopName =
  | 'nginx'
  | 'Envoy'
  | 'HAProxy'
  | 'Apache httpd'
  | 'AWS load balancer'
  | 'Amazon API Gateway'
  | 'Amazon CloudFront'
  | 'Cloudflare'
  | 'Google Cloud load balancer'
  | 'Fastly'
  | 'Varnish'
  | 'unknown'

/** An intermediary, and what it was recognised by. */
export type Hop = { readonly name: HopName; readonly evidence: readonly string[] }

type HopSign = { readonly name: HopName; readonly header: string; readonly value?: RegExp }

/** The router itself sends no `Server`, no `Via` and nothing of a cache. */
const IN_ANSWERS: readonly HopSign[] = [
  { name: 'nginx', header: 'server', value: /nginx|openresty/i },
  { name: 'Envoy', header: 'server', value: /envoy/i },
  { name: 'Envoy', header: 'x-envoy-upstream-service-time' },
  { name: 'Apache httpd', header: 'server', value: /apache/i },
  { name: 'Apache httpd', header: 'via', value: /\(Apache/i },
  { name: 'HAProxy', header: 'server', value: /haproxy/i },
  { name: 'HAProxy', header: 'via', value: /haproxy/i },
  { name: 'AWS load balancer', header: 'server', value: /awselb/i },
  { name: 'Amazon API Gateway', header: 'x-amz-apigw-id' },
  { name: 'Amazon API Gateway', header: 'apigw-requestid' },
  { name: 'Amazon CloudFront', header: 'x-amz-cf-id' },
  { name: 'Amazon CloudFront', header: 'via', value: /cloudfront/i },
  { name: 'Cloudflare', header: 'cf-ray' },
  { name: 'Cloudflare', header: 'server', value: /cloudflare/i },
  { name: 'Google Cloud load balancer', header: 'via', value: /\b1\.1 google/i },
  { name: 'Fastly', header: 'x-served-by', value: /^cache-/i },
  { name: 'Varnish', header: 'x-varnish' },
  { name: 'Varnish', header: 'via', value: /varnish/i },
]
const IN_REQUESTS: Readonly<Record<string, HopName>> = {
  'cf-ray': 'Cloudflare',
  'fastly-client-ip': 'Fastly',
  'x-amz-cf-id': 'Amazon CloudFront',
  'x-amzn-trace-id': 'AWS load balancer',
  'x-cloud-trace-context': 'Google Cloud load balancer',
  'x-envoy-expected-rq-timeout-ms': 'Envoy',
  'x-envoy-external-address': 'Envoy',
  'x-varnish': 'Varnish',
}
/** Say that something stands between, not what. */
const OTHER_TRACES = ['server', 'via', 'x-cache', 'age', 'x-served-by', 'x-powered-by', 'x-azure-ref']
const MAX_SHOWN = 80

/** `received` is null where the answer does not say what arrived at the router. */
export function findHops(headers: IncomingHttpHeaders, received: ProbeReceived | null): readonly Hop[] {
  const found = new Map<HopName, Set<string>>()
  const add = (name: HopName, evidence: string) => {
    found.set(name, (found.get(name) ?? new Set()).add(evidence))
  }
  const explained = new Set<string>()
  for (const { name, header, value } of IN_ANSWERS) {
    const text = textOf(headers, header)
    if (text === null || value?.test(text) === false) continue
    add(name, `${header}: ${text}`)
    explained.add(header)
  }
  for (const header of received?.hopHeaders ?? []) {
    const name = IN_REQUESTS[header]
    if (name !== undefined) add(name, `the request reached the router with ${header}`)
  }
  for (const header of OTHER_TRACES) {
    const text = textOf(headers, header)
    if (text !== null && !explained.has(header)) add('unknown', `${header}: ${text}`)
  }
  if (received?.via != null)
    add('unknown', `the request reached the router with via: ${received.via.slice(0, MAX_SHOWN)}`)
  if (received?.httpVersion === '1.0') add('unknown', 'the request reached the router as HTTP/1.0')
  return [...found].map(([name, evidence]) => ({ name, evidence: [...evidence] }))
}

/** The router sends this header with every stream, and nginx takes it away: it is meant for nginx. */
export function withoutAccelHeader(hops: readonly Hop[]): readonly Hop[] {
  const evidence = 'the header X-Accel-Buffering was taken away'
  const nginx = hops.find(({ name }) => name === 'nginx') ?? { name: 'nginx', evidence: [] }
  return [
    { ...nginx, evidence: [...nginx.evidence, evidence] },
    ...hops.filter(({ name }) => name !== 'nginx'),
  ]
}

function textOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name]
  return value === undefined ? null : String(value).slice(0, MAX_SHOWN)
}
