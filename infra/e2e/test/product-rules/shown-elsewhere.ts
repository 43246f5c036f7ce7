/**
 * Rules that no case can show on a running system, and the test that shows them with the parts it needs: a
 * terminal, a meter. `index.test.ts` fails when that test is not there.
 */
export const SHOWN_ELSEWHERE = {
  'delete.asks': {
    rule: 'Deletes ask for confirmation on a terminal, and name what goes along.',
    file: 'services/cli/test/terminal.test.ts',
    tests: ['names everything that a deletion takes along', 'is not asked with --force'],
  },
  'wait.progress': {
    rule: 'On a terminal one line shows what is composed and where it is live while a command waits.',
    file: 'services/cli/test/terminal.test.ts',
    tests: ['draws one line that says what is composed and where it lives, and takes it away at the end'],
  },
  'select.metrics': {
    rule: 'Metrics never carry a flag name that a client made up.',
    file: 'services/router/test/flags/telling-the-choice.test.ts',
    tests: ['never makes a label of what a client made up'],
  },
} as const
