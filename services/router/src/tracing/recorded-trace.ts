import type { Trace } from '@switchyard/request-trace'

/** A trace whose data, variables included, may be `RecordedJson`. */
export type RecordedTrace = Omit<Trace, 'request'> & {
  readonly request: Omit<Trace['request'], 'body'> & {
    readonly body: Omit<Trace['request']['body'], 'variables'> & { readonly variables: unknown }
  }
}
