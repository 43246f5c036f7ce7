/** A runner of scripts on Redis. It rejects if Redis cannot be reached. */
export type ScriptRunner = {
  run(
    script: { readonly text: string; readonly sha1: string },
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown>
}
