/** Operations of published documents whose plan is another one, with both plans side by side. */
import { useState } from 'react'
import type { Read } from '../../api/client.ts'
import { Code, Difference } from '../../parts/code/code.tsx'
import { textOf } from '../../parts/composition-choice.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty } from '../../parts/states.tsx'

type AllPlans = Read<'/v1/graphs/{namespace}/{name}/difference'>['plans']
type ComparedPlan = NonNullable<AllPlans>['changes'][number]
type Side = ComparedPlan['from']

const STATES: Readonly<Record<ComparedPlan['status'], { readonly tone: Tone; readonly text: string }>> = {
  changed: { tone: 'warn', text: 'other plan' },
  lost: { tone: 'bad', text: 'lost' },
  gained: { tone: 'good', text: 'gained' },
}

type Compositions = { readonly from: string; readonly to: string }

export function Plans({ plans, from, to }: Compositions & { readonly plans: AllPlans }) {
  return (
    <section className="card" aria-labelledby="plans">
      <header>
        <h2 id="plans">Plans of operations</h2>
        {plans === null ? null : <span className="quiet small">{plans.operations} operations compared</span>}
      </header>
      {plans === null ? (
        <Empty title="No documents are published for this graph">
          <p>Plans are compared for the operations that clients published, so there is nothing to compare.</p>
        </Empty>
      ) : (
        <Found plans={plans} from={from} to={to} />
      )}
    </section>
  )
}

function Found({
  plans: { changes, changed, unchanged, refused, notCompared },
  from,
  to,
}: Compositions & { readonly plans: NonNullable<AllPlans> }) {
  const facts = [
    `${changed} changed`,
    `${unchanged} unchanged`,
    ...(refused === 0 ? [] : [`${refused} valid in neither`]),
    ...(notCompared === 0 ? [] : [`${notCompared} left out, since comparing takes too much`]),
  ]
  return (
    <>
      <p className="inset quiet">{facts.join(', ')}.</p>
      <ul className="plans">
        {changes.map((plan) => (
          <li key={`${plan.document} ${plan.operationName} ${JSON.stringify(plan.conditions)}`}>
            <Plan plan={plan} from={from} to={to} />
          </li>
        ))}
      </ul>
      {changed > changes.length ? (
        <p className="inset quiet small">The first {changes.length} are shown.</p>
      ) : null}
    </>
  )
}

function Plan({ plan, from, to }: Compositions & { readonly plan: ComparedPlan }) {
  const [isOpen, setOpen] = useState(false)
  const { tone, text } = STATES[plan.status]
  const conditions = Object.entries(plan.conditions)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="plan-head">
          <strong>
            <Foreign text={plan.operationName ?? 'without a name'} />
          </strong>
          <Pill tone={tone}>{text}</Pill>
          <span className="quiet small">
            {costOf(plan.from)} → {costOf(plan.to)}
            {conditions.length === 0
              ? ''
              : `, with ${conditions.map(([name, value]) => `$${name} ${value}`).join(' and ')}`}
          </span>
          <span className="quiet small">
            <Foreign text={`${plan.manifests.join(', ')}: ${plan.clients?.join(', ') ?? 'all clients'}`} />
          </span>
        </span>
      </summary>
      {isOpen ? (
        <div className="plan-texts">
          <Texts plan={plan} from={from} to={to} />
        </div>
      ) : null}
    </details>
  )
}

/** Both plans; where one side refuses the operation, why, and the plan of the other. */
function Texts({ plan, from, to }: Compositions & { readonly plan: ComparedPlan }) {
  const sides = [
    { name: textOf(from), side: plan.from },
    { name: textOf(to), side: plan.to },
  ]
  if (plan.from.kind === 'planned' && plan.to.kind === 'planned') {
    return (
      <Difference
        title={sides.map(({ name }) => name).join(' → ')}
        before={planText(plan.from)}
        after={planText(plan.to)}
        isGraphQL={false}
      />
    )
  }
  return sides.map(({ name, side }) =>
    side.kind === 'planned' ? (
      <Code key={name} title={name} text={planText(side)} isGraphQL={false} />
    ) : (
      <p key={name}>
        <strong>{name}</strong> refuses it: <Foreign text={side.message} />
      </p>
    ),
  )
}

function costOf(side: Side): string {
  if (side.kind === 'refused') return 'refused'
  const requests = `${side.requests} ${side.requests === 1 ? 'request' : 'requests'}`
  return side.depth > 1 ? `${requests}, ${side.depth} after each other` : requests
}

function planText({ unreachable, text }: Extract<Side, { kind: 'planned' }>): string {
  return [...unreachable.map((coordinate) => `no subgraph answers ${coordinate}`), text].join('\n')
}
