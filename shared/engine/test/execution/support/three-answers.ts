/** Executes a plan three times, and prints whether code may be generated here and what the answers were. */
import { mayRunGeneratedCode } from '../../../src/execution/generated/generated-code.ts'
import { execute } from '../../../src/execution/execute.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'
import { openShop } from './shop.ts'

const { graph } = openShop()
const plan = planOperation(prepareOperation(graph, { document: '{ product { name } }' }), new Map())
const answers: unknown[] = []
for (let count = 0; count < 3; count++) {
  const body = { data: { product: { name: `name ${count}` } } }
  await new Promise<void>((resolve) => {
    execute(
      graph,
      {
        plan,
        variables: new Map(),
        interpretedRuns: 1,
        fetch: (_, done) => setImmediate(() => done({ kind: 'answer', status: 200, body })),
      },
      (result) => {
        answers.push(result)
        resolve()
      },
    )
  })
}
console.log(JSON.stringify({ isAllowed: mayRunGeneratedCode, answers }))
