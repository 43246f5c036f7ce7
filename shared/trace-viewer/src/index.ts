export { traceDocument, type TraceDocumentOptions } from './document.ts'
