/** Commands on API keys, written to the system subject of the log. */
import {
  type ApiKeyView,
  type CreateApiKey,
  problem,
  ProblemError,
  SYSTEM_SUBJECT,
  type SystemEvent,
} from '@switchyard/contracts'
import {
  type ApiKey,
  decideSystem,
  type SystemCircumstances,
  type SystemCommand,
  type SystemCommandMemory,
  type SystemState,
} from '@switchyard/domain'
import type { RecordWriter } from '../writing/record-writer.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import { newKey } from './key-text.ts'

export type KeyRequest = {
  readonly commandId: string
  /** Set if the client chose the command id. */
  readonly commandHash: string | null
  readonly actor: string
  readonly traceparent: string
}

type KeyResult = { readonly changed: boolean; readonly sequence: number; readonly apiKey: ApiKey | null }

export class KeyWriter {
  readonly #writer: RecordWriter
  readonly #fold: RegistryReader
  readonly #circumstances: SystemCircumstances

  constructor(writer: RecordWriter, fold: RegistryReader, circumstances: SystemCircumstances) {
    this.#writer = writer
    this.#fold = fold
    this.#circumstances = circumstances
  }

  /** The key's text is in this answer and nowhere else. */
  async create(
    body: CreateApiKey,
    request: KeyRequest,
  ): Promise<{ readonly apiKey: ApiKey; readonly text: string }> {
    const { id, text, sha256 } = newKey()
    const { apiKey } = await this.#execute({ type: 'create-api-key', id, sha256, ...body }, request)
    if (apiKey === null) throw new Error('an API key was created without one')
    if (apiKey.id === id) return { apiKey, text }
    throw new ProblemError(
      problem(
        'API_KEY_SHOWN_ONCE',
        `This command created the API key "${apiKey.name}" (id ${apiKey.id}) when it was sent first; its text was in that answer and is kept nowhere. Nothing was changed by this request. If the answer was lost, delete that key and create another one.`,
      ),
    )
  }

  async delete(id: string, request: KeyRequest): Promise<ApiKey> {
    const { apiKey } = await this.#execute({ type: 'delete-api-key', id }, request)
    if (apiKey === null) throw new Error('an API key was deleted without one')
    return apiKey
  }

  async #execute(command: SystemCommand, request: KeyRequest): Promise<KeyResult> {
    const { commandId, actor, traceparent } = request
    const fold = this.#fold
    return this.#writer.execute<SystemState, SystemEvent, SystemCommandMemory, KeyResult>({
      ...request,
      subject: SYSTEM_SUBJECT,
      facts: {
        namespace: '_system',
        command: command.type,
        commandId,
        actor,
        traceparent,
        keyId: command.id,
      },
      caughtUp: () => fold.systemCaughtUp(),
      state: () => fold.system,
      memoryOf: (state) => state.commands.get(commandId) ?? null,
      decide: (state) => decideSystem(state, command, this.#circumstances),
      resultOf: ({ sequence, apiKey }) => ({ changed: true, sequence, apiKey }),
    })
  }
}

export function apiKeyView({ id, name, scopes, createdAt, createdBy }: ApiKey): ApiKeyView {
  return { id, name, scopes: [...scopes], createdAt, createdBy }
}
