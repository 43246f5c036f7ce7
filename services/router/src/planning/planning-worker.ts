/** Runs in a worker thread: plans operations that take too long for the serving thread. */
import { type Graph, openGraph, PlanningError, planOperation } from '@switchyard/engine'
import { serveTasks } from '@switchyard/worker-host'
import { getOperationAST, parse } from 'graphql'
import { unpackGraph } from './packed-graph.ts'
import { SYSTEM_CLOCK } from './planning-clock.ts'
import type { ForgetGraph, PlanningAnswer, PlanningTask, SentPlanningTask } from './planning-messages.ts'

const graphs = new Map<number, Graph>()

serveTasks<SentPlanningTask, PlanningAnswer, ForgetGraph>({
  prepare({ graph, packed }) {
    if (packed !== null) graphs.set(graph, openGraph(unpackGraph(packed)))
  },
  run: ({ graph, task }) => planned(graph, task),
  hear: ({ graph }) => void graphs.delete(graph),
})

function planned(
  graphId: number,
  { document, operationName, defer, conditions, ...options }: PlanningTask,
): PlanningAnswer {
  const started = SYSTEM_CLOCK.cpu()
  let steps = 0
  const onSteps = (taken: number) => {
    steps = taken
  }
  const milliseconds = () => SYSTEM_CLOCK.cpu() - started
  try {
    const graph = graphs.get(graphId)
    if (graph === undefined) throw new RangeError(`Graph ${graphId} was not sent to this thread.`)
    const parsed = parse(document, { noLocation: true })
    const definition = getOperationAST(parsed, operationName)
    if (definition == null) throw new RangeError(`The document holds no operation "${operationName ?? ''}".`)
    const operation = { graph, document: parsed, definition, mayDefer: defer }
    const plan = planOperation(operation, conditions, { ...options, onSteps })
    return { kind: 'planned', plan, milliseconds: milliseconds(), steps }
  } catch (error) {
    if (error instanceof PlanningError) {
      return {
        kind: 'refused',
        code: error.code,
        message: error.message,
        milliseconds: milliseconds(),
        steps,
      }
    }
    return {
      kind: 'failed',
      error: error instanceof Error ? error : new Error(String(error)),
      milliseconds: milliseconds(),
    }
  }
}
