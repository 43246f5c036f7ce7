/**
 * The rollouts of a config that is served while a newer manifest is known, whose compositions are not built
 * yet.
 *
 * What the newer manifest takes from a request takes effect at once: a percentage that is lowered and a
 * rollout that is stopped must not wait for the build of a new base. What it gives to a request waits for its
 * own config, since it may belong to compositions that are not there yet. So a request gets a flag only if
 * both give it that flag, and base otherwise.
 */
import type { RolloutSource } from '@switchyard/contracts'
import type { RolloutDecision, RolloutExplanation, RolloutOutcome } from './decision.ts'
import { NO_ROLLOUT, type Rollouts, type ShadowQuestion } from './rollout-table.ts'

/**
 * Returns what is decided about a request. `served`: by the rollouts that are served; `newer`: by those of a
 * newer manifest. It is `served`, or that no rollout decides. A request outside of a percentage stays in the
 * control group only where the newer manifest has it in the same audience, so that both groups of a rollout
 * keep to one audience.
 */
export function withoutTakenBack(served: RolloutDecision, newer: RolloutDecision): RolloutDecision {
  switch (served.kind) {
    case 'none':
      return served
    case 'inside':
      return newer.kind === 'inside' && newer.flag === served.flag ? served : NO_ROLLOUT
    case 'control':
      return newer.kind !== 'none' && newer.rollout === served.rollout ? served : NO_ROLLOUT
    default:
      return served satisfies never
  }
}

/** Decides by the rollouts that are served, without what newer manifests take back. */
export class RolloutsTakenBack<Asking> implements Rollouts<Asking> {
  readonly #served: Rollouts<Asking>
  /** Null stands for a manifest without rollouts. */
  readonly #newer: readonly (Rollouts<Asking> | null)[]
  /** Properties that newer rollouts read are among them, since answers depend on these as well. */
  readonly sources: readonly RolloutSource[]

  constructor(served: Rollouts<Asking>, newer: readonly (Rollouts<Asking> | null)[]) {
    this.#served = served
    this.#newer = newer
    const all = [served, ...newer].flatMap((rollouts) => rollouts?.sources ?? [])
    this.sources = [...new Map(all.map((source) => [JSON.stringify(source), source])).values()]
  }

  get problems() {
    return this.#served.problems
  }

  get shadows() {
    return this.#served.shadows
  }

  decide(asking: Asking, now: number): RolloutDecision {
    let decision = this.#served.decide(asking, now)
    for (const newer of this.#newer) {
      if (decision.kind === 'none') break
      decision = withoutTakenBack(decision, newer?.decide(asking, now) ?? NO_ROLLOUT)
    }
    return decision
  }

  explain(asking: Asking, now: number): RolloutExplanation {
    const served = this.#served.explain(asking, now)
    const decision = this.decide(asking, now)
    if (decision.kind === served.decision.kind) return served
    const outcome: RolloutOutcome = 'taken-back'
    const last = served.rollouts.length - 1
    const rollouts = served.rollouts.map((one, at) => (at === last ? { ...one, outcome } : one))
    return { decision, rollouts }
  }

  shadowOf(asking: Asking, question: ShadowQuestion) {
    // All of them throw the same dice.
    const thrown = question.random()
    const asked = { ...question, random: () => thrown }
    const served = this.#served.shadowOf(asking, asked)
    const stays = this.#newer.every((newer) => newer?.shadowOf(asking, asked)?.flag === served?.flag)
    return stays ? served : null
  }

  shadowFlags(now: number): readonly string[] {
    return this.#served.shadowFlags(now)
  }

  activeFlags(now: number): readonly string[] {
    return this.#served.activeFlags(now)
  }

  isPersonal(now: number): boolean {
    return [this.#served, ...this.#newer].some((rollouts) => rollouts?.isPersonal(now) === true)
  }

  stop(rollout: string): void {
    this.#served.stop(rollout)
  }
}
