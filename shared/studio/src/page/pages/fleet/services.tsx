/** The registries and composers that are running. */
import type { Read } from '../../api/client.ts'
import { HEARTBEAT_MS, useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { heard, Load } from './load.tsx'

type Service = Read<'/v1/services'>['services'][number]

const TONES: Readonly<Record<Service['state'], Tone>> = { running: 'good', stopping: 'warn', lost: 'bad' }

export function Services() {
  const services = useRead('/v1/services', {}, { refetchInterval: HEARTBEAT_MS })
  return (
    <Loaded of={services}>
      {({ services: list }) => (
        <section className="card" aria-labelledby="services">
          <header>
            <h2 id="services">Registries and composers</h2>
          </header>
          {list.length === 0 ? (
            <Empty title="Nobody was heard">
              <p>On NATS a registry needs the right to hear them.</p>
            </Empty>
          ) : (
            <ul className="fleet">
              {list.map((service) => (
                <li key={`${service.kind} ${service.instance}`}>
                  <ServiceLine service={service} />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </Loaded>
  )
}

function ServiceLine({
  service: { kind, instance, state, version, ageSeconds, composing, load },
}: {
  readonly service: Service
}) {
  return (
    <>
      <div className="row">
        <strong>
          <Foreign text={instance} mono />
        </strong>
        <Pill tone={TONES[state]}>{state}</Pill>
        <span className="quiet small">{kind}</span>
      </div>
      <dl className="facts">
        {composing.length === 0 ? null : (
          <div>
            <dt>Composes</dt>
            <dd>
              <Foreign text={composing.join(', ')} />
            </dd>
          </div>
        )}
        <div>
          <dt>Version</dt>
          <dd>{version === null ? 'older than versions' : <Foreign text={version} />}</dd>
        </div>
        <div>
          <dt>Last heard</dt>
          <dd>{heard(ageSeconds)}</dd>
        </div>
        {load === null ? null : <Load load={load} />}
      </dl>
    </>
  )
}
