/**
 * Advice on what to change. For recognised intermediaries it names settings that their documentation
 * describes; for others it says what to look for.
 */
import type { FaultKind } from './faults.ts'
import type { Hop, HopName } from './hops.ts'

type Topic = 'buffering' | 'compression' | 'cutting' | 'rewriting' | 'old-protocol' | 'switch'

const TOPICS: Readonly<Record<FaultKind, Topic>> = {
  'defer-off': 'switch',
  'other-answer': 'rewriting',
  'accept-rewritten': 'rewriting',
  'not-multipart': 'rewriting',
  'parameters-lost': 'rewriting',
  'boundary-changed': 'rewriting',
  'parts-damaged': 'rewriting',
  'unknown-encoding': 'compression',
  'connection-cut': 'cutting',
  'never-ends': 'buffering',
  'length-declared': 'buffering',
  'http-1.0': 'old-protocol',
  'compressed-without-flush': 'compression',
  'held-to-the-end': 'buffering',
  'held-in-blocks': 'buffering',
  'one-part-late': 'buffering',
  'boundaries-held': 'buffering',
  'start-held': 'buffering',
}

const GENERAL: Readonly<Record<Topic, string>> = {
  switch: 'Set engine.enable_defer: true in the settings of the router, or ENGINE_ENABLE_DEFER=true.',
  buffering:
    'Switch off response buffering, body inspection and response transformation for this path, hop by hop, beginning next to the router.',
  compression:
    'Switch compression off for multipart/mixed or for this path, or make the compressor flush whenever it has nothing more to read.',
  cutting:
    'Raise the idle and the total time limits of every hop above the time that the slowest deferred fragment takes. ' +
    'To look for an idle limit: --idle <seconds>.',
  rewriting:
    'Look for rules of a hop that set or remove headers, or transform bodies, and leave this path out.',
  'old-protocol': 'Let every hop speak HTTP/1.1 or HTTP/2 to clients and to the router.',
}

const BY_HOP: Readonly<Partial<Record<HopName, Readonly<Partial<Record<Topic, string>>>>>> = {
  nginx: {
    buffering:
      'nginx: it does not buffer answers that come with X-Accel-Buffering: no, unless "proxy_ignore_headers X-Accel-Buffering" says otherwise: ' +
      'remove that, or set "proxy_buffering off" for this location. Of several nginx in a row only the one next to the router sees the header.',
    compression:
      'nginx: leave multipart/mixed (and *) out of "gzip_types", or set "gzip off" for this location.',
    cutting: 'nginx: raise "proxy_read_timeout" (60s by default, between two reads of the answer).',
    'old-protocol': 'nginx: set "proxy_http_version 1.1".',
  },
  Envoy: {
    buffering:
      'Envoy: it passes on as it comes unless a filter needs the whole body: ext_proc with response_body_mode BUFFERED, Lua that calls body().',
    compression: 'Envoy: leave multipart/mixed out of the content types of the compressor filter.',
    cutting:
      'Envoy: the route "timeout" (15s by default) is for the whole answer: raise it, or 0s for none; "stream_idle_timeout" is for pauses.',
  },
  HAProxy: {
    buffering: 'HAProxy: set "option http-no-delay" for this backend.',
    cutting: 'HAProxy: raise "timeout server".',
  },
  'Apache httpd': {
    buffering:
      'Apache httpd: remove mod_buffer (SetOutputFilter BUFFER) and other output filters from this location.',
    compression: 'Apache httpd: "SetEnv no-gzip 1" for this location switches mod_deflate off.',
    cutting: 'Apache httpd: raise "ProxyTimeout", or "timeout" of the ProxyPass line.',
  },
  'AWS load balancer': {
    buffering:
      'AWS load balancer: it passes answers on as they come, except those of Lambda targets. Look at the hops behind it.',
    cutting: 'AWS load balancer: raise the attribute idle_timeout.timeout_seconds (60 by default).',
  },
  'Amazon API Gateway': {
    buffering:
      'Amazon API Gateway: it collects answers unless response streaming is set up. Do not route deferred answers through it.',
  },
  'Amazon CloudFront': {
    cutting:
      'Amazon CloudFront: raise the origin response timeout (30 seconds by default, also between two packets).',
  },
  Cloudflare: {
    buffering: 'Cloudflare: switch off "Response Buffering" for the zone, and features that rewrite bodies.',
  },
  'Google Cloud load balancer': {
    cutting:
      'Google Cloud load balancer: raise the timeout of the backend service (30 seconds by default, for the whole answer).',
  },
  Fastly: {
    buffering: 'Fastly: "set beresp.do_stream = true" in vcl_fetch.',
  },
  Varnish: {
    buffering:
      'Varnish: "set beresp.do_stream = true" in vcl_backend_response, and no body-processing modules.',
    compression: 'Varnish: "set beresp.do_gzip = false" in vcl_backend_response.',
  },
}

/** Returns advice against a fault: first for the hops that were recognised, then in general. */
export function adviceFor(kind: FaultKind, hops: readonly Hop[]): readonly string[] {
  const topic = TOPICS[kind]
  if (topic === 'switch') return [GENERAL.switch]
  const known = hops.flatMap(({ name }) => BY_HOP[name]?.[topic] ?? [])
  return [...known, GENERAL[topic]]
}
