/** Answers requests that Node's HTTP parser refuses, with a problem like everything else. */
import { Socket } from 'node:net'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { PROBLEM_MEDIA_TYPE, type Problem, problem } from '@switchyard/contracts'

export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The parser also fails in the rest of a body whose request was refused and answered already. A second
  // answer would belong to no request.
  const isAnswered =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesWritten > 0
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
    socket.destroy()
    return
  }
  const value = problemOf(error.code)
  const body = JSON.stringify(value)
  socket.end(
    `HTTP/1.1 ${value.status} ${STATUS_CODES[value.status] ?? ''}\r\nContent-Type: ${PROBLEM_MEDIA_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return problem(
        'HEADERS_TOO_LARGE',
        'The path and the headers of the request are larger than the 16 KiB that are read of them. Nothing was changed.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('REQUEST_TIMEOUT', 'The request took too long to arrive. Nothing was changed.')
    default:
      return problem('INVALID_REQUEST', 'The request is not valid HTTP. Nothing was changed.')
  }
}
