/**
 * Whether the router takes requests at the moment. What it throws are HttpErrors that ask the client to try
 * again.
 */
import { HttpError } from '../../errors/http-error.ts'
import type { Generations } from '../../generations/generations.ts'
import type { LoadShedding } from '../../listen/load-shedding.ts'
import type { Traffic } from '../../listen/traffic.ts'

const RETRY = { 'Retry-After': '1' }

/** The parts that decide whether requests are accepted. */
export type TrafficParts = {
  readonly traffic: Traffic
  /** Refuses requests while the event loop is late; null if requests are accepted all the same. */
  readonly shedding: LoadShedding | null
  readonly generations: Generations
  /** Returns the reason why nothing is served. Called only while nothing is. */
  readonly waitingFor: () => string
}

/** Throws HttpError while the router drains, serves nothing yet, or is full. */
export function checkTraffic({ traffic, generations, waitingFor }: TrafficParts): void {
  if (traffic.draining || generations.table === null) throw nothingServed({ traffic, waitingFor })
  if (traffic.overloaded) throw overloaded()
}

/** The refusal of a request by a router that drains, or serves nothing yet. */
export function nothingServed({
  traffic,
  waitingFor,
}: Pick<TrafficParts, 'traffic' | 'waitingFor'>): HttpError {
  if (traffic.draining) return draining()
  return new HttpError('NOT_READY', `The router serves no graph yet: ${waitingFor()}.`, RETRY)
}

/** Throws HttpError for a part of the requests while the event loop is late. */
export function shedLoad({ shedding }: TrafficParts): void {
  if (shedding?.refuses() !== true) return
  throw new HttpError(
    'OVERLOADED',
    'This router has more to do than it can keep up with. Try again in a moment.',
    RETRY,
  )
}

/** The refusal of a request while as many are in progress as may be. */
export function overloaded(): HttpError {
  return new HttpError('OVERLOADED', 'Too many requests are in progress. Try again in a moment.', RETRY)
}

/** The refusal of a request by a router that is about to stop. */
export function draining(): HttpError {
  return new HttpError('DRAINING', 'This router is stopping. Try again: another one will answer.', RETRY)
}
