/** Facts that pages need to give commands: whether the session may, and the body with its reason. */
import { isPermitted, useSession } from './session.ts'

type Permission = Parameters<typeof isPermitted>[1]

const MAY: Readonly<Record<Permission, string>> = {
  deploy: 'deploy',
  publish: 'publish schemas',
  rollout: 'change rollouts',
  abort: 'abort rollouts',
}

/** The reason why this session may not do something in a namespace. Null if it may. */
export function useRefusal(namespace: string, permission: Permission = 'deploy'): string | null {
  const { data: session } = useSession()
  if (session === null || session === undefined) return 'Nobody is signed in.'
  return isPermitted(session, permission, namespace)
    ? null
    : `This session may not ${MAY[permission]} in ${namespace}.`
}

/** Returns the body of a command with the reason for it, if there is one. */
export function withReason(body: object, reason: string | undefined): object {
  return reason === undefined ? body : { ...body, reason }
}
