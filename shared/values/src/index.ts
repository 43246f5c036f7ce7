export { isRecord } from './is-record.ts'
export { messageOf } from './message-of.ts'
