export { failedDocument, startedDocument } from './text/announcement.ts'
export { Backoff } from './servers/backoff.ts'
export { Changes } from './changes.ts'
export { clientGroupOf } from './clients/client-group.ts'
export {
  booleanVariable,
  type Environment,
  EnvironmentError,
  integerVariable,
  LogLevelVariable,
  parseEnvironment,
  portVariable,
} from './process/environment.ts'
export {
  createHealthServer,
  healthOf,
  healthReply,
  type HealthServer,
  type HealthServerOptions,
  type HealthState,
} from './health/health.ts'
export { type Disbelief, FleetKey, FleetKeyVariable, FleetVerifier } from './fleet/fleet-key.ts'
export { RouterForms } from './fleet/router-forms.ts'
export { hearFigures, type HearFiguresOptions } from './fleet/hear-figures.ts'
export { hearUsage, type HearUsageOptions } from './fleet/hear-usage.ts'
export { hearRouters, type HearRoutersOptions, type RoutersHeard, senderOf } from './fleet/hear-routers.ts'
export { Heard, type HeardEntry, type HeardOptions } from './fleet/heard.ts'
export { FrequentLines, jsonString, type LineMembers } from './logging/frequent-lines.ts'
export { attempt, listProblems, problemsIn } from './text/list-problems.ts'
export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel } from './logging/logger.ts'
export { type EventLevel, logEvent, LogEvent } from './logging/log-event.ts'
export { type LogContext, withLogContext } from './logging/log-context.ts'
export { createCheapCounter, createCheapHistogram } from './metrics/cheap-instruments.ts'
export { declareCounter, declareGauge, declareHistogram, Metric } from './metrics/metric.ts'
export { HTTP_DURATIONS } from './metrics/http-durations.ts'
export {
  type CertificateUse,
  type ObservedCertificate,
  observeCertificates,
  observeTlsFiles,
} from './metrics/observe-certificates.ts'
export { type ObservedConnection, observeConnection } from './metrics/observe-connection.ts'
export { observeReady } from './health/observe-ready.ts'
export { observeTogether } from './metrics/observe-together.ts'
export type { Labelled, Series } from './metrics/series.ts'
export { type MetricsOf, startWithMetrics } from './metrics/start-with-metrics.ts'
export type { ProcessMetrics, ReadWorkers } from './metrics/with-workers.ts'
export { NOTICE_FAILED } from './servers/notice-failed.ts'
export { Outage } from './servers/outage.ts'
export { GatheredPieces, PIECES, TooManyPiecesError } from './pieces/gathered-pieces.ts'
export { gatheringRequest } from './pieces/gathering-request.ts'
export { gatherStream } from './pieces/gather-stream.ts'
export { LineInOrder } from './pieces/line-in-order.ts'
export { type ConnectionLine, type PacedConnection, ReadingTurns, WORTH } from './pieces/reading-turns.ts'
export { readingOf, SocketTurns } from './pieces/socket-turns.ts'
export {
  BY_VARIABLES,
  type Listening,
  PortUnavailableError,
  systemCodeOf,
} from './process/port-unavailable.ts'
export { printableJson, printableLine, printableText, say } from './text/printable.ts'
export { isRequestId, REQUEST_ID_HEADER, requestIdOf } from './traces/request-ids.ts'
export {
  type RunningService,
  runService,
  type ServiceContext,
  type ServiceOptions,
  type ServiceProcess,
} from './process/run-service.ts'
export {
  type AccessNames,
  codesOf,
  type ServerProblem,
  type TlsFiles,
  tlsProblemOf,
  UnusableFileError,
} from './servers/server-problem.ts'
export type { ServerProblemCode } from './servers/problem-codes.ts'
export { joinLoads, LoadMeter } from './process/process-load.ts'
export { answerUsage } from './process/usage.ts'
export { SecretFile } from './process/secret-file.ts'
export { ServerProblems } from './servers/server-problems.ts'
export { type HealthPlace, startBehindHealth } from './health/start-behind-health.ts'
export { checkTelemetry, startWithTelemetry } from './start-with-telemetry.ts'
export { isNetwork, NETWORK_PATTERN, TrustedProxies } from './clients/trusted-proxies.ts'
export { graphAttributes, type SpanStart, traceparentOf, withSpan } from './traces/telemetry.ts'
export { VERSION } from './text/version.ts'
export { newTraceparent, parseTraceparent, traceparentText } from './traces/traceparent.ts'
export {
  NO_PARENT,
  openPropagation,
  type Propagation,
  TRACE_CONTEXT,
  type ReceivedTraceContext,
} from './traces/propagation.ts'
