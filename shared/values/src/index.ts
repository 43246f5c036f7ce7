export { type ClaimPath, claimReader, type Claims, claimText, claimTexts } from './claim-path.ts'
export { isRecord } from './is-record.ts'
export { messageOf } from './message-of.ts'
export { murmurHash3, stickyShare } from './sticky-share.ts'
