import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { focusFirstField } from './first-field.ts'
import overlay from './overlay.module.css'

const texts = words({
  es: {
    close: 'Cerrar',
    discardTitle: '¿Descartar lo que escribiste?',
    discardAbout: 'No se ha guardado.',
    stay: 'Seguir editando',
    discard: 'Descartar',
  },
  en: {
    close: 'Close',
    discardTitle: 'Discard what you typed?',
    discardAbout: 'It is not saved.',
    stay: 'Keep editing',
    discard: 'Discard',
  },
})

export type DialogProps = {
  title: string
  isOpen: boolean
  /** Without it, the dialog cannot be closed. */
  onClose?: () => void
  /** `alertdialog` for questions before something is destroyed. */
  role?: 'dialog' | 'alertdialog'
  size?: 'small' | 'usual' | 'wide'
  /** False: Escape and a press outside do nothing, for what is shown once or is being done. */
  isDismissable?: boolean
  /** Closing does not ask: what was typed is kept as a draft, or only looks something up. */
  keepsInput?: boolean
  children: ReactNode
}

/**
 * A dialog over the page. Its first empty field gets the focus, which returns to what opened it (DSH-25). Escape, a press
 * outside and the cross ask before they discard what was typed (DSH-30); a button that cancels discards it.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  role = 'dialog',
  size = 'usual',
  isDismissable = onClose !== undefined,
  keepsInput = role === 'alertdialog',
  children,
}: DialogProps) {
  const text = useWords(texts)
  const edited = useRef(new Set<Field>())
  const [isAsking, setAsking] = useState(false)
  function close(): void {
    if (!keepsInput && [...edited.current].some(isFilled)) setAsking(true)
    else onClose?.()
  }
  function discard(): void {
    setAsking(false)
    onClose?.()
  }
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={open => !open && close()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className={`${overlay.cover} ${styles.overlay}`}
    >
      <Modal className={`${overlay.raised} ${styles.modal} ${styles[size]}`}>
        <AriaDialog role={role} className={styles.dialog}>
          <div
            className={styles.content}
            onInput={(event: FormEvent) => edited.current.add(event.target as Field)}
          >
            <Head title={title} onClose={onClose && close} />
            {children}
          </div>
          {isAsking && (
            <LeaveQuestion
              title={text.discardTitle}
              about={text.discardAbout}
              stay={text.stay}
              leave={text.discard}
              onStay={() => setAsking(false)}
              onLeave={discard}
            />
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** Whether a field still holds something that took work: the next step of a dialog has other fields. */
function isFilled({ isConnected, value, type }: Field): boolean {
  return isConnected && value !== '' && type !== 'radio' && type !== 'password'
}

/** Asks before somebody leaves what is not saved. Staying is the suggestion. */
export function LeaveQuestion({
  title,
  about,
  stay,
  leave,
  onStay,
  onLeave,
}: {
  title: string
  about: string
  stay: string
  leave: string
  onStay: () => void
  onLeave: () => void
}) {
  return (
    <Dialog title={title} isOpen onClose={onStay} role="alertdialog" size="small">
      <p>{about}</p>
      <Actions>
        <Button kind="quiet" onPress={onLeave}>
          {leave}
        </Button>
        <Button kind="primary" autoFocus onPress={onStay}>
          {stay}
        </Button>
      </Actions>
    </Dialog>
  )
}

function Head({ title, onClose }: { title: string; onClose: (() => void) | undefined }) {
  const { close } = useWords(texts)
  const head = useRef<HTMLElement>(null)
  // it is drawn when the dialog opens
  useEffect(() => focusFirstField(head.current), [])
  return (
    <header ref={head} className={styles.head}>
      <Heading slot="title" className={styles.title}>
        {title}
      </Heading>
      {onClose && <IconButton icon="close" label={close} size="small" onPress={onClose} />}
    </header>
  )
}

/** The last line of a dialog or form: the least important action first, the next step last. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
