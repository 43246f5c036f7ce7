/** Fails a subscription that cannot be opened, in a later turn. */
import type { OpenSource, UpstreamFailure, UpstreamListener } from './upstream.ts'

export function failedSource(failure: UpstreamFailure, listener: UpstreamListener): OpenSource {
  const telling = setImmediate(() => listener.failed(failure))
  return { close: () => clearImmediate(telling) }
}
