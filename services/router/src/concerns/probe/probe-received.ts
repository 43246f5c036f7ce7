import type { IncomingMessage } from 'node:http'
import type { ProbeReceived } from '@switchyard/contracts'

/** Added to requests by load balancers and content delivery networks, each by one kind. */
const HOP_HEADERS = [
  'cf-ray',
  'fastly-client-ip',
  'x-amz-cf-id',
  'x-amzn-trace-id',
  'x-azure-ref',
  'x-cloud-trace-context',
  'x-envoy-expected-rq-timeout-ms',
  'x-envoy-external-address',
  'x-varnish',
]
const MAX_SHOWN = 300

/** Reports the properties of a request as they arrived, for the probe to compare. */
export function receivedBy({
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): ProbeReceived {
  const shown = (name: string) => {
    const value = headers[name]
    return value === undefined ? null : String(value).slice(0, MAX_SHOWN)
  }
  return {
    httpVersion,
    accept: shown('accept'),
    acceptEncoding: shown('accept-encoding'),
    via: shown('via'),
    hopHeaders: HOP_HEADERS.filter((name) => headers[name] !== undefined),
  }
}
