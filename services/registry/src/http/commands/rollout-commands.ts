import { randomBytes } from 'node:crypto'
import {
  CreateRollout,
  JudgedRollout,
  type Problem,
  problem,
  RampRollout,
  ReasonOnly,
  UpdateRollout,
} from '@switchyard/contracts'
import { isGuarded } from '@switchyard/domain'
import { type ApiOptions, NamespacePath, ResourcePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

const SALT_BYTES = 8

/** Returns the random part of a rollout's salt: 64 bits in hexadecimal digits. */
export function freshSalt(): string {
  return randomBytes(SALT_BYTES).toString('hex')
}

export function rolloutCommands(routes: CommandRoutes, options: ApiOptions): void {
  const { add } = routes
  add({
    method: 'POST',
    url: '/v1/rollouts/:namespace',
    summary: 'Create a rollout: who gets the composition of a feature flag without naming it',
    params: NamespacePath,
    body: CreateRollout,
    permission: 'rollout',
    command: ({ body }) => ({ type: 'create-rollout', ...body, freshSalt: freshSalt() }),
  })
  add({
    method: 'PATCH',
    url: '/v1/rollouts/:namespace/:name',
    summary: 'Change the percentage, the audience, the key or the place of a rollout',
    params: ResourcePath,
    body: UpdateRollout,
    permission: 'rollout',
    command: ({ params, body }) => ({ type: 'update-rollout', name: params.name, ...body }),
  })
  add({
    method: 'DELETE',
    url: '/v1/rollouts/:namespace/:name',
    summary: 'Delete a rollout',
    params: ResourcePath,
    body: ReasonOnly,
    permission: 'rollout',
    command: ({ params }) => ({ type: 'delete-rollout', name: params.name }),
  })
  add({
    method: 'POST',
    url: '/v1/rollouts/:namespace/:name/resume',
    summary: 'Put the percentage of a rollout in force again, and begin the step of its ramp anew',
    params: ResourcePath,
    body: ReasonOnly,
    permission: 'rollout',
    command: ({ params }) => ({ type: 'resume-rollout', name: params.name }),
  })
  addRampCommands(routes, options)
}

function addRampCommands({ add }: CommandRoutes, { downstream }: ApiOptions): void {
  add({
    method: 'POST',
    url: '/v1/rollouts/:namespace/:name/ramp',
    summary: 'Begin a ramp: percentages one after the other, with guards that stop it',
    params: ResourcePath,
    body: RampRollout,
    permission: 'rollout',
    command: ({ params, body: plan }) => ({ type: 'ramp-rollout', name: params.name, plan }),
    objection: ({ body }) =>
      Promise.resolve(isGuarded(body) && !downstream.fleet.isVerified ? unprovenFigures() : null),
  })
  for (const { action, type, does, permission } of JUDGED) {
    add({
      method: 'POST',
      url: `/v1/rollouts/:namespace/:name/${action}`,
      summary: does,
      params: ResourcePath,
      body: JudgedRollout,
      permission,
      command: ({ params, body }) => ({ type, name: params.name, ...body }),
    })
  }
}

const JUDGED = [
  {
    action: 'abort',
    type: 'abort-rollout',
    does: 'Make a rollout select nobody',
    permission: 'abort',
  },
  {
    action: 'pause',
    type: 'pause-rollout',
    does: 'Hold the ramp of a rollout at its percentage',
    permission: 'abort',
  },
  {
    action: 'advance',
    type: 'advance-rollout',
    does: 'Let the ramp of a rollout go on to its next step',
    permission: 'rollout',
  },
  {
    action: 'end-ramp',
    type: 'end-ramp-of-rollout',
    does: 'End the ramp of a rollout at its last percentage',
    permission: 'rollout',
  },
  {
    action: 'complete',
    type: 'complete-rollout',
    does: 'Make a rollout select its whole audience',
    permission: 'rollout',
  },
] as const

function unprovenFigures(): Problem {
  return problem(
    'ROLLOUT_INVALID',
    'Guards go by figures that routers report, and without a fleet key whoever reaches the notices could report others. Nothing was changed. Give registries, config-distribution and routers the same SWITCHYARD_FLEET_KEY, or begin a ramp without guards.',
  )
}
