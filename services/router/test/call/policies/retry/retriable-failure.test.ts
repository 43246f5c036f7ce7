import { describe, expect, it } from 'vitest'
import {
  CallNotTakenError,
  ConnectionClosedError,
  ConnectTimeoutError,
  MalformedAnswerError,
  PoolClosedError,
} from '../../../../src/transport/http1/connection-errors.ts'
import { retriedFailure, retryAfter } from '../../../../src/call/policies/retry/retriable-failure.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

describe('a call that failed', () => {
  it.each([
    withCode('ECONNREFUSED'),
    withCode('ECONNRESET'),
    withCode('ENOENT'),
    withCode('EAGAIN'),
    new ConnectionClosedError(),
    new ConnectTimeoutError(5),
    new CallNotTakenError(4),
  ])('may be made again after $code $name', (error) => {
    expect(retriedFailure(error)).toBe('connection')
  })

  it.each([
    withCode('SUBGRAPH_ADDRESS_NOT_ALLOWED'),
    withCode('DEPTH_ZERO_SELF_SIGNED_CERT'),
    withCode('ENOTFOUND'),
    new MalformedAnswerError('has no end'),
    new PoolClosedError(),
    new Error('anything else'),
  ])('fails for good after $code $name', (error) => {
    expect(retriedFailure(error)).toBeNull()
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')

  it.each([
    ['2', 2000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:03 GMT', 3000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
    ['soon', 0],
    ['99999999999999999999', 1e23],
    [undefined, 0],
    [['1', '2'], 0],
  ])('of %j', (value, milliseconds) => {
    expect(retryAfter(value, now)).toBe(milliseconds)
  })
})
