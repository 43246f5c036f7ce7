import type {
  EmergencyFigures,
  PreviewSubgraph,
  RampPlan,
  RolloutCondition,
  RolloutShadow,
} from '@switchyard/contracts'
import type { Judgement } from '@switchyard/guards'
import type { PublishedDocuments, PublishedSchema, RolloutMode } from '../state/namespace-state.ts'

/** A command to a namespace. Bodies are checked against their schemas before they become one of these. */
export type Command =
  | { readonly type: 'create-namespace' }
  /** Deletes the namespace with everything in it. */
  | { readonly type: 'delete-namespace' }
  | {
      readonly type: 'create-federated-graph'
      readonly name: string
      readonly labelMatchers: readonly string[]
      readonly allowUnenforcedAuthorization?: boolean | undefined
      readonly publicUrl?: string | null | undefined
    }
  /** Changes the given properties; those that are absent stay as they are. */
  | {
      readonly type: 'update-federated-graph'
      readonly name: string
      /** All matchers of the graph: they replace those that it has. */
      readonly labelMatchers?: readonly string[] | undefined
      readonly allowUnenforcedAuthorization?: boolean | undefined
      /** Null takes the URL away. */
      readonly publicUrl?: string | null | undefined
    }
  | { readonly type: 'delete-federated-graph'; readonly name: string }
  /**
   * Holds the graph on the content that a revision served. Whether there is such a revision is not known
   * here.
   */
  | { readonly type: 'pin-federated-graph'; readonly name: string; readonly revision: number }
  | { readonly type: 'unpin-federated-graph'; readonly name: string }
  /** Has the same content published once more, in a new epoch. */
  | { readonly type: 'republish-federated-graph'; readonly name: string }
  /** Replaces the manifest of this name. */
  | ({ readonly type: 'publish-documents'; readonly graph: string } & PublishedDocuments)
  | { readonly type: 'delete-documents'; readonly graph: string; readonly name: string }
  | {
      readonly type: 'create-subgraph'
      readonly name: string
      readonly routingUrl: string
      readonly labels: readonly string[]
    }
  | {
      /**
       * Also publishes feature subgraphs. With a routing URL, a missing one is created first: a feature
       * subgraph when `base` is given, else a subgraph with the labels.
       */
      readonly type: 'publish-schema'
      readonly name: string
      /** Hash and size of the SDL. */
      readonly schema: string
      readonly bytes: number
      readonly routingUrl?: string
      readonly labels?: readonly string[]
      readonly base?: string
    }
  /** Also updates feature subgraphs, which have no labels. What is absent stays. */
  | {
      readonly type: 'update-subgraph'
      readonly name: string
      readonly routingUrl?: string
      readonly labels?: readonly string[]
    }
  /** Also deletes feature subgraphs; with a base subgraph go those that replace it. */
  | { readonly type: 'delete-subgraph'; readonly name: string }
  | {
      readonly type: 'create-feature-subgraph'
      readonly name: string
      readonly routingUrl: string
      /** The subgraph that it replaces. */
      readonly base: string
    }
  | {
      readonly type: 'create-feature-flag'
      readonly name: string
      readonly labels: readonly string[]
      readonly featureSubgraphs: readonly string[]
      readonly enabled: boolean
    }
  /** Replaces the given properties of the flag; those that are absent stay as they are. */
  | {
      readonly type: 'update-feature-flag'
      readonly name: string
      readonly labels?: readonly string[]
      readonly featureSubgraphs?: readonly string[]
    }
  | { readonly type: 'delete-feature-flag'; readonly name: string }
  | { readonly type: 'enable-feature-flag'; readonly name: string }
  | { readonly type: 'disable-feature-flag'; readonly name: string }
  /**
   * Publishes the content of the flag's feature subgraphs as that of the subgraphs that they replace, or
   * publishes again what these had before.
   */
  | { readonly type: 'promote-feature-flag' | 'undo-promotion'; readonly name: string }
  | ({
      readonly type: 'create-rollout'
      readonly name: string
      readonly graph: string
      readonly flag: string
      /** The salt that somebody chose, or else `freshSalt` is taken. */
      readonly salt?: string | undefined
      /** Random text, which is no part of what was asked for. */
      readonly freshSalt: string
    } & RolloutProperties)
  /** Replaces the given properties of the rollout; those that are absent stay as they are. */
  | ({ readonly type: 'update-rollout'; readonly name: string } & RolloutProperties)
  /** Makes the rollout select nobody, or what it selected before, or its whole audience. */
  | ({ readonly type: 'abort-rollout' | 'complete-rollout'; readonly name: string } & JudgedStep)
  | { readonly type: 'resume-rollout' | 'delete-rollout'; readonly name: string }
  /** Begins a ramp, which takes the place of the one that the rollout is on. */
  | { readonly type: 'ramp-rollout'; readonly name: string; readonly plan: RampPlan }
  /** Lets a ramp go on, holds it, or ends it at its last percentage, by the judgement of its step. */
  | ({
      readonly type: 'advance-rollout' | 'pause-rollout' | 'end-ramp-of-rollout'
      readonly name: string
    } & JudgedStep)
  /** Replaces the hosts that the subgraphs of previews may have, and deletes previews that are elsewhere. */
  | { readonly type: 'set-preview-hosts'; readonly hosts: readonly string[] }
  | ({
      readonly type: 'create-preview'
      readonly name: string
      readonly subgraphs: readonly PreviewSubgraph[]
      readonly ttlSeconds: number
      /** Updates a preview of this name, if there is one. */
      readonly orUpdate: boolean
      /** 16 random hex digits, which are no part of what was asked for. */
      readonly freshSalt: string
    } & ByClock)
  /** Adds or replaces the given subgraphs, and takes some away. What is absent stays as it is. */
  | ({
      readonly type: 'update-preview'
      readonly name: string
      readonly subgraphs?: readonly PreviewSubgraph[] | undefined
      readonly without?: readonly string[] | undefined
      readonly ttlSeconds?: number | undefined
    } & ByClock)
  | { readonly type: 'delete-preview'; readonly name: string }
  /** Ends the preview that requests name like this, if its time is over. */
  | ({ readonly type: 'expire-preview'; readonly flag: string } & ByClock)
  /** Creates and changes all of these at once, or none. Properties that are absent stay as they are. */
  | {
      readonly type: 'apply'
      readonly graphs: readonly DesiredGraph[]
      readonly subgraphs: readonly DesiredSubgraph[]
      readonly featureSubgraphs: readonly DesiredFeatureSubgraph[]
      readonly featureFlags: readonly DesiredFeatureFlag[]
      /** If absent, rollouts are left alone whatever `prune` says. */
      readonly rollouts?: readonly DesiredRollout[] | undefined
      /** Random text for the salts of new rollouts. It is no part of what was asked for. */
      readonly freshSalt?: string | undefined
      /** Deletes everything that is not named. */
      readonly prune: boolean
    }

/** A command whose decision depends on the time. */
type ByClock = {
  /** Unix milliseconds, by the clock of the registry. It is no part of what was asked for. */
  readonly now: number
}

export type DesiredGraph = {
  readonly name: string
  readonly labelMatchers?: readonly string[] | undefined
  readonly allowUnenforcedAuthorization?: boolean | undefined
  readonly publicUrl?: string | null | undefined
}
export type DesiredSubgraph = {
  readonly name: string
  /** Needed for one that does not exist yet. */
  readonly routingUrl?: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly schema?: PublishedSchema | undefined
}
export type DesiredFeatureSubgraph = {
  readonly name: string
  /** The subgraph that it replaces. Like the routing URL needed for one that does not exist yet. */
  readonly base?: string | undefined
  readonly routingUrl?: string | undefined
  readonly schema?: PublishedSchema | undefined
}
export type DesiredFeatureFlag = {
  readonly name: string
  readonly labels?: readonly string[] | undefined
  /** Needed for one that does not exist yet. */
  readonly featureSubgraphs?: readonly string[] | undefined
  /** True by default for a new flag: a flag is created to be used. */
  readonly enabled?: boolean | undefined
}

/** The judgement that a command about a ramp goes by. It is empty if a person gives the command. */
export type JudgedStep = {
  /** The sequence of the record that began the judged step. */
  readonly since?: number | undefined
  readonly judgement?: Judgement | undefined
  readonly emergency?: EmergencyFigures | undefined
}

/** The properties of a rollout that may change. */
export type RolloutProperties = {
  readonly mode?: RolloutMode | undefined
  readonly where?: readonly RolloutCondition[] | undefined
  readonly percent?: number | undefined
  readonly key?: readonly string[] | undefined
  /** RFC 3339; null for one that does not expire. */
  readonly expires?: string | null | undefined
  /** Settings of a rollout of mode `shadow`; null for the defaults. */
  readonly shadow?: RolloutShadow | null | undefined
  /** The rollout of the graph that requests try right after it; null for the last place. */
  readonly before?: string | null | undefined
}
export type DesiredRollout = {
  readonly name: string
  /** Needed, like the flag, for one that does not exist yet. */
  readonly graph?: string | undefined
  readonly flag?: string | undefined
  readonly salt?: string | undefined
} & Omit<RolloutProperties, 'before'>

export type CommandOf<Type extends Command['type']> = Extract<Command, { readonly type: Type }>
