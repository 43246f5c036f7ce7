/** GraphiQL with the controls and panels of Switchyard. */
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import type { Fetcher, FetcherReturnType } from '@graphiql/toolkit'
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql'
import { useEffect, useMemo, useRef } from 'react'
import { CompareIcon, ComparePanel } from './compare-panel.tsx'
import { type Playground, PlaygroundContext, usePlayground } from './context.ts'
import { Controls } from './controls.tsx'
import { EventsIcon, EventsPanel } from './events-panel.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { Notice } from './notice.tsx'
import { withoutHeaders } from './page-storage.ts'
import { PartsIcon, PartsPanel } from './parts-panel.tsx'
import { PlanIcon, PlanPanel } from './plan-panel.tsx'
import { INTROSPECTION, send } from './send.ts'
import { StandInPanel } from './stand-in-panel.tsx'
import type { StartValues } from './start-values.ts'
import { useStore } from './store.ts'
import { TraceIcon, TracePanel } from './trace-panel.tsx'

const PARTS = { title: 'Parts', icon: PartsIcon, content: PartsPanel }
const EVENTS = { title: 'Events', icon: EventsIcon, content: EventsPanel }
const COMPARE = { title: 'Compare', icon: CompareIcon, content: ComparePanel }
const PLAN = { title: 'Plan', icon: PlanIcon, content: PlanPanel }
const TRACE = { title: 'Trace', icon: TraceIcon, content: TracePanel }
const PLUGINS = [HISTORY_PLUGIN, PARTS, COMPARE, EVENTS, PLAN, TRACE]
const STORAGE = withoutHeaders(localStorage)

const FIRST_QUERY = `# Ctrl-Enter runs the operation at the cursor.
# Ctrl-Space completes names.
# “Composition” above chooses a feature flag.
# Headers are below the editor.

{
  __typename
}
`

export function App({ playground, start }: { readonly playground: Playground; readonly start: StartValues }) {
  const fetcher = useMemo(() => fetcherOf(playground), [playground])
  return (
    <PlaygroundContext value={playground}>
      <Controls traceChosen={() => openPanel(TRACE.title)} />
      <StandInPanel />
      <Notice />
      <GraphiQL
        fetcher={fetcher}
        plugins={PLUGINS}
        defaultQuery={FIRST_QUERY}
        {...(start.query === undefined ? {} : { initialQuery: start.query })}
        {...(start.variables === undefined ? {} : { initialVariables: start.variables })}
        storage={STORAGE}
        shouldPersistHeaders={false}
        showPersistHeadersSettings={false}
        inputValueDeprecation
        schemaDescription
      >
        <GraphiQL.Logo> </GraphiQL.Logo>
        <GraphiQL.Footer>
          <SchemaOfComposition />
          <OneTabAtATime />
          <NothingYet />
          <WrappedLines />
        </GraphiQL.Footer>
      </GraphiQL>
    </PlaygroundContext>
  )
}

/** By the button of the side bar: GraphiQL has no other way in which a panel that is closed opens. */
function openPanel(title: string): void {
  document.querySelector<HTMLButtonElement>(`button[aria-label="Show ${title}"]`)?.click()
}

function fetcherOf(playground: Playground): Fetcher {
  return (operation, options) => {
    const { answer, choices, state, sent, watch } = playground
    if (operation.operationName !== INTROSPECTION) sent.set({ operation, headers: options?.headers ?? {} })
    const noAnswer = () => void watch.look()
    const subscribed = () => openPanel(EVENTS.title)
    const sending = { answer, choices, noAnswer, subscribed, state: state.value }
    const responses = send(operation, options?.headers ?? {}, sending)
    // GraphiQL prints what comes, and reads the schema from it. Its type names objects of GraphQL.js, where
    // there is JSON.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return responses as FetcherReturnType
  }
}

/**
 * Learns the schema again when another composition is chosen, and when a graph is served again. GraphiQL
 * itself does so only at its start.
 */
function SchemaOfComposition() {
  const playground = usePlayground()
  const { flag } = useStore(playground.choices)
  const { waitingFor } = useStore(playground.state)
  const isServed = useStore(playground.watch.silence) === null && waitingFor === null
  const actions = useGraphiQLActions()
  const known = useRef<{ readonly flag: string | null; readonly isServed: boolean }>({ flag, isServed })
  useEffect(() => {
    const before = known.current
    known.current = { flag, isServed }
    if (isServed && (before.flag !== flag || !before.isServed)) void actions.introspect()
  }, [flag, isServed, actions])
  return null
}

/**
 * Stops what is running when another tab is shown: its answer would appear there. GraphiQL itself does not
 * when a tab is added.
 */
function OneTabAtATime() {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id)
  const actions = useGraphiQLActions()
  const shown = useRef(tab)
  useEffect(() => {
    if (shown.current !== tab) actions.stop()
    shown.current = tab
  }, [tab, actions])
  return null
}

/** Makes the editor of operations wrap its lines: it would cut off what does not fit into a narrow window. */
function WrappedLines() {
  const editor = useGraphiQL(({ queryEditor }) => queryEditor)
  useEffect(() => editor?.updateOptions({ wordWrap: 'on' }), [editor])
  return null
}
