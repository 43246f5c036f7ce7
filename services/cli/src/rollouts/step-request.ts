/** Requests about the step that the ramp of a rollout is at. */
import { RolloutView } from '@switchyard/contracts'
import type { WriteRequest } from '../command/command.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'

/**
 * Makes a request that is refused if the ramp has gone on since it was read: whoever gives the command means
 * the step that is shown.
 */
export async function stepRequest(
  verb: 'advance' | 'end-ramp',
  {
    namespace,
    argument,
    registry,
  }: {
    readonly namespace: string
    readonly argument: string
    readonly registry: Pick<RegistryClient, 'get'>
  },
): Promise<WriteRequest> {
  const { ramp } = await registry.get(apiPath('rollouts', namespace, argument), RolloutView)
  return {
    method: 'POST',
    path: apiPath('rollouts', namespace, argument, verb),
    body: ramp === null ? {} : { since: ramp.since },
  }
}
