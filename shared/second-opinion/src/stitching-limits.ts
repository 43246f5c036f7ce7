/** Operations that the stitched gateway is known to answer wrongly or not at all. Tests prove each limit. */
export type StitchingLimit = { readonly id: StitchingLimitId; readonly description: string }

export type StitchingLimitId =
  | 'aliases'
  | 'values-below-entities'
  | 'interface-objects'
  | 'abstract-nulls'
  | 'abstract-requires'
  | 'requires-detours'
  | 'provides'
  | 'serial-mutations'
  | 'error-paths'
  | 'strict-values'
  | 'introspection-order'
  | 'conditions'
  | 'fragments'
  | 'keys-with-lists'
  | 'shared-mutations'

export const STITCHING_LIMITS: readonly StitchingLimit[] = [
  {
    id: 'aliases',
    description:
      'Results are keyed by the names of the client. So an alias breaks the look-up if it is also the name of a key field, of a required input or of a field merged in from elsewhere. Names such as "then" or "constructor" break it, too.',
  },
  {
    id: 'values-below-entities',
    description:
      'Values without a key that lie below an entity are taken from one subgraph only; fields that others give them are null.',
  },
  {
    id: 'interface-objects',
    description: 'Fields that an @interfaceObject adds to a concrete type are often null.',
  },
  {
    id: 'abstract-nulls',
    description:
      'A null inside or instead of a value of an interface or union, or a member that one subgraph does not know, can fail the whole field.',
  },
  {
    id: 'abstract-requires',
    description: '@requires with fragments on interfaces or unions fails.',
  },
  {
    id: 'requires-detours',
    description:
      'Inputs of @requires that must be fetched by way of a third subgraph are missing, or waited for without end (OPINION_STALLED).',
  },
  {
    id: 'provides',
    description: 'A field that is provided on one path is asked for on paths that do not provide it.',
  },
  {
    id: 'serial-mutations',
    description:
      'What is fetched for an entity below one mutation field is reused below the next, so it shows the state before the second write.',
  },
  {
    id: 'error-paths',
    description:
      'Errors of subgraphs are reported without the index of the list item they belong to, or once where the same entity stands at several places.',
  },
  {
    id: 'strict-values',
    description:
      'A value of the wrong kind, out of range, missing, or hidden from clients becomes null (or is coerced) without an error.',
  },
  {
    id: 'introspection-order',
    description: 'Fields and types are listed in another order.',
  },
  {
    id: 'conditions',
    description:
      'A field that is selected twice, once under an @include or @skip that leaves it out, can be left out altogether.',
  },
  {
    id: 'fragments',
    description:
      'The definition of a fragment that asks for nothing but type names is lost, and subgraphs refuse the document.',
  },
  {
    id: 'keys-with-lists',
    description: 'What is fetched by a key that holds a list of other objects is null.',
  },
  {
    id: 'shared-mutations',
    description:
      'A mutation that several subgraphs have is asked of one of them, and what only another knows of its result is null.',
  },
]
