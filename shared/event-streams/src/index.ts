export { StreamParser, type StreamSink } from './stream-parser.ts'
