/** Figures for tests: counted from lists of requests, as routers count them. */
import * as fc from 'fast-check'
import {
  type CountedRequest,
  type Figures,
  FiguresCounter,
  type Group,
  type RouterFigures,
} from '../src/index.ts'

/** A request with its group and cluster. */
export type Request = CountedRequest & { readonly group: Group; readonly cluster: number }

export const requestOf: fc.Arbitrary<Request> = fc.record({
  group: fc.constantFrom<Group>('inside', 'control'),
  cluster: fc.nat(63),
  error: fc.option(fc.constantFrom('SUBGRAPH_TIMEOUT', 'INTERNAL', 'A.B')),
  milliseconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
  operation: fc.option(fc.constantFrom('Products', 'Cart', 'Search')),
})

/** Returns the totals of requests. */
export function counted(requests: readonly Request[]): Figures {
  const counter = new FiguresCounter()
  for (const request of requests) counter.count(request.group, request.cluster, request)
  return counter.figures()
}

/** Returns a message with these totals. */
export function messageOf(
  figures: Figures,
  { instance = 'r1', boot = 'b1', beat = 1 }: Partial<Pick<RouterFigures, 'instance' | 'boot' | 'beat'>> = {},
): RouterFigures {
  const place = { namespace: 'default', graph: 'shop', rollout: 'new-catalogue' }
  return { instance, boot, ...place, step: 7, epoch: 1, revision: 4, beat, figures }
}
