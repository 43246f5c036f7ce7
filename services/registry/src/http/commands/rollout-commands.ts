import { randomBytes } from 'node:crypto'
import { CreateRollout, ReasonOnly, UpdateRollout } from '@switchyard/contracts'
import { NamespacePath, ResourcePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'

const SALT_BYTES = 8

/** Returns the random part of a rollout's salt: 64 bits in hexadecimal digits. */
export function freshSalt(): string {
  return randomBytes(SALT_BYTES).toString('hex')
}

export function rolloutCommands({ add }: CommandRoutes): void {
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
  for (const { action, does, permission } of [
    { action: 'abort', does: 'Make a rollout select nobody', permission: 'abort' },
    { action: 'resume', does: 'Put the percentage of a rollout in force again', permission: 'rollout' },
    { action: 'complete', does: 'Make a rollout select its whole audience', permission: 'rollout' },
  ] as const) {
    add({
      method: 'POST',
      url: `/v1/rollouts/:namespace/:name/${action}`,
      summary: does,
      params: ResourcePath,
      body: ReasonOnly,
      permission,
      command: ({ params }) => ({ type: `${action}-rollout`, name: params.name }),
    })
  }
}
