/** Sends commands about ramps to the management API. */
import { Problem, type JudgedRollout } from '@switchyard/contracts'
import { messageOf } from '@switchyard/values'
import { z } from 'zod'

/** Where the registry is, and a key with the scope `rollout:<namespace>`. The key is in no message. */
export type ManagementApiSettings = { readonly url: string; readonly apiKey: string }

/** A command about one rollout. */
export type RampCommand = {
  readonly namespace: string
  readonly rollout: string
  readonly action: 'advance' | 'pause' | 'abort' | 'complete' | 'end-ramp'
  readonly body: JudgedRollout
  /** The same for all who judge the same step the same way. */
  readonly idempotencyKey: string
}

/**
 * The result of a command: it took effect, or came too late and so changed nothing; it was refused for good;
 * or nobody could be asked.
 */
export type CommandResult =
  | { readonly kind: 'done' | 'late' }
  | { readonly kind: 'refused' | 'away'; readonly why: string }

/** The part of a CommandOutcome that tells whether the command changed anything. */
const Outcome = z.object({ changed: z.boolean() })

const TIMEOUT_MS = 10_000
/** Characters of an answer that is no problem of ours, as logs show it. */
const MOST_SHOWN = 200

export async function sendCommand(
  { url, apiKey }: ManagementApiSettings,
  { namespace, rollout, action, body, idempotencyKey }: RampCommand,
  signal: AbortSignal,
): Promise<CommandResult> {
  const path = `/v1/rollouts/${encodeURIComponent(namespace)}/${encodeURIComponent(rollout)}/${action}?wait=0`
  try {
    const answer = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await answer.text()
    if (!answer.ok) return resultOf(answer.status, text)
    return { kind: Outcome.parse(JSON.parse(text)).changed ? 'done' : 'late' }
  } catch (error) {
    return { kind: 'away', why: messageOf(error) }
  }
}

function resultOf(status: number, text: string): CommandResult {
  const problem = problemIn(text)
  if (problem === null) return { kind: 'away', why: `${status}: ${text.slice(0, MOST_SHOWN)}` }
  switch (problem.code) {
    // Another controller was first, or somebody changed the rollout.
    case 'RAMP_MOVED_ON':
    case 'IDEMPOTENCY_KEY_REUSED':
    case 'NOT_FOUND':
      return { kind: 'late' }
    default:
      return { kind: status >= 500 ? 'away' : 'refused', why: `${problem.code}: ${problem.detail}` }
  }
}

function problemIn(text: string): Problem | null {
  try {
    return Problem.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
