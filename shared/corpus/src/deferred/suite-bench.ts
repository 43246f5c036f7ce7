import { createMonolith } from '../harness/monolith.ts'
import { once } from '../harness/once.ts'
import { createEngine } from '../harness/run-engine.ts'
import type { Suite } from '../harness/suite.ts'
import type { Bench } from './check-deferred.ts'

/** A suite to ask, with its one server. Its engine is made when it is asked first. */
export function benchOf(suite: Suite): Bench {
  const engine = once(() => createEngine(suite))
  return {
    suite,
    monolith: createMonolith(suite),
    get engine() {
      return engine()
    },
  }
}
