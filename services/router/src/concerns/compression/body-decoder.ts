/** The interface of decompressors of request bodies, their limits and their errors. */
import { HttpError } from '../../errors/http-error.ts'
import type { ContentCoding } from '../../settings/content-codings.ts'

/** Bytes up to which a body may unpack to any multiple of its size. */
const RATIO_FROM = 64 * 1024
/**
 * The largest ratio of unpacked to received bytes beyond `RATIO_FROM`. Documents and variables are packed to
 * a third or a tenth, and a gzip of nothing but zeros to a thousandth.
 */
const MAX_RATIO = 20

/** Decompresses one body. */
export interface BodyDecoder {
  /** Takes further bytes of the body. */
  write(bytes: Buffer): void
  /** All of the body has arrived. */
  end(): void
  /** Stops unpacking. The sink is told nothing any more. */
  destroy(): void
}

/** Receives the unpacked bytes of a body. One of `ended` and `failed` is called, once. */
export interface UnpackedSink {
  unpacked(bytes: Buffer): void
  /** Counts more or fewer bytes that the decompressor holds besides those that it has unpacked. */
  held(more: number): void
  /** All bytes of the body were unpacked. */
  ended(): void
  failed(error: HttpError): void
}

/** Returns the number of bytes to which so many bytes may unpack at most. */
export function mostUnpacked(received: number): number {
  return Math.max(RATIO_FROM, received * MAX_RATIO)
}

/** Makes the error for a body that cannot be unpacked. */
export function invalidBody(coding: ContentCoding): HttpError {
  return new HttpError(
    'BAD_REQUEST',
    `The request body is no complete, valid ${coding}, which its Content-Encoding says that it is.`,
  )
}

/**
 * Makes the error for a body with bytes after the end of its data. Node.js ignores them, and something in
 * front of the router may not.
 */
export function bodyGoesOn(coding: ContentCoding): HttpError {
  return new HttpError(
    'BAD_REQUEST',
    `The request body goes on after the end of its ${coding} data. Expected nothing after that.`,
  )
}

/** Makes the error for a body that unpacks to more than `mostUnpacked` allows. */
export function unpacksToTooMuch(): HttpError {
  return new HttpError(
    'PAYLOAD_TOO_LARGE',
    `The request body unpacks to more than ${RATIO_FROM} bytes and more than ${MAX_RATIO} times its size. Send it uncompressed.`,
  )
}

/** Makes the error for a body that unpacks to more bytes than a body may have. */
export function unpacksBeyond(limit: number): HttpError {
  return new HttpError(
    'PAYLOAD_TOO_LARGE',
    `The request body unpacks to more than the ${limit} bytes allowed.`,
  )
}
