/** What runs scripts on Redis. Rejects where Redis cannot be asked. */
export type ScriptRunner = {
  run(
    script: { readonly text: string; readonly sha1: string },
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown>
}
