/** A verification that cannot fail is worth nothing: engines with mistakes built in are found out. */
import { compose } from '@switchyard/composition'
import { compileSupergraph, openGraph } from '@switchyard/engine'
import { sampleOperations } from '@switchyard/samples'
import { compareOpinions } from '@switchyard/second-opinion'
import { isLongRun, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { subgraphInputs, type Suite, SUITES } from '@switchyard/corpus'
import { engineGateway } from '../../src/verify/engine-gateway.ts'
import { openSampleJudge, openVerifiedGraph } from '../../src/verify/gateways.ts'
import type { AskSubgraph, VerifyOperation } from '../../src/verify/operation.ts'
import { verifyOperations } from '../../src/verify/verify-operations.ts'

const NO_LABELS = new Set<string>()
const NEVER = new AbortController().signal

function supergraphOf(suite: Suite): string {
  const composed = compose({ subgraphs: subgraphInputs(suite) })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  return composed.supergraphSdl
}

function suiteNamed(name: string): Suite {
  const suite = SUITES.find((candidate) => candidate.name === name)
  if (suite === undefined) throw new Error(`There is no suite ${name}`)
  return suite
}

/** The last text of an answer is another one. */
function withOtherText(body: unknown): unknown {
  const text = JSON.stringify(body)
  const at = text.lastIndexOf('#')
  return at === -1 ? body : JSON.parse(`${text.slice(0, at)}!${text.slice(at + 1)}`)
}

function generated(supergraphSdl: string, count: number): readonly VerifyOperation[] {
  const graph = openVerifiedGraph(supergraphSdl)
  return sampleOperations(graph.apiSchema, { count }).map((operation) => ({
    ...operation,
    operationName: null,
  }))
}

describe('router verify', () => {
  it.each(sampled(['the classic four subgraphs', 'interface objects', 'provides', 'nested keys'], 2))(
    'reports every answer on %s that the engine got wrong',
    async (name) => {
      const supergraphSdl = supergraphOf(suiteNamed(name))
      const options = { supergraphSdl, labels: NO_LABELS, seed: 0 }
      const graph = openVerifiedGraph(options.supergraphSdl)
      const gateways: { right?: ReturnType<typeof engineGateway>; wrong?: ReturnType<typeof engineGateway> } =
        {}
      await using opened = await openSampleJudge(graph, options, (ask) => {
        gateways.right = engineGateway(graph, ask, NO_LABELS)
        gateways.wrong = engineGateway(
          graph,
          async (subgraph, question) => withOtherText(await ask(subgraph, question)),
          NO_LABELS,
        )
        return gateways.wrong
      })
      let mistakes = 0
      for (const operation of generated(supergraphSdl, 40)) {
        const [right, wrong] = [await gateways.right?.(operation), await gateways.wrong?.(operation)]
        if (right === undefined || wrong === undefined) throw new Error('No engine was opened')
        if (compareOpinions(right.opinion, wrong.opinion).kind === 'equal') continue
        mistakes++
        const verdict = await opened.judge(operation)
        expect(verdict.kind, operation.query).toBe('different')
      }
      expect(mistakes).toBeGreaterThan(10)
    },
  )

  const misread = [
    {
      what: 'inputs that are not fetched',
      suite: 'the classic four subgraphs',
      spoil: (sdl: string) => sdl.replaceAll(/, requires: "[^"]*"/g, ''),
    },
    {
      what: 'fields asked of a subgraph that does not answer them',
      suite: 'provides',
      spoil: (sdl: string) => sdl.replaceAll(', external: true', ''),
    },
    {
      what: 'fields asked of the subgraph that lost them',
      suite: 'override',
      spoil: (sdl: string) => sdl.replaceAll(/graph: \w+, override: "old"/g, 'graph: OLD'),
    },
    {
      what: 'entities found by a key that is not theirs',
      suite: 'nested keys',
      spoil: (sdl: string) => sdl.replaceAll(/key: "([^"{]*) [^"]*\{[^"]*"/g, 'key: "$1"'),
    },
  ]
  it.each(sampled(misread, isLongRun() ? 1 : 2))('reports $what', async ({ suite, spoil }) => {
    const supergraphSdl = supergraphOf(suiteNamed(suite))
    const spoilt = spoil(supergraphSdl)
    expect(spoilt).not.toBe(supergraphSdl)
    const options = { supergraphSdl, labels: NO_LABELS, seed: 0 }
    const wrongGraph = openGraph(compileSupergraph(spoilt))
    const wrong = (ask: AskSubgraph) => engineGateway(wrongGraph, ask, NO_LABELS)
    await using opened = await openSampleJudge(openVerifiedGraph(options.supergraphSdl), options, wrong)
    const report = await verifyOperations({
      operations: generated(supergraphSdl, 60),
      judge: opened.judge,
      shrinkTrials: 100,
      signal: NEVER,
    })
    expect(report.different.length).toBeGreaterThan(0)
    const [first] = report.different
    expect(first?.verdict.oneServerAgreesWith).not.toBe('ours')
    // Taken apart: a user sees little more than the path to the fault.
    expect(first?.operation.query.length).toBeLessThan(160)
  })
})
