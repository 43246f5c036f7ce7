/** One operation of a batch as a request of its own, which goes through all stages like others. */
import type { IncomingHttpHeaders } from 'node:http'
import { PROBE_HEADER } from '@switchyard/contracts'
import { headerKey } from '../../headers/header-key.ts'
import { JSON_TYPE } from '../../http/negotiate.ts'
import type { Decision } from '../../request/decision.ts'
import { OperationOfBatch } from '../../request/operation-of-batch.ts'
import type { RateCount } from '../../request/rate-count.ts'
import type { ClientRequest } from '../../http/virtual-request.ts'

/** Headers that describe the batch, and not one operation. */
const OF_THE_BATCH: readonly string[] = [
  'accept-encoding',
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'expect',
  headerKey(PROBE_HEADER),
]

/** Results of the stages that the batch went through. */
type SettledWithBatch = Pick<OperationOfBatch, 'rateCounts' | 'decision'>

/** Has the headers and the connection of the batch, and the text of the operation as its body. */
export class BatchedRequest extends OperationOfBatch {
  readonly rateCounts: readonly RateCount[] | null
  readonly decision: Decision | null

  constructor(batch: ClientRequest, body: string, { rateCounts, decision }: SettledWithBatch) {
    super(batch, headersOf(batch), body)
    this.rateCounts = rateCounts
    this.decision = decision
  }
}

function headersOf(batch: ClientRequest): IncomingHttpHeaders {
  // An answer in parts has no place in a list.
  const headers: IncomingHttpHeaders = { ...batch.headers, accept: JSON_TYPE }
  for (const name of OF_THE_BATCH) delete headers[name]
  return headers
}
