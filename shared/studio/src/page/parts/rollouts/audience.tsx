import { printRolloutCondition } from '@switchyard/rollouts/printed-condition'
import { Foreign } from '../foreign.tsx'
import type { Rollout } from './state.ts'

/** The conditions of a rollout's audience, as the command line writes them. */
export function Audience({ where }: Pick<Rollout, 'where'>) {
  if (where.length === 0) return <>everybody</>
  return (
    <>
      those with{' '}
      {where.map((condition, index) => {
        const text = printRolloutCondition(condition)
        return (
          <span key={text}>
            {index === 0 ? '' : ' and '}
            <Foreign text={text} mono />
          </span>
        )
      })}
    </>
  )
}
