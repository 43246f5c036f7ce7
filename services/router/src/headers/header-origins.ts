/**
 * Tells who adds a request header: the browser by itself, something between client and router, or the
 * client's own code.
 *
 * A page needs our consent, by a preflight request (https://fetch.spec.whatwg.org/#http-cors-protocol),
 * before a browser sends another origin a header that the page chose. A header that arrives without the
 * page's doing proves nothing of the kind, so the lists name too many headers rather than too few. All names
 * are in lower case.
 */

const BROWSER_NAMES: ReadonlySet<string> = new Set([
  'alt-used',
  'available-dictionary',
  'cache-control',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'device-memory',
  'dictionary-id',
  'dnt',
  'downlink',
  'dpr',
  'early-data',
  'ect',
  'expect',
  'from',
  'host',
  'http2-settings',
  'intervention',
  'keep-alive',
  'last-event-id',
  'origin',
  'ping-from',
  'ping-to',
  'pragma',
  'priority',
  'purpose',
  'range',
  'referer',
  'rtt',
  'save-data',
  'service-worker',
  'service-worker-navigation-preload',
  'te',
  'trailer',
  'transfer-encoding',
  'ua-cpu',
  'upgrade',
  'upgrade-insecure-requests',
  'user-agent',
  'viewport-width',
  'warning',
  'width',
  'x-client-data',
  'x-moz',
  'x-purpose',
  // Android's WebView adds one of its own; see `isGuardHeader`.
  'x-requested-with',
  'x-wap-profile',
])

const BROWSER_PREFIXES = [
  // Pseudo-headers of HTTP/2.
  ':',
  'accept',
  'access-control-',
  'attribution-reporting-',
  // Whether a body was sent by code is judged by its media type alone.
  'content-',
  'if-',
  'proxy-',
  'sec-',
  'x-browser-',
  'x-chrome-',
  'x-operamini-',
]

/** Headers that browsers and proxies both add. They prove nothing, and are no sign of a proxy. */
const CORRELATION_NAMES: ReadonlySet<string> = new Set([
  'b3',
  'baggage',
  'correlation-id',
  'elastic-apm-traceparent',
  'newrelic',
  'request-id',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'uber-trace-id',
  'x-correlation-id',
  'x-ot-span-context',
  'x-request-id',
  'x-trace-id',
])

const CORRELATION_PREFIXES = ['uberctx-', 'x-b3-', 'x-datadog-', 'x-newrelic-', 'ot-tracer-']

const PROXY_NAMES: ReadonlySet<string> = new Set([
  'cdn-loop',
  'client-cert',
  'client-cert-chain',
  'client-ip',
  'do-connecting-ip',
  'forwarded',
  'front-end-https',
  'max-forwards',
  'remote-user',
  'true-client-ip',
  'via',
  'x-bluecoat-via',
  'x-client-cert',
  'x-client-ip',
  'x-cloud-trace-context',
  'x-cluster-client-ip',
  'x-host',
  'x-iinfo',
  'x-imforwards',
  'x-queue-start',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-user',
  'x-request-start',
  'x-scheme',
  'x-varnish',
])

const PROXY_PREFIXES = [
  'akamai-',
  'cf-',
  'cloudfront-',
  'fastly-',
  'fly-',
  'l5d-',
  'ssl-client-',
  'tailscale-',
  'x-akamai-',
  'x-amz',
  'x-appengine-',
  'x-appgw-',
  'x-arr-',
  'x-auth-request-',
  'x-azure-',
  'x-consumer-',
  'x-edge-',
  'x-envoy-',
  'x-fd-',
  'x-forwarded',
  'x-geo-',
  'x-goog-',
  'x-kong-',
  'x-ms-',
  'x-nf-',
  'x-nginx-',
  'x-original-',
  'x-pomerium-',
  'x-proxy',
  'x-ssl-',
  'x-sucuri-',
  'x-vercel-',
]

/** The side that adds a header to a request. */
export type HeaderOrigin = 'browser' | 'correlation' | 'proxy' | 'client'

/**
 * Returns who adds a header of this name. With `client`, neither browsers nor proxies are known to add it by
 * themselves.
 */
export function headerOrigin(name: string): HeaderOrigin {
  if (BROWSER_NAMES.has(name) || startsWithAny(name, BROWSER_PREFIXES)) return 'browser'
  if (CORRELATION_NAMES.has(name) || startsWithAny(name, CORRELATION_PREFIXES)) return 'correlation'
  return PROXY_NAMES.has(name) || startsWithAny(name, PROXY_PREFIXES) ? 'proxy' : 'client'
}

/**
 * Headers with an identity that a proxy in front of the router found out from a cookie or a client
 * certificate of its own, which the router itself never sees.
 */
const IDENTITY_HEADERS = [
  'cf-access-jwt-assertion',
  'client-cert',
  'remote-user',
  'x-amzn-oidc-data',
  'x-auth-request-email',
  'x-auth-request-user',
  'x-forwarded-email',
  'x-forwarded-user',
  'x-goog-iap-jwt-assertion',
  'x-ms-client-principal',
  'x-pomerium-jwt-assertion',
  'x-remote-user',
]

/** Headers other than `Authorization` with credentials that browsers or proxies add without being asked. */
export const CREDENTIAL_HEADERS: readonly string[] = ['cookie', ...IDENTITY_HEADERS]

/**
 * Schemes of `Authorization` that browsers answer with what they remember:
 * https://www.rfc-editor.org/rfc/rfc9110#section-11.
 */
const BROWSER_SCHEME = /^\s*(?:basic|digest|negotiate|ntlm)(?:\s|$)/i

/** Returns whether an `Authorization` header has a scheme that browsers answer by themselves. */
export function isBrowserAuthorization(value: string): boolean {
  return BROWSER_SCHEME.test(value)
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix))
}
