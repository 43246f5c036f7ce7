/** Answers are written in one piece: status, headers with the length, one end. */
import type { ServerResponse } from 'node:http'
import type { ResponseType } from './negotiate.ts'

/** No cache keeps the answer. */
export const NOT_STORED: Readonly<Record<string, string>> = { 'Cache-Control': 'no-store' }

export function sendJson(
  response: ServerResponse,
  status: number,
  type: ResponseType,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(body)
}

export function errorsOf(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] }
}

export function errorBody(code: string, message: string): string {
  return JSON.stringify(errorsOf(code, message))
}
