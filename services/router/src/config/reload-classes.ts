/**
 * The settings in two classes, by whether a changed settings file takes effect while the router runs. A name
 * stands for every setting below it, and each setting is in exactly one class.
 */

/** The value at the start stays until the router is started again. */
export const NEED_RESTART: readonly string[] = [
  'host',
  'port',
  'workers',
  'base_path',
  'tls',
  'authorization.allow_unenforced',
  'limits.max_header_size',
  'traffic.headers_timeout',
  'planning',
  'config.poll_interval',
  'config.accept_unconfirmed',
  'documents.published',
  'settings',
]

/** Requests that come after a reload have the new value. */
export const RELOADED: readonly string[] = [
  'dev_mode',
  'introspection',
  'playground',
  'authentication',
  'authorization.scopes_claim',
  'authorization.policies',
  'authorization.reject_unauthorized',
  'engine',
  'tracing',
  'flags',
  'cors',
  'csrf',
  'limits.max_body_size',
  'limits.max_document_length',
  'limits.max_tokens',
  'limits.max_depth',
  'limits.max_aliases',
  'limits.max_root_fields',
  'limits.max_fields',
  'limits.max_variable_values',
  'limits.max_introspection_size',
  'limits.max_execution_steps',
  'traffic.max_concurrent_requests',
  'traffic.share_inflight',
  'traffic.trusted_proxies',
  'traffic.max_connections',
  'traffic.max_connections_per_client',
  'traffic.max_event_loop_delay',
  'traffic.max_unread_requests',
  'traffic.max_unread_requests_per_client',
  'traffic.max_unsent_size',
  'traffic.max_unsent_size_per_client',
  'traffic.max_unanswered_size',
  'traffic.max_unanswered_size_per_client',
  'traffic.request_timeout',
  'traffic.keep_alive_timeout',
  'traffic.write_timeout',
  'costs',
  'rate_limits',
  'progressive_override',
  'response',
  'compression',
  'headers',
  'subgraphs',
  'subgraph_errors',
  'request_id',
  'batching',
  'documents.mode',
  'documents.manifests',
  'documents.id_parameters',
  'documents.max_manifest_size',
  'documents.reload_interval',
  'documents.warm_up',
  'documents.apq',
  'client_identification',
  'access_log',
  'cache',
  'config.flag_build_wait',
  'shutdown',
]

const needRestart = new Set(NEED_RESTART)

/** Whether a setting, or the section above it, keeps its value until a restart. */
export function needsRestart(keys: readonly string[]): boolean {
  return keys.some((_, index) => needRestart.has(keys.slice(0, index + 1).join('.')))
}
