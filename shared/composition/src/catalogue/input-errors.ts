/** The codes of errors about the input of a composition, with their rows of docs/errors.md. */
export const INPUT_ERRORS = {
  NO_SUBGRAPHS: {
    happened: 'There is nothing to compose',
    remedy: 'Publish at least one subgraph whose labels match.',
  },
  DUPLICATE_SUBGRAPH_NAME: {
    happened: 'Two subgraphs have one name',
    remedy: 'Names are unique within a graph.',
  },
  COMPOSITION_INTERNAL: {
    happened: 'Composing stopped at something that it does not expect',
    remedy: 'Composing fewer subgraphs shows which one; report it.',
  },
}
