/** Writes answers as a whole: status, headers with the length, one end. Large ones are in pieces. */
import type { ClientResponse } from './client-response.ts'
import type { HeaderList } from '../headers/header-list.ts'
import type { ResponseType } from './negotiate.ts'

/** Headers that forbid caches to keep the answer. */
export const NOT_STORED: Readonly<Record<string, string>> = { 'Cache-Control': 'no-store' }
/** The same headers as a list. */
export const NOT_STORED_LIST: HeaderList = ['Cache-Control', 'no-store']

/** Writes an answer as a whole. Does nothing for a client that is gone or has an answer already. */
export function sendJson(
  response: ClientResponse,
  status: number,
  type: ResponseType,
  headers: HeaderList,
  body: string | readonly Uint8Array[],
): void {
  if (response.headersSent || response.destroyed) return
  const own = ['Content-Type', `${type}; charset=utf-8`, 'Content-Length', String(lengthOf(body))]
  response.writeHead(status, [...own, ...headers])
  if (typeof body === 'string') response.end(body)
  else if (body.length === 1) response.end(body[0])
  else {
    writePieces(response, body)
    response.end()
  }
}

/** Returns headers as an object. */
export function headerRecord(headers: HeaderList): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {}
  for (let index = 0; index + 1 < headers.length; index += 2)
    record[String(headers[index])] = headers[index + 1] ?? ''
  return record
}

/** Writes pieces of a body. They go out together, as far as the system takes them. */
export function writePieces(response: ClientResponse, pieces: readonly Uint8Array[]): void {
  // A piece may exceed the bytes that wait for the client, and so end the response.
  for (const piece of pieces) if (!response.destroyed) response.write(piece)
}

function lengthOf(body: string | readonly Uint8Array[]): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the body of an answer that carries one error. */
export function errorsOf(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] }
}

/** Returns the body of an answer that carries one error, as JSON text. */
export function errorBody(code: string, message: string): string {
  return JSON.stringify(errorsOf(code, message))
}
