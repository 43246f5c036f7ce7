/**
 * A declaration of one subgraph, with the position of the subgraph among the inputs. Its name is never
 * needed, so that nothing changes with the name of a feature subgraph.
 */
export type Declared<Model> = { readonly at: number; readonly model: Model }
