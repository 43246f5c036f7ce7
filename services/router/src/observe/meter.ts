/** The names by which OpenTelemetry knows what the router's instruments and spans come from. */
export const METER = '@switchyard/router'
export const TRACER = '@switchyard/router'
