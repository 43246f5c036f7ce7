/** Judges answers by rules that hold for every request. */
import type { Answer } from '../measuring/client.ts'
import type { Outcome } from './target.ts'

/** A refusal of a router is one of these; 500 and 502 would be faults of its own. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 404, 405, 406, 408, 413, 415, 431, 503])

/** The largest refusal in bytes: 50 errors of a thousand characters, each with twenty locations. */
const MAX_REFUSAL = 150_000

export function judgeAnswer({ status, body, type }: Answer, logged: readonly string[]): Outcome {
  const bytesOut = body.length
  const [error] = logged
  if (error !== undefined)
    return { name: `${status} logged`, bytesOut, complaint: `The router logged ${error}` }
  if (!STATUSES.has(status)) return { name: String(status), bytesOut, complaint: `The status was ${status}.` }
  if (type.startsWith('multipart/')) return { name: `${status} in parts`, bytesOut, complaint: null }
  // The code of the first error stands near the beginning of a refusal, and the whole of a large answer need
  // not be read.
  const head = body.subarray(0, 3000).toString('latin1')
  const isRefusal = !body.includes('"data":')
  const code = /"code":"(\w+)"/.exec(head)?.[1] ?? ''
  const name = isRefusal
    ? `${status} ${code}`
    : `${status} data${head.includes('"errors"') ? ' and errors' : ''}`
  if (isRefusal && code === '') return { name, bytesOut, complaint: 'A refusal has no code.' }
  if (isRefusal && bytesOut > MAX_REFUSAL)
    return { name, bytesOut, complaint: `A refusal has ${bytesOut} bytes.` }
  return { name, bytesOut, complaint: null }
}
