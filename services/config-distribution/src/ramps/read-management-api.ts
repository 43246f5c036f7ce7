/** Where commands about ramps are sent, and with which key. A key in a file may come, or change, later. */
import { readFile } from 'node:fs/promises'
import { messageOf } from '@switchyard/values'
import type { ManagementApiSettings } from './management-api.ts'

/** The address of the registry, with the key itself or the file that holds it. */
export type ManagementApiSource =
  | ManagementApiSettings
  | { readonly url: string; readonly apiKeyFile: string }

export const API_KEY_PATTERN = /^swy_\S+$/

/** Returns the address and the key, or why commands cannot be sent. The key is in no message. */
export async function readManagementApi(
  source: ManagementApiSource | null,
): Promise<ManagementApiSettings | { readonly missing: string }> {
  if (source === null) {
    return { missing: 'this service has neither the address of the registry nor an API key for it' }
  }
  if ('apiKey' in source) return source
  const { url, apiKeyFile } = source
  try {
    const apiKey = (await readFile(apiKeyFile, 'utf8')).trim()
    if (API_KEY_PATTERN.test(apiKey)) return { url, apiKey }
    return { missing: `the file ${apiKeyFile} holds no API key, which begins with swy_` }
  } catch (error) {
    return { missing: `the API key cannot be read: ${messageOf(error)}` }
  }
}
