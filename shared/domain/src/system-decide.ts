/**
 * The rules for API keys. Pure, like `decide`.
 *
 * Names are for people, yet two keys of one name would leave nobody sure which one to delete, so a name is
 * taken while its key exists. A scope may name a namespace that does not exist: a key that is to create it
 * needs the scope first.
 */
import { problem, type Problem, type SystemEvent } from '@switchyard/contracts'
import type { SystemCommand, SystemCommandOf } from './system-command.ts'
import type { ApiKey, SystemState } from './system-state.ts'
import { unreachable } from './state/unreachable.ts'

export type SystemDecision =
  | { readonly kind: 'events'; readonly events: readonly SystemEvent[] }
  | { readonly kind: 'refused'; readonly problem: Problem }

/**
 * Circumstances of a decision. `hasBootstrapKey` means that an administrator can come back without any key of
 * the log.
 */
export type SystemCircumstances = { readonly hasBootstrapKey: boolean }

export function decideSystem(
  state: SystemState,
  command: SystemCommand,
  circumstances: SystemCircumstances,
): SystemDecision {
  switch (command.type) {
    case 'create-api-key':
      return createApiKey(state, command)
    case 'delete-api-key':
      return deleteApiKey(state, command.id, circumstances)
    default:
      return unreachable(command)
  }
}

function isAdministrator({ scopes }: Pick<ApiKey, 'scopes'>): boolean {
  return scopes.includes('admin')
}

function createApiKey(state: SystemState, command: SystemCommandOf<'create-api-key'>): SystemDecision {
  const { id, name, sha256, scopes } = command
  const same = [...state.apiKeys.values()].find((key) => key.name === name)
  if (same !== undefined) {
    return refused(
      problem(
        'ALREADY_EXISTS',
        `There is an API key "${name}" already (id ${same.id}). Nothing was changed. Choose another name; a key that replaces it needs a name of its own until the old one is deleted.`,
      ),
    )
  }
  if (state.apiKeys.has(id)) {
    return refused(problem('ALREADY_EXISTS', `The id ${id} belongs to another API key. Nothing was changed.`))
  }
  return { kind: 'events', events: [{ type: 'api-key.created', id, name, sha256, scopes: [...scopes] }] }
}

function deleteApiKey(
  state: SystemState,
  id: string,
  { hasBootstrapKey }: SystemCircumstances,
): SystemDecision {
  const key = state.apiKeys.get(id)
  if (key === undefined) {
    return refused(problem('NOT_FOUND', `There is no API key of the id "${id}". Nothing was changed.`))
  }
  const others = [...state.apiKeys.values()].filter((other) => other.id !== id && isAdministrator(other))
  if (isAdministrator(key) && others.length === 0 && !hasBootstrapKey) {
    return refused(
      problem(
        'LAST_ADMIN_KEY',
        `"${key.name}" is the last API key with the scope "admin", and the registry was started without a bootstrap key: nobody could manage keys any more. Nothing was changed. Create another admin key first.`,
      ),
    )
  }
  return { kind: 'events', events: [{ type: 'api-key.deleted', id }] }
}

function refused(value: Problem): SystemDecision {
  return { kind: 'refused', problem: value }
}
