/** A command to the registry as a whole. */
export type SystemCommand =
  | {
      readonly type: 'create-api-key'
      readonly id: string
      readonly name: string
      /** SHA-256 of the whole key text. */
      readonly sha256: string
      readonly scopes: readonly string[]
    }
  | { readonly type: 'delete-api-key'; readonly id: string }

export type SystemCommandOf<Type extends SystemCommand['type']> = Extract<
  SystemCommand,
  { readonly type: Type }
>
