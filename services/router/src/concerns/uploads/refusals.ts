/** Why requests with files are refused. */
import { HttpError } from '../../errors/http-error.ts'

/** The page of the specification. */
export const SPECIFICATION = 'https://github.com/jaydenseric/graphql-multipart-request-spec'

/** The request has not the form that the specification asks for. */
export function invalidUpload(message: string): HttpError {
  return new HttpError('UPLOAD_INVALID', message)
}

/** The request has more than the settings allow. */
export function tooLargeUpload(message: string): HttpError {
  return new HttpError('PAYLOAD_TOO_LARGE', message)
}

/** The files cannot be sent to the subgraphs of the plan. */
export function unroutableUpload(message: string): HttpError {
  return new HttpError('UPLOAD_NOT_ROUTABLE', message)
}
