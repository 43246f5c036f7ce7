/**
 * Reports the figures of guarded rollouts: every two seconds with jitter, at once when the router stopped a
 * rollout, and a last time when the router stops. A lost report does no harm, since each has all totals.
 */
import type { GraphKey } from '@switchyard/config-store'
import { routerFiguresSubject } from '@switchyard/contracts'
import type { RouterFigures } from '@switchyard/guards/counting'
import type { FleetKey } from '@switchyard/service-kit'
import type { StepReports } from './step-report.ts'

/** Milliseconds between two reports, on average. */
export const REPORT_INTERVAL_MS = 2000
/** The part of the interval by which one is longer or shorter: routers that start together drift apart. */
const JITTER = 0.25

/** The contents of reports, and the parts that send them. */
export type FiguresReportsOptions = {
  readonly announcer: { announce(subject: string, message: object): void }
  readonly fleetKey: FleetKey
  readonly instance: string
  /** As in heartbeats. */
  readonly boot: string
  /** Returns the graph that is followed; null if it is not known yet. */
  readonly graph: () => GraphKey | null
  /** Returns the totals; null while no guarded rollout runs. */
  readonly reports: () => StepReports | null
  /** Uniform in [0, 1). */
  readonly random?: () => number
}

type ReportingParts = Pick<FiguresReportsOptions, 'instance' | 'reports'> & {
  readonly announcer: FiguresReportsOptions['announcer'] | null
  readonly fleetKey: FleetKey | null
  /** The heartbeats of the router; null if it sends none. */
  readonly heartbeat: { readonly boot: string } | null
  readonly follower: () => { readonly graph: GraphKey | null }
}

/** Null without a fleet key or heartbeats: nobody would believe the figures, or hear them. */
export function openFigures(parts: ReportingParts): FiguresReports | null {
  const { announcer, fleetKey, heartbeat, follower, instance, reports } = parts
  if (announcer === null || fleetKey === null || heartbeat === null) return null
  const graph = () => follower().graph
  return new FiguresReports({ announcer, fleetKey, instance, reports, boot: heartbeat.boot, graph })
}

/** Sends reports until it is disposed. */
export class FiguresReports implements Disposable {
  readonly #options: FiguresReportsOptions
  readonly #sign: (subject: string, message: object) => object
  #timer: NodeJS.Timeout

  constructor(options: FiguresReportsOptions) {
    this.#options = options
    this.#sign = options.fleetKey.signer()
    this.#timer = this.#next()
  }

  /** Sends one report for each guarded rollout. */
  send(): void {
    const { announcer, instance, boot } = this.#options
    const graph = this.#options.graph()
    const reports = this.#options.reports()
    if (graph === null || reports === null) return
    const subject = routerFiguresSubject(graph, instance)
    for (const { rollout, step, figures, stopped } of reports.steps) {
      const message: Omit<RouterFigures, 'beat'> = {
        instance,
        boot,
        namespace: graph.namespace,
        graph: graph.graph,
        rollout,
        step,
        epoch: reports.version.epoch,
        revision: reports.version.revision,
        figures,
        ...(stopped === null ? {} : { stopped }),
      }
      announcer.announce(subject, this.#sign(subject, message))
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.send()
  }

  #next(): NodeJS.Timeout {
    const { random = Math.random } = this.#options
    const delay = REPORT_INTERVAL_MS * (1 - JITTER + 2 * JITTER * random())
    return setTimeout(() => {
      this.#timer = this.#next()
      this.send()
    }, delay).unref()
  }
}
