/** A button that says what it will do, and to what, before it does anything. */
import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useState } from 'react'
import { type ApiError, toApiError } from '../api/client.ts'
import { Command } from './command.tsx'
import { printable } from '@switchyard/values'
import { Problem } from './states.tsx'

const MAX_REASON = 500

export type ConfirmedProps = {
  /** The words of the button, and of the one that does it. */
  readonly label: string
  readonly kind?: 'main' | 'danger' | 'quiet'
  readonly size?: 'small'
  /** The reason why it cannot be done by this session, or now. Null if it can. */
  readonly refusal?: string | null
  readonly title: string
  /** What will be affected, each in a sentence. */
  readonly affected: readonly ReactNode[]
  /** The command line that does the same. A function is given the reason; words get it as `--reason`. */
  readonly command: readonly string[] | ((reason: string | undefined) => readonly string[])
  readonly act: (reason: string | undefined) => Promise<unknown>
}

export function Confirmed({ label, kind, size, refusal = null, ...asked }: ConfirmedProps) {
  const [isOpen, setOpen] = useState(false)
  const [isActing, setActing] = useState(false)
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => isActing || setOpen(open)}>
      <AlertDialog.Trigger
        className="button"
        data-kind={kind}
        data-size={size}
        disabled={refusal !== null}
        title={refusal ?? undefined}
      >
        {label}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="veil" />
        <AlertDialog.Popup className="dialog">
          <Question
            {...asked}
            label={label}
            isDangerous={kind === 'danger'}
            isActing={isActing}
            setActing={setActing}
            onDone={() => setOpen(false)}
          />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

type QuestionProps = Pick<ConfirmedProps, 'label' | 'title' | 'affected' | 'command' | 'act'> & {
  readonly isDangerous: boolean
  readonly isActing: boolean
  readonly setActing: (isActing: boolean) => void
  readonly onDone: () => void
}

/** What is asked before it is done, and the reason of whoever does it. */
function Question({ isActing, setActing, onDone, ...asked }: QuestionProps) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<ApiError | null>(null)
  const given = reason.trim()
  const run = async () => {
    setActing(true)
    setProblem(null)
    try {
      await asked.act(given === '' ? undefined : given)
      onDone()
    } catch (error) {
      setProblem(toApiError(error))
    } finally {
      setActing(false)
    }
  }
  return (
    <>
      <AlertDialog.Title>{printable(asked.title)}</AlertDialog.Title>
      <AlertDialog.Description render={<ul className="affected" />}>
        {asked.affected.map((sentence, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the sentences have no other name
          <li key={index}>{sentence}</li>
        ))}
      </AlertDialog.Description>
      <label className="labelled">
        <span>Reason, for the history (may be left out)</span>
        <input
          className="field"
          value={reason}
          maxLength={MAX_REASON}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={commandOf(asked.command, given === '' ? undefined : given)} />
      </div>
      {problem === null ? null : <Problem error={problem} />}
      <div className="actions">
        <AlertDialog.Close className="button" disabled={isActing}>
          Cancel
        </AlertDialog.Close>
        <button
          type="button"
          className="button"
          data-kind={asked.isDangerous ? 'danger' : 'main'}
          disabled={isActing}
          onClick={() => void run()}
        >
          {isActing ? 'Doing it …' : asked.label}
        </button>
      </div>
    </>
  )
}

function commandOf(command: ConfirmedProps['command'], reason: string | undefined): readonly string[] {
  if (typeof command === 'function') return command(reason)
  return reason === undefined ? command : [...command, '--reason', reason]
}
