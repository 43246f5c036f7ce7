/**
 * The product's rules told a second time, as plainly as they can be written: maps, loops, one sentence after
 * the other, and nothing of `src` but the shape of a command. Slow and obvious on purpose: it is what `src`
 * is measured by.
 */
import type { RampPlan } from '@switchyard/contracts'
import type { Command } from '../../src/index.ts'

export type Verdict = 'accepted' | 'unchanged' | RefusalCode
type RefusalCode =
  | 'ALREADY_EXISTS'
  | 'BASE_SUBGRAPH_NOT_FOUND'
  | 'DESIRED_STATE_INVALID'
  | 'FEATURE_FLAG_INVALID'
  | 'FEATURE_SUBGRAPH_EXPECTED'
  | 'INVALID_REQUEST'
  | 'LIMIT_EXCEEDED'
  | 'NAMESPACE_PROTECTED'
  | 'NOT_FOUND'
  | 'RAMP_MOVED_ON'
  | 'PREVIEW_INVALID'
  | 'ROLLOUT_INVALID'
  | 'UNDO_NOT_POSSIBLE'
export type Answer = {
  readonly verdict: Verdict
  /** Graphs for which something is composed again, sorted. */
  readonly affected: readonly string[]
  /** How many faults a refused flag has. */
  readonly faults: number
}

type Manifest = { text: string; bytes: number; documents: number; clients: Set<string> | null }
type Graph = {
  matchers: Set<string>
  pin: number | null
  allowsUnenforced: boolean
  publicUrl: string | null
  manifests: Map<string, Manifest>
}
type Subgraph = {
  base: string | null
  url: string
  labels: Set<string>
  schema: string | null
  bytes: number
}
export type Content = { schema: string | null; bytes: number; url: string }
/** What a subgraph had before a promotion, and got by it. */
export type Promoted = { subgraph: string; member: string; before: Content; after: Content }
type Flag = { labels: Set<string>; members: Set<string>; enabled: boolean; launched: Promoted[] | null }
type Rollout = {
  graph: string
  flag: string
  salt: string
  mode: string
  where: string
  percent: number
  key: string
  expires: string | null
  shadow: string
  status: string
  ramp: Ramp | null
}
type Ramp = { plan: RampPlan; step: number; state: string; begun: number; attempt: number }

type PreviewSubgraph = { base: string; routingUrl: string; schema: string; bytes: number }
type Preview = { flag: string; subgraphs: Map<string, PreviewSubgraph>; expires: number }

export class Model {
  readonly namespace: string
  exists: boolean
  graphs = new Map<string, Graph>()
  subgraphs = new Map<string, Subgraph>()
  flags = new Map<string, Flag>()
  /** In the order in which requests try those of a graph. */
  rollouts = new Map<string, Rollout>()
  previews = new Map<string, Preview>()
  previewHosts = new Set<string>()

  constructor(namespace: string) {
    this.namespace = namespace
    this.exists = namespace === 'default'
  }

  /** Changes the model when the command is accepted. */
  execute(command: Command): Answer {
    const before = this.#copy()
    const verdict = this.#judge(command)
    if (typeof verdict !== 'object') return { verdict, affected: [], faults: 0 }
    if ('faults' in verdict) return { verdict: verdict.code, affected: [], faults: verdict.faults }
    const touched = touchedBy(command, before, this)
    return { verdict: 'accepted', affected: affectedGraphs(before, this, touched), faults: 0 }
  }

  #judge(command: Command): Verdict | { accepted: true } | { code: RefusalCode; faults: number } {
    if (command.type === 'create-namespace') {
      if (this.exists) return 'ALREADY_EXISTS'
      this.exists = true
      return { accepted: true }
    }
    if (!this.exists) return 'NOT_FOUND'
    switch (command.type) {
      case 'delete-namespace':
        if (this.namespace === 'default') return 'NAMESPACE_PROTECTED'
        this.exists = false
        this.graphs.clear()
        this.subgraphs.clear()
        this.flags.clear()
        this.rollouts.clear()
        this.previews.clear()
        this.previewHosts.clear()
        return { accepted: true }
      case 'create-federated-graph':
        if (this.graphs.has(command.name)) return 'ALREADY_EXISTS'
        this.graphs.set(command.name, {
          matchers: groupsOf(command.labelMatchers),
          pin: null,
          allowsUnenforced: command.allowUnenforcedAuthorization === true,
          publicUrl: command.publicUrl ?? null,
          manifests: new Map(),
        })
        return { accepted: true }
      case 'update-federated-graph': {
        const graph = this.graphs.get(command.name)
        if (graph === undefined) return 'NOT_FOUND'
        const matchers =
          command.labelMatchers === undefined ? graph.matchers : groupsOf(command.labelMatchers)
        const allows = command.allowUnenforcedAuthorization ?? graph.allowsUnenforced
        const publicUrl = command.publicUrl === undefined ? graph.publicUrl : command.publicUrl
        const isAllowedSame = graph.allowsUnenforced === allows
        if (same(graph.matchers, [...matchers]) && isAllowedSame && graph.publicUrl === publicUrl)
          return 'unchanged'
        graph.matchers = matchers
        graph.allowsUnenforced = allows
        graph.publicUrl = publicUrl
        return { accepted: true }
      }
      case 'delete-federated-graph':
        for (const [name, { graph }] of this.rollouts) if (graph === command.name) this.rollouts.delete(name)
        return this.graphs.delete(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'pin-federated-graph':
      case 'unpin-federated-graph': {
        const graph = this.graphs.get(command.name)
        if (graph === undefined) return 'NOT_FOUND'
        const pin = command.type === 'pin-federated-graph' ? command.revision : null
        if (graph.pin === pin) return 'unchanged'
        graph.pin = pin
        return { accepted: true }
      }
      case 'republish-federated-graph':
        return this.graphs.has(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'publish-documents': {
        const manifests = this.graphs.get(command.graph)?.manifests
        if (manifests === undefined) return 'NOT_FOUND'
        const { manifest: text, bytes, documents } = command
        const clients = command.clients === null ? null : new Set(command.clients)
        const before = manifests.get(command.name)
        if (before === undefined && manifests.size === 50) return 'LIMIT_EXCEEDED'
        const isForTheSame =
          before?.clients === null || clients === null
            ? before?.clients === clients
            : same(before?.clients ?? new Set(), [...clients])
        if (before?.text === text && isForTheSame) return 'unchanged'
        manifests.set(command.name, { text, bytes, documents, clients })
        return { accepted: true }
      }
      case 'delete-documents':
        return this.graphs.get(command.graph)?.manifests.delete(command.name) === true
          ? { accepted: true }
          : 'NOT_FOUND'
      case 'create-subgraph':
        if (this.subgraphs.has(command.name)) return 'ALREADY_EXISTS'
        this.subgraphs.set(command.name, subgraphOf(command.routingUrl, null, command.labels))
        return { accepted: true }
      case 'create-feature-subgraph':
        return this.#createFeatureSubgraph(command.name, command.routingUrl, command.base)
      case 'publish-schema':
        return this.#publish(command)
      case 'update-subgraph': {
        const subgraph = this.subgraphs.get(command.name)
        if (subgraph === undefined) return 'NOT_FOUND'
        if (subgraph.base !== null && (command.labels?.length ?? 0) > 0) return 'INVALID_REQUEST'
        const url = command.routingUrl ?? subgraph.url
        const labels = command.labels ?? [...subgraph.labels]
        if (url === subgraph.url && same(subgraph.labels, labels)) return 'unchanged'
        subgraph.url = url
        subgraph.labels = new Set(labels)
        return { accepted: true }
      }
      case 'delete-subgraph':
        if (!this.subgraphs.has(command.name)) return 'NOT_FOUND'
        for (const [name, { base }] of this.subgraphs) {
          if (name !== command.name && base !== command.name) continue
          this.subgraphs.delete(name)
          for (const flag of this.flags.values()) flag.members.delete(name)
        }
        return { accepted: true }
      case 'create-feature-flag': {
        const taken = this.flags.has(command.name)
        const faults = this.#faultsOf(command.featureSubgraphs)
        if (taken && faults === 0) return 'ALREADY_EXISTS'
        if (faults > 0) return { code: 'FEATURE_FLAG_INVALID', faults: faults + (taken ? 1 : 0) }
        this.flags.set(command.name, {
          labels: new Set(command.labels),
          members: new Set(command.featureSubgraphs),
          enabled: command.enabled,
          launched: null,
        })
        return { accepted: true }
      }
      case 'update-feature-flag': {
        const flag = this.flags.get(command.name)
        if (flag === undefined) return 'NOT_FOUND'
        const faults = command.featureSubgraphs === undefined ? 0 : this.#faultsOf(command.featureSubgraphs)
        if (faults > 0) return { code: 'FEATURE_FLAG_INVALID', faults }
        const labels = command.labels ?? [...flag.labels]
        const members = command.featureSubgraphs ?? [...flag.members]
        if (same(flag.labels, labels) && same(flag.members, members)) return 'unchanged'
        flag.labels = new Set(labels)
        flag.members = new Set(members)
        return { accepted: true }
      }
      case 'delete-feature-flag':
        for (const [name, { flag }] of this.rollouts) if (flag === command.name) this.rollouts.delete(name)
        return this.flags.delete(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'enable-feature-flag':
      case 'disable-feature-flag': {
        const flag = this.flags.get(command.name)
        if (flag === undefined) return 'NOT_FOUND'
        const enabled = command.type === 'enable-feature-flag'
        if (flag.enabled === enabled) return 'unchanged'
        flag.enabled = enabled
        return { accepted: true }
      }
      case 'promote-feature-flag': {
        const flag = this.flags.get(command.name)
        if (flag === undefined) return 'NOT_FOUND'
        if (this.isLaunched(command.name)) return 'unchanged'
        const members = [...flag.members].sort()
        const bases = members.map((name) => this.subgraphs.get(name)?.base ?? '')
        const faults =
          (flag.enabled ? 0 : 1) +
          (members.length === 0 ? 1 : 0) +
          members.filter((name, at) => {
            const isPublished = this.subgraphs.get(name)?.schema !== null
            return !isPublished || this.subgraphs.get(bases[at] ?? '')?.schema === null
          }).length
        if (faults > 0) return { code: 'FEATURE_FLAG_INVALID', faults }
        flag.launched = members.map((member, at) => {
          const subgraph = bases[at] ?? ''
          const promoted = { before: this.#content(subgraph), after: this.#content(member) }
          this.#setContent(subgraph, promoted.after)
          return { subgraph, member, ...promoted }
        })
        return { accepted: true }
      }
      case 'undo-promotion': {
        const flag = this.flags.get(command.name)
        if (flag === undefined) return 'NOT_FOUND'
        if (flag.launched === null) return 'unchanged'
        const overtaken = flag.launched.filter(
          ({ subgraph, after }) => this.subgraphs.get(subgraph)?.base !== null || !this.#has(subgraph, after),
        )
        if (overtaken.length > 0) return { code: 'UNDO_NOT_POSSIBLE', faults: overtaken.length }
        for (const { subgraph, before } of flag.launched) this.#setContent(subgraph, before)
        flag.launched = null
        return { accepted: true }
      }
      case 'create-rollout': {
        const { name, graph, flag, salt, freshSalt, before } = command
        if (this.rollouts.has(name)) return 'ALREADY_EXISTS'
        if (!this.graphs.has(graph) || !this.flags.has(flag)) return 'NOT_FOUND'
        const rollout = {
          graph,
          flag,
          salt: salt ?? `${name}-${freshSalt}`,
          mode: command.mode ?? 'serve',
          where: JSON.stringify(command.where ?? []),
          percent: command.percent ?? 0,
          key: JSON.stringify(command.key ?? []),
          expires: command.expires ?? null,
          shadow: JSON.stringify(command.shadow ?? null),
          status: 'active',
          ramp: null,
        }
        const faults = this.#rolloutFaults(name, rollout, before ?? null)
        if (faults > 0) return { code: 'ROLLOUT_INVALID', faults }
        this.rollouts.set(name, rollout)
        this.#moveRollout(name, before ?? null)
        return { accepted: true }
      }
      case 'update-rollout': {
        const rollout = this.rollouts.get(command.name)
        if (rollout === undefined) return 'NOT_FOUND'
        const { where, key, percent, mode, expires, shadow, before } = command
        const next = {
          ...rollout,
          mode: mode ?? rollout.mode,
          where: where === undefined ? rollout.where : JSON.stringify(where),
          percent: percent ?? rollout.percent,
          key: key === undefined ? rollout.key : JSON.stringify(key),
          expires: expires === undefined ? rollout.expires : expires,
          shadow: shadow === undefined ? rollout.shadow : JSON.stringify(shadow),
        }
        if (next.percent !== rollout.percent && rollout.status !== 'active') {
          return { code: 'ROLLOUT_INVALID', faults: 0 }
        }
        const touched = ['mode', 'where', 'percent', 'key'] as const
        if (
          rollout.status === 'active' &&
          rollout.ramp?.state === 'running' &&
          touched.some((member) => next[member] !== rollout[member])
        ) {
          return { code: 'ROLLOUT_INVALID', faults: 0 }
        }
        if (touched.some((member) => next[member] !== rollout[member])) next.ramp = null
        const stays = before === undefined || before === this.#rolloutAfter(command.name)
        if (stays && JSON.stringify(next) === JSON.stringify(rollout)) return 'unchanged'
        const faults = this.#rolloutFaults(command.name, next, stays ? null : before)
        if (faults > 0) return { code: 'ROLLOUT_INVALID', faults }
        this.rollouts.set(command.name, next)
        if (!stays) this.#moveRollout(command.name, before)
        return { accepted: true }
      }
      case 'abort-rollout':
      case 'resume-rollout':
      case 'complete-rollout': {
        const rollout = this.rollouts.get(command.name)
        if (rollout === undefined) return 'NOT_FOUND'
        const status = { abort: 'aborted', resume: 'active', complete: 'completed' }[
          command.type.split('-')[0] as 'abort' | 'resume' | 'complete'
        ]
        const { ramp } = rollout
        const goesOn = command.type === 'resume-rollout' && ramp?.state === 'paused'
        if (rollout.status === status && !goesOn) return 'unchanged'
        if ('since' in command && this.#isLate(rollout, command.since)) return 'RAMP_MOVED_ON'
        rollout.status = status
        if (ramp !== null && goesOn) {
          rollout.ramp = { ...ramp, state: 'running', begun: ramp.begun + 1, attempt: ramp.attempt + 1 }
        } else if (ramp !== null && status === 'aborted' && ramp.state === 'running') {
          rollout.ramp = { ...ramp, state: 'paused' }
        } else if (ramp !== null && status === 'completed') rollout.ramp = { ...ramp, state: 'ended' }
        return { accepted: true }
      }
      case 'ramp-rollout': {
        const { name, plan } = command
        const rollout = this.rollouts.get(name)
        if (rollout === undefined) return 'NOT_FOUND'
        const { ramp, status } = rollout
        const isOn = ramp?.state === 'running' && status === 'active'
        if (isOn && JSON.stringify(ramp.plan) === JSON.stringify(plan)) return 'unchanged'
        // Nothing else is worth telling of a rollout that has no ramp in any case.
        if (rollout.mode === 'shadow') return { code: 'ROLLOUT_INVALID', faults: 1 }
        let faults = 0
        if (status !== 'active') faults += 1
        if (rollout.key === '[]') faults += 1
        if (rollout.key.includes('header:') && plan.forgeableKey !== true) faults += 1
        if (plan.guards !== undefined && plan.steps.some((percent) => percent > 95 && percent < 100))
          faults += 1
        if (faults > 0) return { code: 'ROLLOUT_INVALID', faults }
        rollout.percent = plan.steps[0] as number
        rollout.ramp = { plan, step: 0, state: 'running', begun: 1, attempt: 1 }
        return { accepted: true }
      }
      case 'advance-rollout':
      case 'pause-rollout':
      case 'end-ramp-of-rollout': {
        const rollout = this.rollouts.get(command.name)
        if (rollout === undefined) return 'NOT_FOUND'
        const { ramp } = rollout
        if (ramp?.state === 'paused' && command.type === 'pause-rollout') return 'unchanged'
        if (ramp?.state !== 'running' || this.#isLate(rollout, command.since)) return 'RAMP_MOVED_ON'
        const isLast = ramp.step === ramp.plan.steps.length - 1
        if (command.type === 'pause-rollout') rollout.ramp = { ...ramp, state: 'paused' }
        else if (isLast !== (command.type === 'end-ramp-of-rollout')) return 'RAMP_MOVED_ON'
        else if (isLast) rollout.ramp = { ...ramp, state: 'ended' }
        else {
          const step = ramp.step + 1
          rollout.percent = ramp.plan.steps[step] as number
          rollout.ramp = { ...ramp, step, begun: ramp.begun + 1, attempt: 1 }
        }
        return { accepted: true }
      }
      case 'delete-rollout':
        return this.rollouts.delete(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'set-preview-hosts':
        if (same(this.previewHosts, command.hosts)) return 'unchanged'
        this.previewHosts = new Set(command.hosts)
        for (const [name, { subgraphs }] of this.previews) {
          if ([...subgraphs.values()].some(({ routingUrl }) => !this.#allows(routingUrl)))
            this.previews.delete(name)
        }
        return { accepted: true }
      case 'create-preview': {
        const { name, now, ttlSeconds, freshSalt } = command
        const known = this.previews.get(name)
        if (known !== undefined && known.expires > now) {
          return command.orUpdate ? this.#updatePreview(command) : 'ALREADY_EXISTS'
        }
        const subgraphs = new Map(command.subgraphs.map((subgraph) => [subgraph.base, subgraph]))
        const preview = { flag: `${name}-${freshSalt}`, subgraphs, expires: now + ttlSeconds * 1000 }
        return this.#keepPreview(name, preview, repetitions(command.subgraphs))
      }
      case 'update-preview':
        return this.#updatePreview(command)
      case 'delete-preview':
        return this.previews.delete(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'expire-preview': {
        const found = [...this.previews].find(([, { flag }]) => flag === command.flag)
        if (found === undefined || found[1].expires > command.now) return 'unchanged'
        this.previews.delete(found[0])
        return { accepted: true }
      }
      case 'apply':
        return this.#apply(command)
      default:
        throw new Error(`no such command: ${JSON.stringify(command satisfies never)}`)
    }
  }

  /** Each part as the command it stands for, on a copy: with one fault nothing of it is kept. */
  #apply(
    desired: Command & { type: 'apply' },
  ): Verdict | { accepted: true } | { code: RefusalCode; faults: number } {
    const { graphs, subgraphs, featureSubgraphs, featureFlags, rollouts } = desired
    const trial = this.#copy()
    let faults = 0
    let changed = false
    const attempt = (command: Command): boolean => {
      const verdict = trial.#judge(command)
      if (verdict === 'unchanged') return true
      if (typeof verdict === 'object' && 'accepted' in verdict) changed = true
      else faults += typeof verdict === 'object' ? verdict.faults : 1
      return typeof verdict === 'object' && 'accepted' in verdict
    }
    /** The first of each name. */
    const distinct = <Item extends { name: string }>(
      items: readonly Item[],
      taken: readonly string[] = [],
    ) => {
      const seen = new Set(taken)
      const first: Item[] = []
      for (const item of items) {
        if (seen.has(item.name)) faults += 1
        else first.push(item)
        seen.add(item.name)
      }
      return first
    }
    if (desired.prune) {
      const named = (items: readonly { name: string }[]) => new Set(items.map(({ name }) => name))
      for (const name of rollouts === undefined ? [] : [...trial.rollouts.keys()]) {
        if (!named(rollouts ?? []).has(name)) attempt({ type: 'delete-rollout', name })
      }
      for (const name of trial.flags.keys()) {
        if (!named(featureFlags).has(name)) attempt({ type: 'delete-feature-flag', name })
      }
      const kept = named([...subgraphs, ...featureSubgraphs])
      for (const name of trial.subgraphs.keys()) {
        // With a subgraph go those that replace it.
        if (!kept.has(name) && trial.subgraphs.has(name)) attempt({ type: 'delete-subgraph', name })
      }
      for (const name of trial.graphs.keys()) {
        if (!named(graphs).has(name)) attempt({ type: 'delete-federated-graph', name })
      }
    }
    for (const { name, ...rest } of distinct(graphs)) {
      if (trial.graphs.has(name)) attempt({ type: 'update-federated-graph', name, ...rest })
      else attempt({ type: 'create-federated-graph', name, ...rest, labelMatchers: rest.labelMatchers ?? [] })
    }
    const broken = new Set<string>()
    for (const { name, routingUrl, labels, schema } of distinct(subgraphs)) {
      const known = trial.subgraphs.get(name)
      let good = true
      if (known === undefined && routingUrl !== undefined) {
        good = attempt({ type: 'create-subgraph', name, routingUrl, labels: labels ?? [] })
      } else if (known?.base === null) {
        if (routingUrl !== undefined) good = attempt({ type: 'update-subgraph', name, routingUrl })
        if (labels !== undefined) good = attempt({ type: 'update-subgraph', name, labels }) && good
      } else {
        faults += 1
        good = false
      }
      if (good && schema !== undefined) {
        good = attempt({ type: 'publish-schema', name, schema: schema.sha256, bytes: schema.bytes })
      }
      if (!good) broken.add(name)
    }
    const takenNames = subgraphs.map(({ name }) => name)
    for (const { name, base, routingUrl, schema } of distinct(featureSubgraphs, takenNames)) {
      if (base !== undefined && broken.has(base)) {
        broken.add(name)
        continue
      }
      const known = trial.subgraphs.get(name)
      let good = true
      if (known === undefined && base !== undefined && routingUrl !== undefined) {
        good = attempt({ type: 'create-feature-subgraph', name, base, routingUrl })
      } else if (known !== undefined && known.base !== null && (base ?? known.base) === known.base) {
        if (routingUrl !== undefined) good = attempt({ type: 'update-subgraph', name, routingUrl })
      } else {
        faults += 1
        good = false
      }
      if (good && schema !== undefined) {
        good = attempt({ type: 'publish-schema', name, schema: schema.sha256, bytes: schema.bytes })
      }
      if (!good) broken.add(name)
    }
    for (const { name, labels, featureSubgraphs: members, enabled } of distinct(featureFlags)) {
      if (members?.some((member) => broken.has(member)) === true) continue
      if (!trial.flags.has(name)) {
        if (members === undefined) faults += 1
        else {
          const created = { name, labels: labels ?? [], featureSubgraphs: members, enabled: enabled ?? true }
          attempt({ type: 'create-feature-flag', ...created })
        }
        continue
      }
      const update = {
        ...(labels === undefined ? {} : { labels }),
        ...(members === undefined ? {} : { featureSubgraphs: members }),
      }
      const good = attempt({ type: 'update-feature-flag', name, ...update })
      if (good && enabled !== undefined) {
        attempt({ type: enabled ? 'enable-feature-flag' : 'disable-feature-flag', name })
      }
    }
    const listed = distinct(rollouts ?? [])
    for (const { name, graph, flag, salt, ...rest } of listed) {
      const known = trial.rollouts.get(name)
      if (known !== undefined) {
        for (const [is, wanted] of [
          [known.graph, graph],
          [known.flag, flag],
          [known.salt, salt],
        ]) {
          if (wanted !== undefined && wanted !== is) faults += 1
        }
        const update = { type: 'update-rollout', name, ...rest } as const
        const rightly = rest.percent === undefined || rest.percent === known.percent
        // The refusal of a percentage that has no effect is one sentence.
        if (known.status !== 'active' && !rightly) faults += 1
        else attempt(update)
      } else if (graph === undefined || flag === undefined) faults += 1
      else {
        attempt({
          type: 'create-rollout',
          name,
          graph,
          flag,
          salt,
          freshSalt: desired.freshSalt ?? '',
          ...rest,
        })
      }
    }
    const order = [...trial.rollouts.keys()]
    const first = listed.map(({ name }) => name).filter((name) => trial.rollouts.has(name))
    const reordered = [...first, ...order.filter((name) => !first.includes(name))]
    const inGraphs = (names: string[]) => {
      const byGraph: Record<string, string[]> = Object.create(null)
      for (const name of names) (byGraph[trial.rollouts.get(name)?.graph ?? ''] ??= []).push(name)
      return JSON.stringify(Object.entries(byGraph).sort())
    }
    if (inGraphs(order) !== inGraphs(reordered)) changed = true
    trial.rollouts = new Map(reordered.map((name) => [name, trial.rollouts.get(name) as Rollout]))
    if (faults > 0) return { code: 'DESIRED_STATE_INVALID', faults }
    if (!changed) return 'unchanged'
    this.graphs = trial.graphs
    this.subgraphs = trial.subgraphs
    this.flags = trial.flags
    this.rollouts = trial.rollouts
    return { accepted: true }
  }

  #content(name: string): Content {
    const { schema, bytes, url } = this.subgraphs.get(name) as Subgraph
    return { schema, bytes, url }
  }

  #has(name: string, { schema, url }: Content): boolean {
    const subgraph = this.subgraphs.get(name)
    return subgraph?.schema === schema && subgraph?.url === url
  }

  #setContent(name: string, { schema, bytes, url }: Content): void {
    const subgraph = this.subgraphs.get(name) as Subgraph
    subgraph.url = url
    if (subgraph.schema === schema) return
    subgraph.schema = schema
    subgraph.bytes = bytes
  }

  /** Promoted, and the feature subgraphs are those that were promoted, as they were. */
  isLaunched(name: string): boolean {
    const flag = this.flags.get(name)
    if (flag === undefined || flag.launched === null) return false
    const { launched, members } = flag
    if (
      !same(
        members,
        launched.map(({ member }) => member),
      )
    )
      return false
    return launched.every(
      ({ member, subgraph, after }) =>
        this.subgraphs.get(member)?.base === subgraph && this.#has(member, after),
    )
  }

  #createFeatureSubgraph(name: string, url: string, base: string): Verdict | { accepted: true } {
    const replaced = this.subgraphs.get(base)
    if (replaced === undefined || replaced.base !== null) return 'BASE_SUBGRAPH_NOT_FOUND'
    if (this.subgraphs.has(name)) return 'ALREADY_EXISTS'
    this.subgraphs.set(name, subgraphOf(url, base, []))
    return { accepted: true }
  }

  #publish(command: Command & { type: 'publish-schema' }): Verdict | { accepted: true } {
    const { name, base } = command
    const labels = command.labels ?? []
    if (!this.subgraphs.has(name)) {
      if (command.routingUrl === undefined) return 'NOT_FOUND'
      if (base === undefined) this.subgraphs.set(name, subgraphOf(command.routingUrl, null, labels))
      else {
        if (labels.length > 0) return 'INVALID_REQUEST'
        const created = this.#createFeatureSubgraph(name, command.routingUrl, base)
        if (typeof created === 'string') return created
      }
    }
    const subgraph = this.subgraphs.get(name) as Subgraph
    if (subgraph.base !== null && labels.length > 0) return 'INVALID_REQUEST'
    if (base !== undefined && base !== subgraph.base) return 'FEATURE_SUBGRAPH_EXPECTED'
    if (subgraph.schema === command.schema) return 'unchanged'
    subgraph.schema = command.schema
    subgraph.bytes = command.bytes
    return { accepted: true }
  }

  #updatePreview({
    name,
    now,
    ttlSeconds,
    subgraphs = [],
    without = [],
  }: {
    name: string
    now: number
    ttlSeconds?: number | undefined
    subgraphs?: readonly PreviewSubgraph[] | undefined
    without?: readonly string[] | undefined
  }): Verdict | { accepted: true } | { code: RefusalCode; faults: number } {
    const known = this.previews.get(name)
    if (known === undefined || known.expires <= now) return 'NOT_FOUND'
    const next = new Map(known.subgraphs)
    for (const base of without) next.delete(base)
    for (const subgraph of subgraphs) next.set(subgraph.base, subgraph)
    const strangers = without.filter((base) => !known.subgraphs.has(base))
    const faults = repetitions(subgraphs) + strangers.length + (next.size === 0 ? 1 : 0)
    const text = (map: Map<string, PreviewSubgraph>) => JSON.stringify([...map.values()].sort(byText))
    const expires = ttlSeconds === undefined ? known.expires : now + ttlSeconds * 1000
    if (faults === 0 && expires === known.expires && text(next) === text(known.subgraphs)) return 'unchanged'
    return this.#keepPreview(name, { ...known, subgraphs: next, expires }, faults)
  }

  #keepPreview(
    name: string,
    preview: Preview,
    faults: number,
  ): { accepted: true } | { code: RefusalCode; faults: number } {
    const all = faults > 0 ? faults : this.#previewFaults(preview)
    if (all > 0) return { code: 'PREVIEW_INVALID', faults: all }
    this.previews.set(name, preview)
    return { accepted: true }
  }

  /** As few as there are in these runs never reach the limit of a graph. */
  #previewFaults({ subgraphs }: Preview): number {
    const all = [...subgraphs.values()]
    const elsewhere = all.filter(({ routingUrl }) => !this.#allows(routingUrl)).length
    const hosts = this.previewHosts.size === 0 ? 1 : elsewhere
    const strangers = all.filter(({ base }) => this.subgraphs.get(base)?.base !== null).length
    if (strangers > 0) return hosts + strangers
    const graphs = [...this.graphs.keys()].filter((graph) =>
      all.every(({ base }) => this.contains(graph, base)),
    )
    return hosts + (graphs.length === 0 ? 1 : 0)
  }

  #allows(routingUrl: string): boolean {
    const host = /^http:\/\/([^:/]*|\[.*\])/.exec(routingUrl)?.[1] ?? ''
    return [...this.previewHosts].some((allowed) =>
      allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
    )
  }

  #faultsOf(members: readonly string[]): number {
    if (members.length === 0) return 1
    const names = new Set(members)
    const strangers = [...names].filter((name) => (this.subgraphs.get(name)?.base ?? null) === null)
    const repeated = [...names].filter((name) => members.indexOf(name) !== members.lastIndexOf(name))
    const bases = [...names].flatMap((name) => this.subgraphs.get(name)?.base ?? [])
    const contested = new Set(bases.filter((base, at) => bases.indexOf(base) !== at))
    return strangers.length + repeated.length + contested.size
  }

  #copy(): Model {
    const copy = new Model(this.namespace)
    for (const [name, graph] of this.graphs)
      copy.graphs.set(name, { ...graph, manifests: new Map(graph.manifests) })
    copy.exists = this.exists
    for (const [name, subgraph] of this.subgraphs) copy.subgraphs.set(name, { ...subgraph })
    for (const [name, flag] of this.flags) copy.flags.set(name, { ...flag, members: new Set(flag.members) })
    for (const [name, rollout] of this.rollouts) copy.rollouts.set(name, { ...rollout })
    for (const [name, preview] of this.previews)
      copy.previews.set(name, { ...preview, subgraphs: new Map(preview.subgraphs) })
    copy.previewHosts = new Set(this.previewHosts)
    return copy
  }

  /** Sequences are the registry's; commands of the model name 0, which is none of them, or nothing. */
  #isLate({ ramp }: Rollout, since: number | undefined): boolean {
    return since !== undefined && (ramp?.state !== 'running' || since === 0)
  }

  /** The rollout of the same graph that requests try right after this one; null for the last one. */
  #rolloutAfter(name: string): string | null {
    const graph = this.rollouts.get(name)?.graph
    const names = [...this.rollouts].filter(([, rollout]) => rollout.graph === graph).map(([one]) => one)
    return names[names.indexOf(name) + 1] ?? null
  }

  #moveRollout(name: string, before: string | null): void {
    const others = [...this.rollouts].filter(([one]) => one !== name)
    const at = others.findIndex(([one]) => one === before)
    others.splice(at < 0 ? others.length : at, 0, [name, this.rollouts.get(name) as Rollout])
    this.rollouts = new Map(others)
  }

  #rolloutFaults(name: string, { graph, flag, mode, key, percent }: Rollout, before: string | null): number {
    let faults = 0
    // Labels may change later, and then the rollout selects nobody.
    const [ownGraph, ownFlag] = this.rollouts.has(name) ? [] : [this.graphs.get(graph), this.flags.get(flag)]
    if (ownGraph !== undefined && ownFlag !== undefined && !matches(ownGraph.matchers, ownFlag.labels)) {
      faults += 1
    }
    if (mode === 'serve' && key === '[]' && percent > 0 && percent < 100) faults += 1
    if (before !== null && (before === name || this.rollouts.get(before)?.graph !== graph)) faults += 1
    return faults
  }

  /** Labels match, and it has a published schema. */
  contains(graphName: string, subgraphName: string): boolean {
    const graph = this.graphs.get(graphName)
    const subgraph = this.subgraphs.get(subgraphName)
    if (graph === undefined || subgraph === undefined) return false
    return subgraph.base === null && subgraph.schema !== null && matches(graph.matchers, subgraph.labels)
  }

  applies(flagName: string, graphName: string): boolean {
    const graph = this.graphs.get(graphName)
    const flag = this.flags.get(flagName)
    if (graph === undefined || flag === undefined || !flag.enabled) return false
    if (!matches(graph.matchers, flag.labels)) return false
    const published = [...flag.members].filter((name) => this.subgraphs.get(name)?.schema !== null)
    if (published.length === 0) return false
    return published.every((name) => this.contains(graphName, this.subgraphs.get(name)?.base ?? ''))
  }

  /** Every subgraph that it replaces is in the graph. */
  previewApplies(name: string, graphName: string): boolean {
    const preview = this.previews.get(name)
    if (preview === undefined || !this.graphs.has(graphName)) return false
    return [...preview.subgraphs.keys()].every((base) => this.contains(graphName, base))
  }

  /** What a graph is composed of, as one text. */
  inputs(graphName: string): string {
    if (!this.graphs.has(graphName)) return 'no such graph'
    const inBase = [...this.subgraphs.keys()].filter((name) => this.contains(graphName, name))
    const text = (name: string) => [name, this.subgraphs.get(name)?.url, this.subgraphs.get(name)?.schema]
    const flags = [...this.flags.keys()]
      .filter((flag) => this.applies(flag, graphName))
      .map((flagName) => {
        if (this.isLaunched(flagName)) return [flagName, inBase.map(text).sort(byText)]
        const members = [...(this.flags.get(flagName)?.members ?? [])]
        const subgraphs = inBase.map((name) => {
          const instead = members.find((member) => {
            const subgraph = this.subgraphs.get(member)
            return subgraph?.base === name && subgraph.schema !== null
          })
          return instead === undefined ? text(name) : [...text(instead), name]
        })
        return [flagName, subgraphs.sort(byText)]
      })
    const previews = [...this.previews]
      .filter(([name]) => this.previewApplies(name, graphName))
      .map(([, { flag, subgraphs: replaced, expires }]) => {
        const random = flag.slice(-16)
        const subgraphs = inBase.map((name) => {
          const instead = replaced.get(name)
          if (instead === undefined) return text(name)
          return [`${name}/${random}`, instead.routingUrl, instead.schema, name, 'preview']
        })
        return [flag, subgraphs.sort(byText), new Date(expires).toISOString()]
      })
    return JSON.stringify([
      inBase.map(text).sort(byText),
      flags.sort(byText),
      previews.sort(byText),
      this.graphs.get(graphName)?.pin,
      this.graphs.get(graphName)?.allowsUnenforced,
      [...(this.graphs.get(graphName)?.manifests.keys() ?? [])].sort(),
    ])
  }
}

/** The left column of the table of triggers: what a command that was accepted has to do with. */
type Touched = {
  readonly graphs: Iterable<string>
  readonly subgraphs: Iterable<string>
  readonly flags: Iterable<string>
  readonly previews?: Iterable<string>
}

function touchedBy(command: Command, before: Model, after: Model): Touched {
  const none = { graphs: [], subgraphs: [], flags: [] }
  switch (command.type) {
    case 'create-namespace':
      return none
    case 'delete-namespace':
      return { ...none, graphs: before.graphs.keys() }
    case 'create-federated-graph':
    case 'update-federated-graph':
    case 'delete-federated-graph':
    case 'pin-federated-graph':
    case 'unpin-federated-graph':
    case 'republish-federated-graph':
      return { ...none, graphs: [command.name] }
    case 'publish-documents':
    case 'delete-documents':
      return { ...none, graphs: [command.graph] }
    case 'create-subgraph':
    case 'create-feature-subgraph':
    case 'publish-schema':
    case 'update-subgraph': {
      const flags = [...after.flags].filter(([, flag]) => flag.members.has(command.name))
      return { ...none, subgraphs: [command.name], flags: flags.map(([name]) => name) }
    }
    case 'delete-subgraph': {
      const flags = [...before.flags].filter(
        ([name, flag]) => after.flags.get(name)?.members.size !== flag.members.size,
      )
      return { ...none, subgraphs: [command.name], flags: flags.map(([name]) => name) }
    }
    case 'create-feature-flag':
    case 'update-feature-flag':
    case 'delete-feature-flag':
    case 'enable-feature-flag':
    case 'disable-feature-flag':
      return { ...none, flags: [command.name] }
    case 'promote-feature-flag':
    case 'undo-promotion': {
      const subgraphs = differing(before.subgraphs, after.subgraphs)
      return { ...none, subgraphs, flags: [command.name] }
    }
    case 'create-rollout':
    case 'update-rollout':
    case 'ramp-rollout':
    case 'advance-rollout':
    case 'pause-rollout':
    case 'end-ramp-of-rollout':
    case 'abort-rollout':
    case 'resume-rollout':
    case 'complete-rollout':
    case 'delete-rollout':
      return none
    case 'set-preview-hosts':
    case 'create-preview':
    case 'update-preview':
    case 'delete-preview':
    case 'expire-preview':
      return { ...none, previews: differing(before.previews, after.previews) }
    case 'apply': {
      const subgraphs = differing(before.subgraphs, after.subgraphs)
      const flags = [...before.flags, ...after.flags].filter(([, flag]) =>
        subgraphs.some((name) => flag.members.has(name)),
      )
      return {
        graphs: differing(before.graphs, after.graphs),
        subgraphs,
        flags: [...differing(before.flags, after.flags), ...flags.map(([name]) => name)],
      }
    }
    default:
      throw new Error(`no such command: ${JSON.stringify(command satisfies never)}`)
  }
}

/** The names of what is other than before, new or gone. */
function differing(before: ReadonlyMap<string, object>, after: ReadonlyMap<string, object>): string[] {
  const text = (item: object | undefined) =>
    JSON.stringify(item, (_, value: unknown) =>
      value instanceof Set || value instanceof Map ? [...value].sort(byText) : value,
    )
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => text(before.get(name)) !== text(after.get(name)))
}

/**
 * Graphs that were changed, that contain or contained a subgraph, that a flag applied to before or applies to
 * now.
 */
function affectedGraphs(before: Model, after: Model, touched: Touched): readonly string[] {
  const affected = new Set(touched.graphs)
  const subgraphs = [...touched.subgraphs]
  const flags = [...touched.flags]
  const previews = [...(touched.previews ?? [])]
  for (const model of [before, after]) {
    for (const graph of model.graphs.keys()) {
      if (subgraphs.some((name) => model.contains(graph, name))) affected.add(graph)
      if (flags.some((name) => model.applies(name, graph))) affected.add(graph)
      if (previews.some((name) => model.previewApplies(name, graph))) affected.add(graph)
    }
  }
  for (const graph of [...before.graphs.keys(), ...after.graphs.keys()]) {
    if (before.inputs(graph) !== after.inputs(graph) && !affected.has(graph)) {
      throw new Error(`the table of triggers forgets "${graph}", whose inputs changed`)
    }
  }
  return [...affected].sort()
}

/** How many bases are named more than once. */
function repetitions(subgraphs: readonly PreviewSubgraph[]): number {
  const bases = subgraphs.map(({ base }) => base)
  return new Set(bases.filter((base, at) => bases.indexOf(base) !== at)).size
}

function subgraphOf(url: string, base: string | null, labels: readonly string[]): Subgraph {
  return { base, url, labels: new Set(labels), schema: null, bytes: 0 }
}

/** The order of alternatives says nothing. */
function groupsOf(matchers: readonly string[]): Set<string> {
  return new Set(matchers.map((group) => group.split(',').toSorted().join(',')))
}

/** Spaces are AND, commas are OR; no matchers = only what has no labels. */
function matches(matchers: ReadonlySet<string>, labels: ReadonlySet<string>): boolean {
  if (matchers.size === 0) return labels.size === 0
  for (const group of matchers) if (!group.split(',').some((label) => labels.has(label))) return false
  return true
}

function same(set: ReadonlySet<string>, items: readonly string[]): boolean {
  return set.size === new Set(items).size && items.every((item) => set.has(item))
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}
