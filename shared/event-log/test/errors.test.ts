import { describe, expect, it } from 'vitest'
import { BlobStoreUnavailableError, EventLogUnavailableError } from '../src/log/errors.ts'

describe('an error of storage that is not available', () => {
  it('says once what is not available, also where another one is the reason', () => {
    const first = new EventLogUnavailableError('not connected to NATS')
    const said = 'The event log is not available: not connected to NATS. Nothing was written by this call.'
    expect(first.message).toBe(said)
    expect(new EventLogUnavailableError(first.message, first).message).toBe(said)
    const blob = new BlobStoreUnavailableError(new EventLogUnavailableError(first.message).message)
    expect(blob.message).toBe(
      'The blob store is not available: not connected to NATS. The blob may be stored or not; put it again.',
    )
    expect(new EventLogUnavailableError(blob.message).message).toBe(said)
  })

  it('ends the sentence of its reason once', () => {
    expect(new EventLogUnavailableError('NATS cannot be used. This service goes on trying.').message).toBe(
      'The event log is not available: NATS cannot be used. This service goes on trying. Nothing was written by this call.',
    )
  })
})
