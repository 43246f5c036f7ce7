/** The figures of a rollout's step, in words. */
import type { RolloutFigures } from '@switchyard/contracts'
import { describeJudgement, percentText } from '@switchyard/guards'
import { printableLine } from '@switchyard/service-kit/printable'
import type { Detail } from '../output/details.ts'

export function figuresDetails(figures: RolloutFigures, now: number): readonly Detail[] {
  const { rollout, flag, step, inside, control, operations, judgement } = figures
  if (step === null)
    return [
      ['rollout', rollout],
      ['feature flag', flag],
      ['step', 'none: routers count while a ramp with guards or an emergency stop runs'],
    ]
  return [
    ['rollout', rollout],
    ['feature flag', flag],
    ['step', printStep(step, now)],
    ['routers', printRouters(figures.routers, step)],
    ['inside', printGroup(inside)],
    ['outside', printGroup(control)],
    ['errors by code', printCodes(inside.codes, control.codes)],
    ['errors by operation', operations.map(printOperation)],
    ['judgement', judgement === null ? '' : describeJudgement(judgement)],
  ]
}

type Step = NonNullable<RolloutFigures['step']>

function printStep({ step, steps, percent, state, endTime }: Step, now: number): string {
  const until =
    state === 'running' ? `, ${endTime > now ? 'ends' : 'ended'} ${new Date(endTime).toISOString()}` : ''
  return `${step + 1} of ${steps}, ${percent} percent (${state}${until})`
}

function printRouters({ living, silent, stopped }: RolloutFigures['routers'], { state }: Step): string {
  if (state !== 'running') return `${living} serve the graph`
  const names = (routers: readonly string[]): string => routers.map(printableLine).join(', ')
  return [
    `${living - silent.length} of ${living} have reported on the step`,
    ...(silent.length === 0 ? [] : [`these have not: ${names(silent)}`]),
    ...(stopped.length === 0
      ? []
      : [`these have stopped the rollout by their emergency stop: ${names(stopped)}`]),
  ].join('; ')
}

function printGroup({ requests, errors, latencyMs }: RolloutFigures['inside']): string {
  const quantiles = Object.entries(latencyMs).flatMap(([quantile, milliseconds]) =>
    milliseconds === null ? [] : [`${quantile} ${Number(milliseconds.toPrecision(3))} ms`],
  )
  return [`${requests} requests`, printErrors({ requests, errors }), ...quantiles].join(', ')
}

function printErrors({ requests, errors }: { readonly requests: number; readonly errors: number }): string {
  return requests === 0 ? `${errors} errors` : `${errors} errors (${percentText(errors / requests)})`
}

type Codes = RolloutFigures['inside']['codes']

function printCodes(inside: Codes, control: Codes): readonly string[] {
  const codes = [...new Set([...inside, ...control].map(({ code }) => code))]
  const of = (all: Codes, wanted: string): number => all.find(({ code }) => code === wanted)?.errors ?? 0
  return codes.map(
    (code) => `${printableLine(code)}: ${of(inside, code)} inside, ${of(control, code)} outside`,
  )
}

function printOperation({ name, inside, control }: RolloutFigures['operations'][number]): string {
  const part = ({ requests, errors }: typeof inside): string => `${errors} of ${requests}`
  return `${printableLine(name)}: ${part(inside)} inside, ${part(control)} outside`
}
