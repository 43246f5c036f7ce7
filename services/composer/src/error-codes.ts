/** The codes of errors of the composer, with their rows of docs/errors.md. */
export const COMPOSER_ERRORS = {
  COMPOSITION_BUDGET_EXCEEDED: {
    happened: 'The composition used more CPU than one may, and was ended',
    remedy:
      'What was composed before stays in force. Composing fewer subgraphs shows which one is expensive; `SWITCHYARD_COMPOSER_CPU_BUDGET` is the limit. Remembered for an hour: a composer that is started with a larger one tries again at the next change.',
  },
  COMPOSITION_OUT_OF_MEMORY: {
    happened: 'The composition needed more memory than one may, and was ended',
    remedy:
      'What was composed before stays in force. Composing fewer subgraphs shows which one is expensive; `SWITCHYARD_COMPOSER_MEMORY` is the limit.',
  },
  COMPOSITION_CRASHED: {
    happened: 'The composing thread ended by itself, twice',
    remedy:
      'Not remembered: the next change tries again. Composing fewer subgraphs shows which one is the reason; report it.',
  },
  COMPOSITION_TIMEOUT: {
    happened: 'The composing thread did not answer for two minutes',
    remedy:
      'Not remembered: the next change tries again. Composing fewer subgraphs shows which one is the reason; report it.',
  },
  COMPOSITION_SUPERSEDED: {
    happened: 'A newer change of the graph took the place of this composition',
    remedy:
      'Shown to nobody: whoever published hears what the newer one composes to, which holds their change as well.',
  },
  COMPOSITION_PENDING: {
    happened: 'The flag is being composed for the first time, and base is published without it',
    remedy:
      'Nothing to do: the record that follows has its result. Only readers of an older version show it as a failure.',
  },
  COMPOSER_STOPPING: {
    happened: 'The composer was stopped while it composed',
    remedy: 'Nothing to do: the next composer does it.',
  },
}
