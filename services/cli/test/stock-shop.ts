/** `switchyard up` with a graph of one subgraph, whose field a feature flag adds to. Nobody answers there. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Run, runCommand, type RunOptions, waitUntilServed, wordsOf } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'

const URL = 'http://127.0.0.1:9/graphql'
const GRAPH = `version: 1
graph: { name: shop }
subgraphs: [{ name: stock, routing_url: '${URL}', schema: { file: stock.graphql } }]
feature_flags:
  - name: new-stock
    feature_graphs:
      - { name: stock-next, subgraph_name: stock, routing_url: '${URL}', schema: { file: next.graphql } }
  - name: off
    enabled: false
    feature_graphs: [{ name: stock-next }]
`

export class StockShop implements AsyncDisposable {
  readonly up: StartedUp

  private constructor(up: StartedUp) {
    this.up = up
  }

  /** Resolves when the flag `new-stock` is served; the flag `off` is disabled. */
  static async start(): Promise<StockShop> {
    const shop = new StockShop(await startUp())
    const { folder } = shop.up
    await writeFile(join(folder, 'stock.graphql'), 'type Query { depot: Int }\n')
    await writeFile(join(folder, 'next.graphql'), 'type Query { depot: Int shelf: Int }\n')
    await writeFile(join(folder, 'graph.yaml'), GRAPH)
    await shop.succeed('apply graph.yaml')
    await waitUntilServed((line) => shop.run(line), 'shop')
    return shop
  }

  run(line: string, options: RunOptions = {}): Promise<Run> {
    return runCommand(wordsOf(line), { cwd: this.up.folder, ...options })
  }

  async succeed(line: string): Promise<Run> {
    const result = await this.run(line)
    expect(result, line).toMatchObject({ exitCode: 0 })
    return result
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.up[Symbol.asyncDispose]()
  }
}
